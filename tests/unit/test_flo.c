#include "io/flow/flo.h"
#include "support/unit_check.h"

/* 3 x 2 pixels, byte by byte. */
static const unsigned char small[HALO_FLO_HEAD + 6 * HALO_FLO_PAIR] = {
    'P', 'I', 'E',  'H',  3, 0, 0,    0,   2, 0, 0, 0, /* and for the first pixel 1, -2.5: */
    0,   0,   0x80, 0x3F, 0, 0, 0x20, 0xC0};

TEST("head, and parsed")
{
    halo_buffer out = {0};
    SUCCEEDS(halo_flo_begin(&out, 3, 2));
    CU_ASSERT(out.size == HALO_FLO_HEAD && memcmp(out.data, small, HALO_FLO_HEAD) == 0);
    halo_buffer_free(&out);
    int64_t width = 0, height = 0;
    float *pairs = NULL;
    SUCCEEDS(halo_flo_parse(small, sizeof small, "a.flo", &width, &height, &pairs));
    CU_ASSERT(width == 3 && height == 2 && pairs[0] == 1.0F && pairs[1] == -2.5F);
    for (int i = 2; i < 12; i++) {
        CU_ASSERT_EQUAL(pairs[i], 0.0F);
    }
    halo_memory_free(pairs);
}

static void refuse(const unsigned char *data, size_t bytes, const char *reason)
{
    int64_t width, height;
    float *pairs;
    FAILS(HALO_FORMAT, reason, halo_flo_parse(data, bytes, "a.flo", &width, &height, &pairs));
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "a.flo"));
}

TEST("refused")
{
    unsigned char bad[sizeof small + 1];
    memcpy(bad, small, sizeof small);
    bad[sizeof small] = 0;
    refuse(bad, sizeof small - 1, "59 bytes, not the 60");
    refuse(bad, sizeof small + 1, "61 bytes, not the 60");
    refuse(bad, 3, "202021.25");
    refuse(bad, 0, "202021.25");
    refuse(bad, HALO_FLO_HEAD - 4, "3 x 0");
    bad[4] = 0;
    refuse(bad, sizeof small, "0 x 2");
    bad[7] = 0x80;
    refuse(bad, sizeof small, "-2147483648 x 2");
    bad[0] = 'p';
    refuse(bad, sizeof small, "202021.25");
    halo_buffer out = {0};
    static const int64_t sizes[][2] = {{0, 1}, {1, 0}, {100000, 1}, {1, 100000}, {-1, 5}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        FAILS(HALO_ARGUMENT, ".npy", halo_flo_begin(&out, sizes[i][0], sizes[i][1]));
    }
    SUCCEEDS(halo_flo_begin(&out, HALO_FLO_LONGEST, HALO_FLO_LONGEST));
    halo_buffer_free(&out);
}
