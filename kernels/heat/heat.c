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

/* Streaming stores need two thirds of the memory traffic: a written cell need not be read before.
 * They pay if cells would not stay in the cache for the next beat in any case. */
static bool bypasses_cache(const heat_state *state, const halo_step *step)
{
    size_t cell = (size_t)step->in->cell_bits / 8;
    size_t box = (size_t)halo_box_cells(&step->todo) * cell;
    size_t all = (size_t)halo_box_cells(&step->in->owned) * cell;
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

static void *cell_at(const halo_view *view, int64_t z, int64_t y, int64_t x)
{
    char *row = view->axes == 3 ? halo_row_of_plane(view, z, y) : halo_row(view, y);
    return row + x * (view->cell_bits / 8);
}

static void update_plane(const heat_state *state, halo_step *step, const halo_box *box, int64_t z)
{
    const halo_view *in = step->in, *out = step->out;
    const heat_options *options = &state->options;
    const ptrdiff_t cell = in->cell_bits / 8;
    int row = in->axes - 2;
    heat_sheet sheet = {.in = cell_at(in, z, box->lo[1], box->lo[2]),
                        .out = cell_at(out, z, box->lo[1], box->lo[2]),
                        .in_pitch = in->stride[row] / cell,
                        .out_pitch = out->stride[row] / cell,
                        .in_plane = in->stride[0] / cell,
                        .rows = box->n[1],
                        .columns = box->n[2],
                        .source = state->options.source,
                        .stream = options->tolerance <= 0 && bypasses_cache(state, step)};
    if (in->axes == 2) {
        options->ops->five[options->type](&sheet);
    } else {
        options->ops->seven[options->type](&sheet);
    }
    if (options->tolerance > 0) {
        step->changed += options->ops->moved[options->type](&sheet, options->tolerance);
    }
}

/* Columns lo to hi - 1 of a row. */
static void hold(const heat_state *state, const void *in, void *out, int64_t lo, int64_t hi)
{
    const double source = state->options.source;
    for (int64_t x = lo; x < hi; x++) {
        if (state->options.type == HEAT_FLOAT) {
            ((float *)out)[x] = ((const float *)in)[x] + (float)source;
        } else {
            ((double *)out)[x] = ((const double *)in)[x] + source;
        }
    }
}

/* Hold the cells of `all` that are not in `open`. */
static void hold_rest(const heat_state *state, const halo_step *step, const halo_box *all,
                      const halo_box *open)
{
    int64_t end = all->lo[2] + all->n[2], open_end = open->lo[2] + open->n[2];
    for (int64_t z = all->lo[0]; z < all->lo[0] + all->n[0]; z++) {
        for (int64_t y = all->lo[1]; y < all->lo[1] + all->n[1]; y++) {
            const void *in = cell_at(step->in, z, y, 0);
            void *out = cell_at(step->out, z, y, 0);
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

static halo_status create(void **out, const halo_domain *domain, const void *options,
                          heat_type type, bool converges)
{
    heat_options read;
    HALO_TRY(heat_options_read(&read, options, domain));
    if (read.type != type || (read.tolerance > 0) != converges) {
        return halo_fail(HALO_ARGUMENT, "heat with these options has another table of functions: "
                                        "take what halo_kernel_suited gives");
    }
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

static halo_status heat_adjust(void *state, const halo_view *fields)
{
    const heat_state *s = state;
    return heat_start_edges(&s->options, &s->domain, fields);
}

static const halo_option rows[] = {
    {HALO_OPTION_ROW(halo_heat_options, "shape", TEXT, shape), .standard = "square",
     .flags = HALO_OPTION_START, .value = "square|linear|mode:KxL[xM]",
     .help =
         "How it begins: 1 in the middle third of every axis; a slope, whose edges are held; or "
         "an eigenmode of K half waves along the first axis, L along the second..."},
    {HALO_OPTION_ROW(halo_heat_options, "edge", TEXT, edge), .value = "held|X",
     .help = "Cells at the edges keep what they begin with, or X",
     .edge_hint = "cells beyond the edges are 0; --edge held keeps those at the edges as --input "
                  "has them"},
    {HALO_OPTION_ROW(halo_heat_options, "source", REAL, source), .min = -DBL_MAX, .max = DBL_MAX,
     .standard = "0", .help = "Added to every cell in each beat"},
    {HALO_OPTION_ROW(halo_heat_options, "tolerance", REAL, tolerance), .max = DBL_MAX,
     .standard = "0",
     .help = "If it is above 0: end with the first beat that changes no cell by more than this"},
    {HALO_OPTION_ROW(halo_heat_options, "dtype", CHOICE, dtype), .choices = "float64|float32",
     .standard = "float64", .flags = HALO_OPTION_INPUT_TYPE,
     .help = "What cells are: floating point numbers of 64 bits, or of 32; of 32 if --input has "
             "such, unless this is given"},
    {HALO_OPTION_ROW(halo_heat_options, "instructions", CHOICE, instructions),
     .choices = "avx512|avx2|plain",
     .help = "Instruction set of the inner loops, instead of the best there is"},
    {0}};

/* ---- the tables ------------------------------------------------------------------------------ */

/* One for each type of cells, without a tolerance and with one. */
typedef const halo_kernel *heat_tables[HEAT_TYPES][2];

static const heat_tables heat_all, heat3d_all;

static const halo_kernel *suited(const heat_tables *all, const void *options)
{
    const halo_heat_options *given = options;
    return (*all)[heat_type_of(given)][given != NULL && given->tolerance > 0];
}

static const halo_kernel *heat_suited(const void *options)
{
    return suited(&heat_all, options);
}

static const halo_kernel *heat3d_suited(const void *options)
{
    return suited(&heat3d_all, options);
}

#define CREATE_LIST(X)                             \
    X(create_double, HEAT_DOUBLE, false)           \
    X(create_double_converging, HEAT_DOUBLE, true) \
    X(create_float, HEAT_FLOAT, false)             \
    X(create_float_converging, HEAT_FLOAT, true)
#define DEFINE_CREATE(name, type, converges)                                            \
    static halo_status name(void **out, const halo_domain *domain, const void *options) \
    {                                                                                   \
        return create(out, domain, options, type, converges);                           \
    }
CREATE_LIST(DEFINE_CREATE)
#undef DEFINE_CREATE

#define HEAT(bits, create_, converges_)                                                           \
    .name = "heat", .help = "heat on a plate: each cell the mean of four", .axes = 2, .flops = 4, \
    .suited = heat_suited, HEAT_REST(bits, create_, converges_)
#define HEAT3D(bits, create_, converges_)                                                     \
    .name = "heat3d", .help = "heat in a block: each cell and its six neighbours", .axes = 3, \
    .flops = 8, .suited = heat3d_suited, HEAT_REST(bits, create_, converges_)
#define HEAT_REST(bits, create_, converges_)                                                 \
    .cell_bits = {(bits)}, .cell_kind = {HALO_FLOAT}, .depth = 1, .step = heat_step,         \
    .create = (create_), .converges = (converges_), .single = (converges_), .options = rows, \
    .options_bytes = sizeof(halo_heat_options), .destroy = halo_kernel_free_state,           \
    .start = heat_start, .adjust = heat_adjust, .white = 1

const halo_kernel halo_heat_kernel = {HEAT(64, create_double, false)};
const halo_kernel halo_heat3d_kernel = {HEAT3D(64, create_double, false)};

static const halo_kernel heat_converging = {HEAT(64, create_double_converging, true)},
                         heat_floats = {HEAT(32, create_float, false)},
                         heat_floats_converging = {HEAT(32, create_float_converging, true)},
                         heat3d_converging = {HEAT3D(64, create_double_converging, true)},
                         heat3d_floats = {HEAT3D(32, create_float, false)},
                         heat3d_floats_converging = {HEAT3D(32, create_float_converging, true)};

static const heat_tables heat_all = {{&halo_heat_kernel, &heat_converging},
                                     {&heat_floats, &heat_floats_converging}},
                         heat3d_all = {{&halo_heat3d_kernel, &heat3d_converging},
                                       {&heat3d_floats, &heat3d_floats_converging}};
