#include "kernels/filter/foreground.h"

#include "kernels/filter/pipeline.h"

#include <string.h>

halo_view filter_row_view(halo_sample_type type, const void *row, int64_t width)
{
    enum { BYTE = 8 };
    size_t bytes = halo_sample_types[type].bytes;
    return (halo_view){.origin = (void *)row,
                       .stride = {(ptrdiff_t)filter_row_bytes(type, width), (ptrdiff_t)bytes},
                       .owned = {.n = {1, width, 1}},
                       .axes = 2,
                       .cell_bits = bytes > 0 ? (int)bytes * BYTE : HALO_BIT};
}

/* NaN is not 0, and no foreground either. */
halo_key_range filter_nonzero(halo_sample_type type)
{
    const halo_number zero = halo_number_of(0);
    halo_key_range range = {.invert = true};
    (void)halo_sample_key_from(type, &zero, &range.min); /* all types have it */
    range.max = range.min;
    return range;
}

static void nonzero_rows(const filter_tile *tile)
{
    halo_sample_type type = tile->part->in;
    const halo_key_range range = filter_nonzero(type);
    for (int64_t i = 0; i < tile->rows; i++) {
        const halo_view from = filter_row_view(type, tile->in[i], tile->width);
        const halo_view to = filter_row_view(HALO_SAMPLE_BIT, tile->out[i], tile->width);
        halo_threshold(&from, type, &range, &to, NULL);
    }
}

void filter_add_nonzero(filter_step *step)
{
    if (step->in != HALO_SAMPLE_BIT) {
        filter_add_part(step, &(filter_part){.rows = nonzero_rows});
    }
}
