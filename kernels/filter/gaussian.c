#include "kernels/filter/linear.h"

#include "base/memory.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/per_axis.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The Gaussian filter of scipy.ndimage: its radius, its order of additions, and weights that are
 * rounded correctly. */

enum { MOST_RADIUS = 1 << 20 };

typedef struct {
    filter_per_axis sigma;
    double truncate;
    filter_edge edge;
} gaussian;

#define ROW(option, kind, member) HALO_OPTION_ROW(gaussian, option, kind, member)

static const halo_option rows[] = {
    {ROW("sigma", CUSTOM, sigma), .parse = filter_parse_per_axis, .value = "S|S,S,S",
     .takes = FILTER_PER_AXIS_TAKES, .required = "it needs a standard deviation: gaussian:2",
     .help =
         "Standard deviation in pixels, of all axes or of each: planes, rows, columns; 0 leaves "
         "an axis as it is"},
    {ROW("truncate", REAL, truncate), .min = 0, .max = 1000, .standard = "4",
     .help = "Weights end at so many standard deviations"},
    FILTER_EDGE_ROWS(gaussian),
    {0}};

/* ---- weights --------------------------------------------------------------------------------- */

/* Numbers with more digits than a double, so that what is rounded at the end is rounded once. */
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 precise;
#else
typedef long double precise;
#endif

/* e to the x, for x up to 0: its series where it converges at once, squared as often as x was
 * halved. */
static precise exponential(precise x)
{
    enum { HALVINGS = 12, TERMS = 16 };
    precise part = x / (precise)(1 << HALVINGS), sum = 1;
    for (int i = TERMS; i > 0; i--) {
        sum = 1 + sum * part / i;
    }
    for (int i = 0; i < HALVINGS; i++) {
        sum *= sum;
    }
    return sum;
}

static int64_t radius_of(const gaussian *g, double sigma)
{
    const double rounding = .5;
    return (int64_t)(g->truncate * sigma + rounding);
}

static halo_status make_weights(const gaussian *g, double sigma, filter_line *line)
{
    precise sum = 1, *value, square = (precise)sigma * (precise)sigma;
    line->radius = radius_of(g, sigma);
    HALO_TRY(HALO_ALLOCATE(line->weights, line->radius + 1, "weights"));
    HALO_TRY(HALO_ALLOCATE(value, line->radius + 1, "weights"));
    for (int64_t i = 0; i <= line->radius; i++) {
        value[i] = exponential(-(precise)(i * i) / (2 * square));
        sum += i > 0 ? 2 * value[i] : 0;
    }
    for (int64_t i = 0; i <= line->radius; i++) {
        line->weights[i] = (double)(value[i] / sum);
    }
    free(value);
    return HALO_OK;
}

static halo_status make_lines(const filter_step *step, const filter_part *part,
                              filter_line line[HALO_AXES])
{
    const gaussian *g = step->params;
    (void)part;
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        double sigma = filter_of_axis(&g->sigma, step, axis);
        if (sigma > 0) {
            HALO_TRY(make_weights(g, sigma, &line[axis]));
        }
    }
    return HALO_OK;
}

/* ---- the filter ------------------------------------------------------------------------------ */

static halo_status create(void **state, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    return filter_linear_create(state, step, part, instructions, make_lines);
}

static halo_status resolve(filter_step *step)
{
    const gaussian *g = step->params;
    filter_part part = {.rows = filter_linear_rows,
                        .create = create,
                        .destroy = filter_linear_destroy,
                        .planes = FILTER_LINEAR_PLANES,
                        .edge = g->edge};
    HALO_TRY(filter_check_per_axis(&g->sigma, step, "standard deviations"));
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        double sigma = filter_of_axis(&g->sigma, step, axis);
        double reach = sigma * g->truncate;
        if (sigma < 0 || !(reach < MOST_RADIUS)) {
            return filter_refuse(step, "a standard deviation of %g is not possible; use 0 to %g",
                                 sigma, MOST_RADIUS / fmax(1, g->truncate));
        }
        part.depth[axis] = radius_of(g, sigma);
    }
    filter_add_part(step, &part);
    return HALO_OK;
}

const halo_filter filter_gaussian = {
    .name = "gaussian",
    .help = "Smooth by a Gaussian. Whole numbers are rounded once, at the end, to the nearest",
    .authority = "scipy.ndimage.gaussian_filter",
    .examples = "gaussian:2|gaussian:.8:mode=constant:cval=3|gaussian:1.5:mode=wrap|"
                "gaussian:3:truncate=1:mode=mirror|gaussian:1:dtype=float32|gaussian:0",
    .params = rows,
    .params_bytes = sizeof(gaussian),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .resolve = resolve};
