#include "support/walk_exact.h"

#include <math.h>
#include <stdlib.h>

walk_picture walk_picture_make(int axes, int64_t x, int64_t y, int64_t z)
{
    walk_picture picture = {.axes = axes, .n = {x, y, z}};
    for (int64_t i = 0; i < x * y * z; i++) {
        picture.fluid[i] = 1;
    }
    return picture;
}

int64_t walk_picture_cell(const walk_picture *picture, const int64_t place[HALO_WALK_AXES])
{
    int64_t cell = 0;
    for (int axis = picture->axes - 1; axis >= 0; axis--) {
        int64_t n = picture->n[axis], at = place[axis], copy = 0;
        for (; at < 0; at += n) {
            copy++;
        }
        for (; at >= n; at -= n) {
            copy++;
        }
        if (picture->edges[axis] == HALO_WALK_REFLECTING && copy > 0) {
            return -1;
        }
        if (picture->edges[axis] == HALO_WALK_MIRRORED && copy % 2 == 1) {
            at = n - 1 - at;
        }
        cell = cell * n + at;
    }
    return cell;
}

halo_walk_options walk_picture_options(const walk_picture *picture, uint64_t **bits)
{
    enum { WORD = 64 };
    const int64_t *n = picture->n, words = (n[0] + WORD - 1) / WORD;
    halo_walk_options options = {
        .axes = picture->axes,
        .n = {n[0], n[1], n[2]},
        .edges = {picture->edges[0], picture->edges[1], picture->edges[2]},
        .conductivity = picture->conductivity,
        .spacing = {picture->spacing[0], picture->spacing[1], picture->spacing[2]}};
    *bits = calloc((size_t)(words * n[1] * n[2]), sizeof **bits);
    for (int64_t i = 0; i < n[0] * n[1] * n[2] && *bits != NULL; i++) {
        int64_t x = i % n[0];
        (*bits)[i / n[0] * words + x / WORD] |= (uint64_t)picture->fluid[i] << (x % WORD);
    }
    options.fluid = *bits;
    return options;
}

/* ---- diffusivity ----------------------------------------------------------------------------- */

static double conductance(const walk_picture *picture, int64_t i, int64_t j)
{
    double k = picture->conductivity, max = k > 1 ? k : 1;
    double a = (picture->fluid[i] ? 1 : k) / max, b = (picture->fluid[j] ? 1 : k) / max;
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

/* Faces are as large as cells are along other axes, and their centres as far apart as along this.
 */
static double weight_of(const walk_picture *picture, int axis)
{
    double size = picture->spacing[axis];
    return size > 0 ? 1 / (size * size) : 1;
}

static int64_t next_cell(const walk_picture *picture, int64_t i, int axis)
{
    const int64_t *n = picture->n;
    int64_t place[HALO_WALK_AXES] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    place[axis]++;
    return walk_picture_cell(picture, place);
}

/* out = the Laplacian of c, and the sum of the squares, with d along `axis` (-1: nowhere). */
static double apply(const walk_picture *picture, int axis, const double *c, double *out)
{
    int64_t cells = picture->n[0] * picture->n[1] * picture->n[2];
    double sum = 0;
    for (int64_t i = 0; i < cells; i++) {
        out[i] = 0;
    }
    for (int64_t i = 0; i < cells; i++) {
        for (int a = 0; a < picture->axes; a++) {
            int64_t j = next_cell(picture, i, a);
            double g = conductance(picture, i, j) * weight_of(picture, a);
            double across = (a == axis ? 1 : 0) + c[j] - c[i];
            out[i] -= g * across;
            out[j] += g * across;
            sum += g * across * across;
        }
    }
    return sum;
}

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

double walk_exact_diffusivity(const walk_picture *picture, int axis)
{
    enum { ROUNDS = 20000 };
    static double c[WALK_PICTURE_CELLS], r[WALK_PICTURE_CELLS], p[WALK_PICTURE_CELLS],
        q[WALK_PICTURE_CELLS];
    int64_t cells = picture->n[0] * picture->n[1] * picture->n[2], started = 0;
    for (int64_t i = 0; i < cells; i++) {
        c[i] = 0;
        started += picture->fluid[i] || picture->conductivity > 0;
    }
    apply(picture, axis, c, r);
    for (int64_t i = 0; i < cells; i++) {
        p[i] = r[i] = -r[i];
    }
    double left = dot(r, r, cells), first = left;
    for (int round = 0; round < ROUNDS && left > 1e-24 * first; round++) {
        apply(picture, -1, p, q);
        double step = left / dot(p, q, cells), before = left;
        for (int64_t i = 0; i < cells; i++) {
            c[i] += step * p[i];
            r[i] -= step * q[i];
        }
        left = dot(r, r, cells);
        for (int64_t i = 0; i < cells; i++) {
            p[i] = r[i] + left / before * p[i];
        }
    }
    double k = picture->conductivity;
    return apply(picture, axis, c, q) / weight_of(picture, axis) / (double)started *
           (k > 1 ? k : 1);
}

/* ---- dispersion ------------------------------------------------------------------------------ */

/* 1/2 - U^2 + 8 <u', L+ u'> / h, L the Laplacian of a path of h cells, u' = u - U: c = L+ u' has
 * differences that are sums of u'. */
double walk_exact_dispersion(const double *u, int rows)
{
    double mean = 0, c = 0, slope = 0, product = 0;
    for (int i = 0; i < rows; i++) {
        mean += u[i] / rows;
    }
    for (int i = 0; i < rows; i++) {
        product += (u[i] - mean) * c;
        slope -= u[i] - mean;
        c += slope;
    }
    return .5 - mean * mean + 8 * product / rows;
}
