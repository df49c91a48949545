#include "kernels/filter/gaussian.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Gaussians and their derivatives as weights, which are rounded correctly. */

enum { MOST_RADIUS = 1 << 20 };

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

/* The derivative of e^(-x^2 / (2 square)) is the function times a polynomial: its coefficients. */
static void make_polynomial(precise square, int order, precise q[FILTER_MOST_ORDER + 2])
{
    for (int i = 0; i < FILTER_MOST_ORDER + 2; i++) {
        q[i] = i == 0;
    }
    for (int k = 0; k < order; k++) {
        precise before = 0;
        for (int i = 0; i <= FILTER_MOST_ORDER; i++) {
            precise old = q[i];
            q[i] = (i + 1) * q[i + 1] - before / square;
            before = old;
        }
    }
}

static precise evaluate(const precise q[FILTER_MOST_ORDER + 2], precise x)
{
    precise value = 0;
    for (int i = FILTER_MOST_ORDER; i >= 0; i--) {
        value = value * x + q[i];
    }
    return value;
}

static int64_t radius_of(const filter_gaussians *g, double sigma)
{
    const double rounding = .5;
    return (int64_t)(g->truncate * sigma + rounding);
}

/* Weight i is that of sample i, and of sample -i, with the other sign if the order is odd: images
 * are correlated with the derivative of the mirrored function. */
static halo_status make_weights(const filter_gaussians *g, double sigma, int order,
                                filter_line *line)
{
    precise q[FILTER_MOST_ORDER + 2], sum = 1, *value, square = (precise)sigma * (precise)sigma;
    line->radius = radius_of(g, sigma);
    line->odd = order % 2 != 0;
    HALO_TRY(HALO_ALLOCATE(line->weights, line->radius + 1, "weights"));
    HALO_TRY(HALO_ALLOCATE(value, line->radius + 1, "weights"));
    make_polynomial(square, order, q);
    for (int64_t i = 0; i <= line->radius; i++) {
        value[i] = exponential(-(precise)(i * i) / (2 * square));
        sum += i > 0 ? 2 * value[i] : 0;
    }
    for (int64_t i = 0; i <= line->radius; i++) {
        line->weights[i] = (double)(value[i] / sum * evaluate(q, -(precise)i));
    }
    free(value);
    return HALO_OK;
}

halo_status filter_gaussians_make(const filter_gaussians *g, const filter_step *step, int axis,
                                  int order, filter_line *line)
{
    double sigma = filter_of_axis(&g->sigma, step, axis);
    return sigma > 0 ? make_weights(g, sigma, order, line) : HALO_OK;
}

halo_status filter_gaussians_resolve(const filter_step *step, bool positive, filter_part *part)
{
    const filter_gaussians *g = step->params;
    HALO_TRY(filter_check_per_axis(&g->sigma, step, "standard deviations"));
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        double sigma = filter_of_axis(&g->sigma, step, axis);
        double reach = sigma * g->truncate;
        if (sigma < 0 || !(reach < MOST_RADIUS) || (positive && sigma <= 0)) {
            return filter_refuse(step, "a standard deviation of %g is not possible; use %s %g",
                                 sigma, positive ? "more than 0, to" : "0 to",
                                 MOST_RADIUS / fmax(1, g->truncate));
        }
        part->depth[axis] = radius_of(g, sigma);
    }
    part->edge = g->edge;
    return HALO_OK;
}
