#include "support/stencils.h"

/* 5-point Jacobi relaxation. */
static halo_status heat_step(halo_step *s)
{
    for (int64_t y = s->todo.lo[0]; y < s->todo.lo[0] + s->todo.n[0]; y++) {
        const double *above = halo_row(s->in, y - 1);
        const double *here = halo_row(s->in, y);
        const double *below = halo_row(s->in, y + 1);
        double *restrict next = halo_row(s->out, y);
        for (int64_t x = s->todo.lo[1]; x < s->todo.lo[1] + s->todo.n[1]; x++) {
            next[x] = 0.25 * ((above[x] + below[x]) + (here[x - 1] + here[x + 1]));
        }
    }
    return HALO_OK;
}

const halo_kernel stencil_heat = {
    .name = "heat", .help = "heat on a plate", .cell_bits = {64}, .depth = 1, .step = heat_step};

const halo_kernel stencil_heat_whole = {.name = "heat",
                                        .help = "the same in one piece",
                                        .cell_bits = {64},
                                        .depth = 1,
                                        .whole = true,
                                        .step = heat_step};

/* Two fields of different cells in three axes: bytes spread along planes, sums along the rest. */
static halo_status pair_step(halo_step *s)
{
    for (int64_t i = 0; i < halo_box_cells(&s->todo); i++) {
        int64_t z = s->todo.lo[0] + i / (s->todo.n[1] * s->todo.n[2]);
        int64_t y = s->todo.lo[1] + i / s->todo.n[2] % s->todo.n[1];
        int64_t x = s->todo.lo[2] + i % s->todo.n[2];
        const uint8_t *low = halo_row_of_plane(&s->in[0], z - 2, y);
        const uint8_t *high = halo_row_of_plane(&s->in[0], z + 2, y);
        const int64_t *before = halo_row_of_plane(&s->in[1], z, y - 2);
        const int64_t *after = halo_row_of_plane(&s->in[1], z + 1, y + 1);
        uint8_t *bytes = halo_row_of_plane(&s->out[0], z, y);
        int64_t *sums = halo_row_of_plane(&s->out[1], z, y);
        bytes[x] = (uint8_t)(3 * low[x - 1] + high[x + 2] + after[x]);
        sums[x] = before[x - 2] ^ (after[x + 1] + low[x]);
    }
    return HALO_OK;
}

const halo_kernel stencil_pair = {.name = "pair",
                                  .help = "two coupled fields",
                                  .cell_bits = {8, 64},
                                  .depth = 2,
                                  .corners = true,
                                  .step = pair_step};

/* Bits spread to their neighbours until all of a row's column is foreground; counts what changed.
 */
static halo_status spread_step(halo_step *s)
{
    for (int64_t y = s->todo.lo[0]; y < s->todo.lo[0] + s->todo.n[0]; y++) {
        const uint64_t *above = halo_row(s->in, y - 1);
        const uint64_t *here = halo_row(s->in, y);
        const uint64_t *below = halo_row(s->in, y + 1);
        uint64_t *next = halo_row(s->out, y);
        for (int64_t w = 0; w < (s->todo.n[1] + 63) / 64; w++) {
            /* The cell after the last one is halo and may share its word. */
            int64_t cells = s->todo.n[1] - 64 * w;
            uint64_t owned = cells < 64 ? ((uint64_t)1 << cells) - 1 : UINT64_MAX;
            next[w] = (above[w] | here[w] | below[w]) & owned;
            s->changed += __builtin_popcountll(next[w] ^ (here[w] & owned));
        }
    }
    return HALO_OK;
}

const halo_kernel stencil_spread = {.name = "spread",
                                    .help = "columns fill up",
                                    .cell_bits = {HALO_BIT},
                                    .depth = 1,
                                    .converges = true,
                                    .step = spread_step};
