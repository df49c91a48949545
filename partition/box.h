#ifndef HALOBEAT_PARTITION_BOX_H
#define HALOBEAT_PARTITION_BOX_H

#include <stdbool.h>
#include <stdint.h>

enum { HALO_AXES = 3 };

/* The two ends of an axis: where its indices begin, and where they end. */
enum { HALO_LOW, HALO_HIGH, HALO_ENDS };

/* A rectangle of cells. Axis 0 is the slowest (rows in 2-D, planes in 3-D); unused axes have
 * n = 1. */
typedef struct {
    int64_t lo[HALO_AXES]; /* first cell */
    int64_t n[HALO_AXES];  /* cells */
} halo_box;

/* The whole grid. */
typedef struct {
    int axes;                 /* 1 to 3 */
    int64_t n[HALO_AXES];     /* cells; 1 on unused axes */
    bool periodic[HALO_AXES]; /* the last cell's next is the first */
} halo_domain;

/* Local. Do both hold the same cells? Where one holds none along an axis, its place there says
 * nothing. */
static inline bool halo_box_same(const halo_box *a, const halo_box *b)
{
    bool same = true;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        same = same && a->n[axis] == b->n[axis] && (a->n[axis] == 0 || a->lo[axis] == b->lo[axis]);
    }
    return same;
}

/* Local. Cells in a box. */
static inline int64_t halo_box_cells(const halo_box *box)
{
    return box->n[0] * box->n[1] * box->n[2];
}

#endif
