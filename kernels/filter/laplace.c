#include "kernels/filter/filters.h"
#include "kernels/filter/terms.h"

#include "base/memory.h"

/* The sum of second differences. */

typedef struct {
    filter_edge edge;
} laplace;

static const halo_option rows[] = {FILTER_EDGE_ROWS(laplace), {0}};

/* 1 -2 1 along one axis of each term. */
static halo_status make_line(const filter_step *step, int term, int axis, filter_line *line)
{
    if (axis != HALO_AXES - step->axes + term) {
        return HALO_OK;
    }
    line->radius = 1;
    HALO_TRY(HALO_ALLOCATE(line->weights, 2, "weights"));
    line->weights[0] = -2;
    line->weights[1] = 1;
    return HALO_OK;
}

static const filter_terms differences = {.make = make_line, .per_axis = true};

static halo_status resolve(filter_step *step)
{
    const laplace *l = step->params;
    filter_part part = {.edge = l->edge};
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        part.depth[axis] = 1;
    }
    filter_terms_resolve(step, &part, &differences);
    return HALO_OK;
}

const halo_filter filter_laplace = {
    .name = "laplace",
    .help = "Sum of the second differences along all axes. Whole numbers become float32",
    .authority = "scipy.ndimage.laplace",
    .examples = "laplace|laplace:mode=constant:cval=5|laplace:mode=wrap:dtype=float64",
    .params = rows,
    .params_bytes = sizeof(laplace),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .real = true,
    .resolve = resolve};
