#define _DEFAULT_SOURCE /* sysconf's caches */
#include "kernels/heat/heat.h"

#include "base/memory.h"
#include "kernels/heat/options.h"
#include "kernels/heat/start.h"

#include <float.h>
#include <unistd.h>

typedef struct {
    halo_domain domain;
    heat_options options;
    size_t own_cache; /* bytes of the last cache that a rank may count on */
} heat_state;

/* ---- a step ---------------------------------------------------------------------------------- */

/* Boxes that fit into the second cache are read again before long: by the next beat, if several
 * are done at once. */
enum { MIN_STREAM = 1 << 20 };

/* Written past the caches, a cell costs 16 bytes on the way to memory and back instead of 24: what
 * is written need not be read before. It pays where it would not stay in the cache for the next
 * beat in any case. */
static bool streams(const heat_state *state, const halo_step *step)
{
    size_t box = (size_t)halo_box_cells(&step->todo) * sizeof(double);
    size_t all = (size_t)halo_box_cells(&step->in->owned) * sizeof(double);
    return box >= MIN_STREAM && 2 * all > state->own_cache;
}

/* Cells of `todo` that are not held at an edge. */
static halo_box free_cells(const heat_state *state, const halo_step *step)
{
    halo_box box = step->todo;
    for (int axis = 0; state->options.held && axis < state->domain.axes; axis++) {
        int64_t lo = step->in->owned.lo[axis], n = state->domain.n[axis];
        if (!state->domain.periodic[axis]) {
            int64_t first = box.lo[axis], end = first + box.n[axis];
            first += lo + first == 0;
            end -= lo + end == n && end > first;
            box.lo[axis] = first;
            box.n[axis] = end - first;
        }
    }
    return box;
}

/* A box of two axes as one of three: a single plane. */
static halo_box with_planes(const halo_box *box, int axes)
{
    return axes == 3
               ? *box
               : (halo_box){.lo = {0, box->lo[0], box->lo[1]}, .n = {1, box->n[0], box->n[1]}};
}

static double *cell_at(const halo_view *view, int64_t z, int64_t y, int64_t x)
{
    double *row = view->axes == 3 ? halo_row_of_plane(view, z, y) : halo_row(view, y);
    return row + x;
}

static void update_plane(const heat_state *state, const halo_step *step, const halo_box *box,
                         int64_t z)
{
    const halo_view *in = step->in, *out = step->out;
    const ptrdiff_t cell = sizeof(double);
    int row = in->axes - 2;
    heat_sheet sheet = {.in = cell_at(in, z, box->lo[1], box->lo[2]),
                        .out = cell_at(out, z, box->lo[1], box->lo[2]),
                        .in_pitch = in->stride[row] / cell,
                        .out_pitch = out->stride[row] / cell,
                        .in_plane = in->stride[0] / cell,
                        .rows = box->n[1],
                        .columns = box->n[2],
                        .source = state->options.source,
                        .stream = streams(state, step)};
    if (in->axes == 2) {
        state->options.ops->five(&sheet);
    } else {
        state->options.ops->seven(&sheet);
    }
}

/* Columns lo to hi - 1 of a row. */
static void hold(const heat_state *state, const double *in, double *out, int64_t lo, int64_t hi)
{
    for (int64_t x = lo; x < hi; x++) {
        out[x] = in[x] + state->options.source;
    }
}

/* What of `all` is not in `open`. */
static void hold_rest(const heat_state *state, const halo_step *step, const halo_box *all,
                      const halo_box *open)
{
    int64_t end = all->lo[2] + all->n[2], open_end = open->lo[2] + open->n[2];
    for (int64_t z = all->lo[0]; z < all->lo[0] + all->n[0]; z++) {
        for (int64_t y = all->lo[1]; y < all->lo[1] + all->n[1]; y++) {
            const double *in = cell_at(step->in, z, y, 0);
            double *out = cell_at(step->out, z, y, 0);
            bool is_open = z >= open->lo[0] && z < open->lo[0] + open->n[0] && y >= open->lo[1] &&
                           y < open->lo[1] + open->n[1];
            hold(state, in, out, all->lo[2], is_open ? open->lo[2] : end);
            hold(state, in, out, is_open ? open_end : end, end);
        }
    }
}

static halo_status heat_step(halo_step *step)
{
    const heat_state *state = step->state;
    int axes = step->in->axes;
    halo_box open = free_cells(state, step);
    open = with_planes(&open, axes);
    for (int64_t z = open.lo[0]; halo_box_cells(&open) > 0 && z < open.lo[0] + open.n[0]; z++) {
        update_plane(state, step, &open, z);
    }
    if (state->options.held) {
        halo_box all = with_planes(&step->todo, axes);
        hold_rest(state, step, &all, &open);
    }
    return HALO_OK;
}

/* ---- the rest of the table ------------------------------------------------------------------- */

/* A half of the largest cache, shared with the machine's other processors. */
static size_t own_cache(void)
{
    long bytes = -1, processors = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef _SC_LEVEL3_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    const long fallback = 32L << 20;
    return (size_t)(bytes > 0 ? bytes : fallback) / (size_t)(processors > 0 ? processors : 1) / 2;
}

static halo_status heat_create(void **out, const halo_domain *domain, const void *options)
{
    heat_options read;
    HALO_TRY(heat_options_read(&read, options, domain));
    heat_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "the state of heat"));
    *state = (heat_state){*domain, read, own_cache()};
    *out = state;
    return HALO_OK;
}

static halo_status heat_start(void *state, const halo_view *fields)
{
    const heat_state *s = state;
    return heat_start_fill(&s->options, &s->domain, fields);
}

static const halo_param params[] = {
    {.name = "shape",
     .type = HALO_PARAM_TEXT,
     .offset = offsetof(halo_heat_options, shape),
     .standard = "square",
     .value = "square|linear|mode:KxL[xM]",
     .help =
         "How it begins: 1 in the middle third of every axis; a slope, whose edges are held; or "
         "an eigenmode of K half waves along the first axis, L along the second..."},
    {.name = "edge",
     .type = HALO_PARAM_TEXT,
     .offset = offsetof(halo_heat_options, edge),
     .value = "held|X",
     .help = "Cells at the edges keep what they begin with, or X"},
    {.name = "source",
     .type = HALO_PARAM_REAL,
     .offset = offsetof(halo_heat_options, source),
     .min = -DBL_MAX,
     .max = DBL_MAX,
     .standard = "0",
     .help = "Added to every cell in each beat"},
    {.name = "instructions",
     .type = HALO_PARAM_CHOICE,
     .offset = offsetof(halo_heat_options, instructions),
     .choices = "avx512|avx2|plain",
     .help = "Instruction set of the inner loops, instead of the best there is"},
    {0}};

#define HEAT_KERNEL(name_, help_, axes_, flops_)                                              \
    {                                                                                         \
        .name = (name_), .help = (help_), .axes = (axes_), .cell_bits = {64},                 \
        .cell_kind = {HALO_FLOAT}, .depth = 1, .step = heat_step, .create = heat_create,      \
        .params = params, .params_bytes = sizeof(halo_heat_options),                          \
        .destroy = halo_kernel_free_state, .start = heat_start, .white = 1, .flops = (flops_) \
    }

const halo_kernel halo_heat_kernel =
    HEAT_KERNEL("heat", "heat on a plate: each cell the mean of four", 2, 4);

const halo_kernel halo_heat3d_kernel =
    HEAT_KERNEL("heat3d", "heat in a block: each cell and its six neighbours", 3, 8);
