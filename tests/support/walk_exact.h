#ifndef HALOBEAT_TESTS_WALK_EXACT_H
#define HALOBEAT_TESTS_WALK_EXACT_H

#include "kernels/walk/walk.h"

/* What walkers come to after endless steps, without walking. A medium of at most WALK_PICTURE_CELLS
 * cells, as bytes. */
enum { WALK_PICTURE_CELLS = 1 << 14 };

typedef struct {
    int axes;
    int64_t n[HALO_WALK_AXES];
    halo_walk_edges edges[HALO_WALK_AXES];
    unsigned char fluid[WALK_PICTURE_CELLS]; /* 1 or 0, x first */
    double conductivity;                     /* of the solid */
} walk_picture;

/* All fluid. */
walk_picture walk_picture_make(int axes, int64_t x, int64_t y, int64_t z);

/* The cell at a place anywhere, or -1 for a wall: what edges mean, once more. */
int64_t walk_picture_cell(const walk_picture *picture, const int64_t place[HALO_WALK_AXES]);

/* As the kernel wants it; `bits` is its own afterwards, for free. */
halo_walk_options walk_picture_options(const walk_picture *picture, uint64_t **bits);

/* Diffusivity along an axis of a periodic medium, where that of the fluid alone is 1: the least sum
 * of g (d + c[j] - c[i])^2 over all pairs of neighbours i, j, divided by the number of cells
 * where walkers are; d is 1 for pairs along the axis, else 0, and g what a hop lets through. By
 * conjugate gradients. */
double walk_exact_diffusivity(const walk_picture *picture, int axis);

/* How the variance along x grows with each step, of walkers in a channel of so many rows with the
 * velocity u[rows] in each. */
double walk_exact_dispersion(const double *u, int rows);

#endif
