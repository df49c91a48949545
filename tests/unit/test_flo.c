#include "io/flow/flo.h"
#include "support/unit_check.h"

TEST("head of a file")
{
    static const unsigned char head[HALO_FLO_HEAD] = {'P', 'I', 'E', 'H', 3, 0, 0, 0, 2, 0, 0, 0};
    halo_buffer out = {0};
    SUCCEEDS(halo_flo_begin(&out, 3, 2));
    CU_ASSERT(out.size == HALO_FLO_HEAD && memcmp(out.data, head, HALO_FLO_HEAD) == 0);
    halo_buffer_free(&out);
}

TEST("sizes that are refused")
{
    halo_buffer out = {0};
    static const int64_t sizes[][2] = {{0, 1}, {1, 0}, {100000, 1}, {1, 100000}, {-1, 5}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        FAILS(HALO_ARGUMENT, ".npy", halo_flo_begin(&out, sizes[i][0], sizes[i][1]));
    }
    SUCCEEDS(halo_flo_begin(&out, HALO_FLO_MAX_SIDE, HALO_FLO_MAX_SIDE));
    halo_buffer_free(&out);
}
