#include "core/move/scatter_gather.h"

#include "core/move/row_chunks.h"

/* ---- into the rows of a field ---------------------------------------------------------------- */

typedef struct {
    const halo_rows_input *input;
    int64_t lo; /* of this rank's strip */
} filling;

static halo_status make_for_field(void *context, int64_t first, int64_t rows, void *out,
                                  size_t pitch)
{
    const halo_rows_input *input = ((const filling *)context)->input;
    return input->source(input->context, first, rows, out, pitch);
}

static halo_status notify_sink(void *context, int64_t first, int64_t rows, const void *data,
                               size_t pitch)
{
    const filling *f = context;
    (void)data, (void)pitch; /* they are in the field already */
    f->input->sink(f->input->context, first - f->lo, rows);
    return HALO_OK;
}

static halo_owners all_on_rank_0(int64_t lo, int64_t hi)
{
    return (halo_owners){.lo = lo, .hi = hi};
}

halo_status halo_rows_scatter_field(halo_world *world, const int64_t *cuts, const halo_view *into,
                                    const halo_rows_input *input, halo_clock *clock)
{
    filling f = {input, into->owned.lo[0]};
    size_t width = (size_t)into->owned.n[1];
    const halo_row_chunks chunks = {.world = world,
                                    .from = all_on_rank_0(0, cuts[halo_world_ranks(world)]),
                                    .to = {.cuts = cuts},
                                    .row_bytes = into->cell_bits == HALO_BIT
                                                     ? (width + 63) / 64 * sizeof(uint64_t)
                                                     : width * (size_t)into->cell_bits / 8,
                                    .pitch = (size_t)into->stride[0],
                                    .into = into,
                                    .fill = make_for_field,
                                    .take = input->sink != NULL ? notify_sink : NULL,
                                    .context = &f,
                                    .fill_phase = HALO_PHASE_DECODE,
                                    .take_phase = HALO_PHASE_DISTRIBUTE,
                                    .clock = clock};
    return halo_row_chunks_move(&chunks);
}

/* ---- between other shapes -------------------------------------------------------------------- */

halo_status halo_rows_scatter(halo_world *world, const int64_t *cuts, size_t row_bytes,
                              halo_rows_source *source, halo_rows_take *take, void *context,
                              halo_clock *clock)
{
    const halo_row_chunks chunks = {.world = world,
                                    .from = all_on_rank_0(0, cuts[halo_world_ranks(world)]),
                                    .to = {.cuts = cuts},
                                    .row_bytes = row_bytes,
                                    .pitch = halo_rows_pitch(row_bytes),
                                    .fill = source,
                                    .take = take,
                                    .context = context,
                                    .fill_phase = HALO_PHASE_DECODE,
                                    .take_phase = HALO_PHASE_DISTRIBUTE,
                                    .clock = clock};
    return halo_row_chunks_move(&chunks);
}

/* The two sides of a collection have contexts of their own. */
typedef struct {
    const halo_rows *from;
    halo_rows_take *take;
    void *context;
    int64_t done, total; /* of this rank's rows */
} collecting;

static halo_status make_to_collect(void *context, int64_t first, int64_t rows, void *out,
                                   size_t pitch)
{
    collecting *c = context;
    HALO_TRY(c->from->fill(c->from->context, first, rows, out, pitch));
    c->done += rows;
    if (c->from->progress != NULL) {
        c->from->progress(c->from->context, c->done, c->total);
    }
    return HALO_OK;
}

static halo_status take_collected(void *context, int64_t first, int64_t rows, const void *data,
                                  size_t pitch)
{
    const collecting *c = context;
    return c->take(c->context, first, rows, data, pitch);
}

halo_status halo_rows_gather(halo_world *world, const int64_t *cuts, int64_t first_row,
                             int64_t rows, size_t row_bytes, const halo_rows *from,
                             halo_rows_take *take, void *context, halo_clock *clock)
{
    int rank = halo_world_rank(world);
    int64_t lo = cuts[rank] > first_row ? cuts[rank] : first_row;
    int64_t hi = cuts[rank + 1] < first_row + rows ? cuts[rank + 1] : first_row + rows;
    collecting c = {from, take, context, 0, hi > lo ? hi - lo : 0};
    const halo_row_chunks chunks = {.world = world,
                                    .from = {.cuts = cuts},
                                    .to = all_on_rank_0(first_row, first_row + rows),
                                    .row_bytes = row_bytes,
                                    .pitch = halo_rows_pitch(row_bytes),
                                    .fill = make_to_collect,
                                    .take = take_collected,
                                    .context = &c,
                                    .fill_phase = HALO_PHASE_ENCODE,
                                    .take_phase = HALO_PHASE_ENCODE,
                                    .clock = clock};
    return halo_row_chunks_move(&chunks);
}

halo_status halo_rows_redistribute(halo_world *world, const int64_t *from_cuts,
                                   const int64_t *to_cuts, int64_t shift, size_t row_bytes,
                                   halo_rows_fill *fill, halo_rows_take *take, void *context,
                                   halo_clock *clock)
{
    const halo_row_chunks chunks = {.world = world,
                                    .from = {.cuts = from_cuts},
                                    .to = {.cuts = to_cuts},
                                    .shift = shift,
                                    .row_bytes = row_bytes,
                                    .pitch = halo_rows_pitch(row_bytes),
                                    .fill = fill,
                                    .take = take,
                                    .context = context,
                                    .fill_phase = HALO_PHASE_DISTRIBUTE,
                                    .take_phase = HALO_PHASE_DISTRIBUTE,
                                    .clock = clock};
    return halo_row_chunks_move(&chunks);
}
