#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "kernels/paths/front.h"
#include "kernels/paths/reach_ops.h"
#include "kernels/paths/steps.h"

#include <math.h>
#include <stdlib.h>

double halo_paths_unreached(const halo_paths_options *options)
{
    return options->max_distance > 0 ? nextafter(options->max_distance, HUGE_VAL) : HUGE_VAL;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

typedef struct {
    const halo_paths_options *options;
    halo_domain domain;
    paths_front *front;       /* of the part as it is; NULL: it is another one than before */
    halo_paths_counts before; /* what fronts of other parts have done */
} search;

static halo_status create(void **out, const halo_domain *domain, const void *options)
{
    search *state;
    const halo_isa_variant *variant;
    const halo_paths_options *given = options;
    HALO_TRY(halo_isa_pick(&variant, paths_reach_variants, given->instructions));
    HALO_TRY(HALO_ALLOCATE(state, 1, "a search for paths"));
    *state = (search){.options = given, .domain = *domain};
    *out = state;
    return HALO_OK;
}

static void end_front(search *state)
{
    state->before = halo_paths_count(state);
    paths_front_destroy(&state->front);
}

static void destroy(void **state)
{
    if (*state != NULL) {
        end_front(*state);
    }
    halo_kernel_free_state(state);
}

static halo_status note_move(void *state, const halo_view *fields)
{
    (void)fields;
    end_front(state);
    return HALO_OK;
}

/* The halo has come. */
static halo_status step(halo_step *step)
{
    search *state = step->state;
    bool fresh = state->front == NULL;
    if (fresh) {
        HALO_TRY(paths_front_create(&state->front, step->in, &state->domain, state->options));
        paths_front_start(state->front);
    }
    step->changed += paths_front_close(state->front);
    step->changed += paths_front_run(state->front, state->options->quota);
    paths_front_open(state->front);
    step->more = paths_queue_has_more(&state->front->queue);
    return state->front->queue.failed
               ? halo_fail(HALO_MEMORY, "out of memory: the queue of cells; use more hosts")
               : HALO_OK;
}

void halo_paths_count_sized(const void *of, halo_paths_counts *counts, size_t counts_bytes)
{
    const search *state = of;
    halo_paths_counts own = state->before;
    if (state->front != NULL) {
        int64_t bytes = state->front->queue.bytes;
        own.taken += state->front->taken;
        own.improved += state->front->improved;
        own.queue_bytes = bytes > own.queue_bytes ? bytes : own.queue_bytes;
    }
    halo_report_give(counts, counts_bytes, &own, sizeof own);
}

int64_t halo_paths_async_quota(int64_t cells)
{
    enum { LOOKS = 128, MIN_QUOTA = 256, MAX_QUOTA = 4096 };
    return halo_min(halo_max(cells / LOOKS, MIN_QUOTA), MAX_QUOTA);
}

halo_kernel halo_paths_kernel(const halo_paths_options *options)
{
    enum { STRAIGHT = 4, FACES = 6, CELL_BITS = 8 * sizeof(halo_paths_cell), FLOPS = 3 };
    int neighbours = options->neighbours > 0 ? options->neighbours : 8;
    return (halo_kernel){.name = "paths",
                         .help = "shortest paths on a raster of costs",
                         .axes = paths_is_volume(options) ? HALO_AXES : 2,
                         .cell_bits = {CELL_BITS},
                         .depth = neighbours == PATHS_KNIGHTS ? 2 : 1,
                         .corners = neighbours != STRAIGHT && neighbours != FACES,
                         .whole = true,
                         .in_place = true,
                         .converges = true,
                         .monotone_bytes = sizeof(double),
                         .flops = (double)FLOPS * neighbours,
                         .step = step,
                         .create = create,
                         .destroy = destroy,
                         .moved = note_move};
}
