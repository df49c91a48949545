#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "kernels/paths/front.h"
#include "kernels/paths/reach_ops.h"

#include <math.h>
#include <stdlib.h>

/* ---- steps ----------------------------------------------------------------------------------- */

/* The length of a step as NumPy finds it, which MCP_Geometric uses. */
static double length(const halo_paths_options *options, int dy, int dx)
{
    double y = dy * (options->cell_size[0] > 0 ? options->cell_size[0] : 1);
    double x = dx * (options->cell_size[1] > 0 ? options->cell_size[1] : 1);
    return sqrt(y * y + x * x);
}

int halo_paths_steps(const halo_paths_options *options, halo_paths_step *steps)
{
    enum { STRAIGHT = 8, DEFAULT = 8 };
    static const int moves[HALO_PATHS_NEIGHBOURS][2] = {
        {-1, 0},  {0, -1}, {0, 1},   {1, 0},  {-1, -1}, {-1, 1}, {1, -1}, {1, 1},
        {-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2},  {1, 2},  {2, -1}, {2, 1}};
    int count = options->neighbours > 0 ? options->neighbours : DEFAULT;
    for (int s = 0; s < count; s++) {
        int dy = moves[s][0], dx = moves[s][1];
        double cells = s < STRAIGHT ? 0.5 : 0.25;
        steps[s] = (halo_paths_step){.dy = dy, .dx = dx, .weight = length(options, dy, dx) * cells};
        if (s >= STRAIGHT) { /* one beside the cell, straight, and the one before the goal */
            steps[s].passed[0][0] = dy / 2;
            steps[s].passed[0][1] = dx / 2;
            steps[s].passed[1][0] = dy - dy / 2;
            steps[s].passed[1][1] = dx - dx / 2;
        }
    }
    return count;
}

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
    enum { KNIGHTS = 16, STRAIGHT = 4, CELL_BITS = 8 * sizeof(halo_paths_cell), FLOPS = 3 };
    int neighbours = options->neighbours > 0 ? options->neighbours : 8;
    return (halo_kernel){.name = "paths",
                         .help = "shortest paths on a raster of costs",
                         .axes = 2,
                         .cell_bits = {CELL_BITS},
                         .depth = options->neighbours == KNIGHTS ? 2 : 1,
                         .corners = options->neighbours != STRAIGHT,
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
