#include "kernels/filter/uniform.h"

#include "kernels/filter/filters.h"
#include "kernels/filter/per_axis.h"

/* Means of boxes. */

enum { MOST_SIZE = 1 << 20 };

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_uniform_ops, AVX512);

static const halo_isa_variant columns_variants[] = HALO_ISA_VARIANTS(filter_columns_ops, AVX512);

typedef struct {
    filter_per_axis size;
    filter_edge edge;
} uniform;

static const halo_option rows[] = {
    {HALO_OPTION_ROW(uniform, "size", CUSTOM, size), .parse = filter_parse_per_axis,
     .value = "N|N,N,N", .takes = FILTER_PER_AXIS_TAKES,
     .required = "it needs the size of the box: uniform:3",
     .help = "Samples of the box along all axes or along each: planes, rows, columns"},
    FILTER_EDGE_ROWS(uniform),
    {0}};

static void find_windows(const filter_step *step, filter_window window[HALO_AXES])
{
    const uniform *u = step->params;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        bool has = axis >= HALO_AXES - step->axes;
        window[axis].size = has ? (int64_t)filter_of_axis(&u->size, step, axis) : 1;
        window[axis].before = window[axis].size / 2;
    }
}

static halo_status create(void **state, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    const halo_isa_variant *variant, *columns;
    filter_window window[HALO_AXES];
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    HALO_TRY(halo_isa_pick(&columns, columns_variants, instructions));
    find_windows(step, window);
    return halo_sample_types[part->in].real
               ? filter_real_means_create(state, step, part, variant->ops, columns->ops, window)
               : filter_whole_means_create(state, step, part, variant->ops, window);
}

static halo_status resolve(filter_step *step)
{
    const uniform *u = step->params;
    bool real = halo_sample_types[step->in].real;
    filter_part part = {.rows = real ? filter_real_means_rows : filter_whole_means_rows,
                        .create = create,
                        .destroy = real ? filter_real_means_destroy : filter_whole_means_destroy,
                        .edge = u->edge};
    HALO_TRY(filter_check_per_axis(&u->size, step, "sizes"));
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        double size = filter_of_axis(&u->size, step, axis);
        if (!(size >= 1 && size <= MOST_SIZE) || size > (double)(int64_t)size) {
            return filter_refuse(step, "a box of %g samples is not possible; use 1 to %d", size,
                                 MOST_SIZE);
        }
        part.depth[axis] = (int64_t)size / 2;
    }
    filter_add_part(step, &part);
    return HALO_OK;
}

static bool smooths(const filter_step *step)
{
    return ((const uniform *)step->params)->edge.mode != FILTER_CONSTANT;
}

const halo_filter filter_uniform = {
    .name = "uniform",
    .help = "Mean of a box. Whole numbers are rounded once, at the end, to the nearest",
    .authority = "scipy.ndimage.uniform_filter",
    .examples = "uniform:3|uniform:4:mode=constant:cval=3|uniform:7:mode=wrap|uniform:1|"
                "uniform:5:mode=mirror:dtype=float32|uniform:9:mode=nearest",
    .params = rows,
    .params_bytes = sizeof(uniform),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .smooths = smooths,
    .resolve = resolve};
