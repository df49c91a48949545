#include "kernels/filter/gaussian.h"

#include "kernels/filter/filters.h"
#include "kernels/filter/terms.h"

/* The Gaussian filters of scipy.ndimage: their radius, their order of additions, and weights that
 * are rounded correctly. */

/* ---- smoothing, and derivatives along axes --------------------------------------------------- */

static const halo_option rows[] = {
    FILTER_SIGMA_ROW("gaussian:2", "; 0 leaves an axis as it is"),
    {FILTER_GAUSSIANS_ROW("order", CUSTOM, order), .parse = filter_parse_per_axis,
     .value = "N|N,N,N", .takes = FILTER_PER_AXIS_TAKES, .standard = "0",
     .help = "Order of the derivative, of all axes or of each; 0 smooths"},
    FILTER_TRUNCATE_ROW,
    FILTER_EDGE_ROWS(filter_gaussians),
    {0}};

static halo_status make_line(const filter_step *step, int term, int axis, filter_line *line)
{
    const filter_gaussians *g = step->params;
    (void)term;
    return filter_gaussians_make(g, step, axis, (int)filter_of_axis(&g->order, step, axis), line);
}

static halo_status check_order(filter_step *step)
{
    const filter_gaussians *g = step->params;
    HALO_TRY(filter_check_per_axis(&g->order, step, "orders"));
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        double order = filter_of_axis(&g->order, step, axis);
        if (!(order >= 0 && order <= FILTER_MOST_ORDER) || order > (int)order) {
            return filter_refuse(step, "a derivative of order %g is not possible; use 0 to %d",
                                 order, FILTER_MOST_ORDER);
        }
        /* Derivatives are reals. */
        if (order > 0 && !step->typed && !halo_sample_types[step->in].real) {
            step->out = HALO_SAMPLE_F32;
        }
    }
    return HALO_OK;
}

static const filter_terms smoothing = {.make = make_line};

static halo_status resolve(filter_step *step)
{
    filter_part part = {0};
    HALO_TRY(check_order(step));
    HALO_TRY(filter_gaussians_resolve(step, false, &part));
    filter_terms_resolve(step, &part, &smoothing);
    return HALO_OK;
}

static bool smooths(const filter_step *step)
{
    const filter_gaussians *g = step->params;
    bool all = g->edge.mode != FILTER_CONSTANT;
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        all = all && !(filter_of_axis(&g->order, step, axis) > 0);
    }
    return all;
}

const halo_filter filter_gaussian = {
    .name = "gaussian",
    .help = "Smooth by a Gaussian. Whole numbers are rounded once, at the end, to the nearest; "
            "those of derivatives become float32",
    .authority = "scipy.ndimage.gaussian_filter",
    .examples = "gaussian:2|gaussian:.8:mode=constant:cval=3|gaussian:1.5:mode=wrap|"
                "gaussian:3:truncate=1:mode=mirror|gaussian:1:dtype=float32|gaussian:0|"
                "gaussian:1.2:order=1|gaussian:1:order=2:mode=nearest:dtype=float64",
    .params = rows,
    .params_bytes = sizeof(filter_gaussians),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .smooths = smooths,
    .resolve = resolve};

/* ---- sums of derivatives --------------------------------------------------------------------- */

static const halo_option laplace_rows[] = {FILTER_SIGMA_ROW("gaussian_laplace:2", ""),
                                           FILTER_TRUNCATE_ROW,
                                           FILTER_EDGE_ROWS(filter_gaussians),
                                           {0}};
static const halo_option magnitude_rows[] = {FILTER_SIGMA_ROW("gaussian_gradient_magnitude:2", ""),
                                             FILTER_TRUNCATE_ROW,
                                             FILTER_EDGE_ROWS(filter_gaussians),
                                             {0}};

/* Each term has a derivative along one axis. */
static int order_of(const filter_step *step, int term, int axis, int order)
{
    return axis == HALO_AXES - step->axes + term ? order : 0;
}

static halo_status make_second(const filter_step *step, int term, int axis, filter_line *line)
{
    return filter_gaussians_make(step->params, step, axis, order_of(step, term, axis, 2), line);
}

static halo_status make_first(const filter_step *step, int term, int axis, filter_line *line)
{
    return filter_gaussians_make(step->params, step, axis, order_of(step, term, axis, 1), line);
}

static const filter_terms second = {.make = make_second, .per_axis = true};
static const filter_terms first = {
    .make = make_first, .per_axis = true, .combination = FILTER_MAGNITUDE};

static halo_status resolve_laplace(filter_step *step)
{
    filter_part part = {0};
    HALO_TRY(filter_gaussians_resolve(step, true, &part));
    filter_terms_resolve(step, &part, &second);
    return HALO_OK;
}

static halo_status resolve_magnitude(filter_step *step)
{
    filter_part part = {0};
    HALO_TRY(filter_gaussians_resolve(step, true, &part));
    filter_terms_resolve(step, &part, &first);
    return HALO_OK;
}

const halo_filter filter_gaussian_laplace = {
    .name = "gaussian_laplace",
    .help = "Laplacian of a Gaussian: bright blobs of its size become minima. Whole numbers "
            "become float32",
    .authority = "scipy.ndimage.gaussian_laplace",
    .examples = "gaussian_laplace:1|gaussian_laplace:.7:mode=constant:cval=9|"
                "gaussian_laplace:1.5:mode=wrap:dtype=float64",
    .params = laplace_rows,
    .params_bytes = sizeof(filter_gaussians),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .real = true,
    .resolve = resolve_laplace};

const halo_filter filter_gaussian_gradient_magnitude = {
    .name = "gaussian_gradient_magnitude",
    .help = "Steepness of the image smoothed by a Gaussian. Whole numbers become float32",
    .authority = "scipy.ndimage.gaussian_gradient_magnitude",
    .examples = "gaussian_gradient_magnitude:1|gaussian_gradient_magnitude:.6:mode=mirror|"
                "gaussian_gradient_magnitude:1.5:mode=wrap:dtype=float64",
    .params = magnitude_rows,
    .params_bytes = sizeof(filter_gaussians),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .real = true,
    .resolve = resolve_magnitude};
