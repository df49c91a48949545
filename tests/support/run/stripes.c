/* A bit a cell: each becomes the sum, without carry, of those above and below. */

#include "core/beat/kernel_export.h"

enum { WORD = 64 };

static halo_status stripes_step(halo_step *step)
{
    const halo_box *todo = &step->todo;
    int64_t width = step->in->owned.n[1], words = (width + WORD - 1) / WORD;
    uint64_t last = width % WORD != 0 ? ((uint64_t)1 << width % WORD) - 1 : UINT64_MAX;
    for (int64_t y = todo->lo[0]; y < todo->lo[0] + todo->n[0]; y++) {
        const uint64_t *above = halo_row(step->in, y - 1), *below = halo_row(step->in, y + 1);
        uint64_t *next = halo_row(step->out, y);
        for (int64_t w = 0; w < words; w++) {
            next[w] = (above[w] ^ below[w]) & (w == words - 1 ? last : UINT64_MAX);
        }
    }
    return HALO_OK;
}

static halo_status stripes_start(void *state, const halo_view *fields)
{
    (void)state;
    for (int64_t y = 0; y < fields->owned.n[0]; y++) {
        uint64_t *row = halo_row(fields, y), place = (uint64_t)(fields->owned.lo[0] + y);
        for (int64_t x = 0; x < fields->owned.n[1]; x++) {
            row[x / WORD] |= (uint64_t)((place * place + (uint64_t)x * 7) % 5 == 0) << x % WORD;
        }
    }
    return HALO_OK;
}

static const halo_kernel stripes_kernel = {.name = "stripes",
                                           .help = "bits from above and below",
                                           .axes = 2,
                                           .cell_bits = {HALO_BIT},
                                           .depth = 1,
                                           .step = stripes_step,
                                           .start = stripes_start};

HALO_KERNEL_EXPORT(stripes_kernel);
