#ifndef HALOBEAT_TESTS_WALK_EXACT_H
#define HALOBEAT_TESTS_WALK_EXACT_H

#include "kernels/walk/walk.h"

/* Limits of walkers after infinitely many steps, without walking. A medium of at most
 * WALK_PICTURE_CELLS cells, as bytes. */
enum { WALK_PICTURE_CELLS = 1 << 14 };

typedef struct {
    int axes;
    int64_t n[HALO_WALK_AXES];
    halo_walk_edges edges[HALO_WALK_AXES];
    unsigned char fluid[WALK_PICTURE_CELLS]; /* 1 or 0, x first */
    double conductivity;                     /* of the solid */
    double spacing[HALO_WALK_AXES];          /* sizes of a cell; 0: cells are cubes */
} walk_picture;

/* All fluid. */
walk_picture walk_picture_make(int axes, int64_t x, int64_t y, int64_t z);

/* The cell at any place, or -1 for a wall: a second implementation of edges. */
int64_t walk_picture_cell(const walk_picture *picture, const int64_t place[HALO_WALK_AXES]);

/* Options for the kernel; the caller frees *bits. */
halo_walk_options walk_picture_options(const walk_picture *picture, uint64_t **bits);

/* Diffusivity along an axis of a periodic medium, relative to that of the fluid alone: the minimum
 * of the sum of g (d + c[j] - c[i])^2 over all pairs of neighbours i, j, divided by the number of
 * cells with walkers. d is 1 for pairs along the axis, otherwise 0; g is the conductance of a hop.
 * By conjugate gradients. */
double walk_exact_diffusivity(const walk_picture *picture, int axis);

/* The growth of the variance along x per step, for walkers in a channel with velocity u[rows] in
 * each row. */
double walk_exact_dispersion(const double *u, int rows);

#endif
