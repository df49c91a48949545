#include "kernels/filter/reduction.h"

#include "core/world/collect.h"
#include "core/world/watch.h"

/* Passes over all samples, and the rows that are computed after them. */

halo_status filter_reduce(halo_world *world, const filter_part *part, const char *instructions,
                          filter_reduction_pass *pass, void *context)
{
    const filter_reduction *reduction = part->reduction;
    void *state = NULL;
    bool again = true;
    halo_status status = halo_agree(world, reduction->create(&state, part, instructions));
    while (status == HALO_OK && again) {
        again = false;
        status = pass(context, state);
        HALO_IF_OK(status, reduction->end(state, world, &again));
    }
    reduction->destroy(state);
    return status;
}

/* ---- of a field ------------------------------------------------------------------------------ */

/* Rows `first` to first + rows - 1 of a view, as a view of two axes; of three axes, those of one
 * plane. */
static halo_view rows_of(const halo_view *all, int64_t first, int64_t rows)
{
    halo_view view = *all;
    int last = all->axes - 1;
    view.axes = 2;
    view.origin = halo_view_row(all, first);
    view.stride[0] = all->stride[last - 1];
    view.stride[1] = all->stride[last];
    view.owned.n[0] = rows;
    view.owned.n[1] = all->owned.n[last];
    view.owned.n[2] = 1;
    return view;
}

static halo_status add_field(void *context, void *state)
{
    enum { ROWS = 64 };
    const filter_field_call *call = context;
    const halo_view *in = halo_field_view(call->in);
    int64_t rows = halo_view_rows(in), height = in->owned.n[in->axes - 2];
    halo_status status = HALO_OK;
    for (int64_t y = 0, count; y < rows && status == HALO_OK; y += count) {
        int64_t left = height - y % height;
        count = left < ROWS ? left : ROWS;
        const halo_view some = rows_of(in, y, count);
        call->part->reduction->add(state, &some);
        status = halo_watch_work(call->world, y, rows);
    }
    return halo_agree(call->world, status);
}

/* Local. */
static halo_status compute_rows(const filter_field_call *call, void *state)
{
    const halo_view *in = halo_field_view(call->in), *out = halo_field_view(call->out);
    const filter_part *part = call->part;
    int64_t rows = halo_view_rows(in);
    filter_tile tile = {.step = part->step,
                        .part = part,
                        .state = state,
                        .planes = 1,
                        .rows = 1,
                        .width = in->owned.n[in->axes - 1],
                        .in_pitch = 1};
    for (int64_t y = 0; y < rows; y++) {
        const void *from = halo_view_row(in, y);
        void *to = halo_view_row(out, y);
        tile.in = &from;
        tile.out = &to;
        part->rows(&tile);
        HALO_TRY(halo_watch_work(call->world, y, rows));
    }
    return HALO_OK;
}

/* Collective. Adds all rows of the input as often as the reduction asks for, and computes those of
 * the result. */
static halo_status reduce_field(const filter_field_call *call)
{
    const filter_part *part = call->part;
    void *state = NULL;
    HALO_TRY(filter_reduce(call->world, part, call->instructions, add_field, (void *)call));
    halo_status status =
        part->create != NULL ? part->create(&state, part->step, part, call->instructions) : HALO_OK;
    HALO_IF_OK(status, compute_rows(call, state));
    if (part->destroy != NULL) {
        part->destroy(state);
    }
    return halo_agree(call->world, status);
}

void filter_add_reduction(filter_step *step, const filter_reduction *reduction,
                          const filter_part *part)
{
    filter_part *added = filter_add_part(step, part);
    added->reduction = reduction;
    added->field = reduce_field;
}
