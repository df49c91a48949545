#include "kernels/label/measure/part_rows.h"

#include "base/memory.h"

static void unpack(const uint64_t *bits, int64_t width, uint8_t *out)
{
    enum { WORD_BITS = 64 };
    for (int64_t x = 0; x < width; x++) {
        out[x] = (uint8_t)(bits[x / WORD_BITS] >> x % WORD_BITS & 1);
    }
}

halo_status halo_label_part_rows(const halo_view *view, int cell_bits, halo_rows_take *take,
                                 void *context)
{
    bool deep = view->axes == HALO_AXES, bits = cell_bits == HALO_BIT;
    int64_t lines = view->owned.n[deep ? 1 : 0], planes = deep ? view->owned.n[0] : 1;
    int64_t width = view->owned.n[view->axes - 1];
    uint8_t *bytes = NULL;
    if (bits) {
        HALO_TRY(HALO_ALLOCATE_LARGE(bytes, width + 1, "a row of an image"));
    }
    halo_status status = HALO_OK;
    for (int64_t r = 0; r < planes * lines && width > 0 && status == HALO_OK; r++) {
        const void *row = deep ? halo_row_of_plane(view, r / lines, r % lines) : halo_row(view, r);
        if (bits) {
            unpack(row, width, bytes);
        }
        status = take(context, r, 1, bits ? bytes : row, 0);
    }
    halo_memory_free(bytes);
    return status;
}
