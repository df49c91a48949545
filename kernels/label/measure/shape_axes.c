#include "kernels/label/measure/shape.h"

#include <math.h>

/* From sums to lengths and angles. */

double halo_shape_perimeter(const halo_shape *shape)
{
    double diagonal = sqrt(2);
    return (double)shape->border[0] + (double)shape->border[1] * diagonal +
           (double)shape->border[2] * ((1 + diagonal) / 2);
}

/* The inertia tensor that scikit-image begins with has the same eigenvalues in two axes. */
static halo_shape_axes find_flat(double rows, double columns, double both)
{
    double mean = (rows + columns) / 2, apart = hypot((rows - columns) / 2, both);
    double major = mean + apart, product = rows * columns - both * both;
    double minor = major > 0 && product > 0 ? product / major : 0;
    halo_shape_axes axes = {.major = 4 * sqrt(major),
                            .minor = 4 * sqrt(minor),
                            .eccentricity = major > 0 ? sqrt(1 - fmin(minor / major, 1)) : 0};
    if (rows == columns) { /* atan2(0, 0) would be 0 */
        axes.orientation = both > 0 ? atan(1) : -atan(1);
    } else {
        axes.orientation = atan2(2 * both, rows - columns) / 2;
    }
    return axes;
}

/* Turn the plane of axes p and q so that nothing is left at (p, q). */
static void rotate(double matrix[HALO_AXES][HALO_AXES], int p, int q)
{
    double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
    double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
    double cosine = 1 / hypot(t, 1), sine = t * cosine;
    int r = HALO_AXES - p - q; /* the third axis */
    double along_p = matrix[r][p], along_q = matrix[r][q], moved = t * matrix[p][q];
    matrix[p][p] -= moved;
    matrix[q][q] += moved;
    matrix[p][q] = matrix[q][p] = 0;
    matrix[r][p] = matrix[p][r] = cosine * along_p - sine * along_q;
    matrix[r][q] = matrix[q][r] = sine * along_p + cosine * along_q;
}

/* Jacobi's method keeps the digits of small eigenvalues, of flat regions. The eigenvalues of the
 * inertia tensor are sums of two of these: scikit-image's formulas come to the same. */
static halo_shape_axes find_solid(double matrix[HALO_AXES][HALO_AXES])
{
    enum { SWEEPS = 16 }; /* convergence is quadratic: about five are needed */
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int p = 0; p < HALO_AXES; p++) {
            for (int q = p + 1; q < HALO_AXES; q++) {
                if (fabs(matrix[p][q]) > 0) {
                    rotate(matrix, p, q);
                }
            }
        }
    }
    double most = fmax(fmax(matrix[0][0], matrix[1][1]), matrix[2][2]);
    double least = fmin(fmin(matrix[0][0], matrix[1][1]), matrix[2][2]);
    enum { TWENTY = 20 };
    return (halo_shape_axes){.major = sqrt(TWENTY * fmax(most, 0)),
                             .minor = sqrt(TWENTY * fmax(least, 0))};
}

halo_shape_axes halo_shape_find_axes(const halo_shape *shape, int axes,
                                     const double size[HALO_AXES])
{
    const double *c = shape->covariance;
    double rows = c[1] * size[1] * size[1], columns = c[2] * size[2] * size[2];
    double rows_columns = c[5] * size[1] * size[2];
    bool solid = axes == HALO_AXES;
    if (isnan(rows + columns) || (solid && isnan(c[0]))) {
        return (halo_shape_axes){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    }
    if (!solid) {
        return find_flat(rows, columns, rows_columns);
    }
    double planes = c[0] * size[0] * size[0], planes_rows = c[3] * size[0] * size[1];
    double planes_columns = c[4] * size[0] * size[2];
    double matrix[HALO_AXES][HALO_AXES] = {{planes, planes_rows, planes_columns},
                                           {planes_rows, rows, rows_columns},
                                           {planes_columns, rows_columns, columns}};
    return find_solid(matrix);
}
