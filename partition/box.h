#ifndef HALOBEAT_PARTITION_BOX_H
#define HALOBEAT_PARTITION_BOX_H

#include <stdbool.h>
#include <stdint.h>

enum { HALO_AXES = 3 };

/* The two ends of an axis: the low indices and the high ones. */
enum { HALO_LOW, HALO_HIGH, HALO_ENDS };

/* A box of cells. Axis 0 is the slowest in memory (rows in 2-D, planes in 3-D); unused axes have n
 * = 1. */
typedef struct {
    int64_t lo[HALO_AXES]; /* first cell */
    int64_t n[HALO_AXES];  /* number of cells */
} halo_box;

/* The whole grid of cells. */
typedef struct {
    int axes;                 /* 1 to 3 */
    int64_t n[HALO_AXES];     /* number of cells; 1 on unused axes */
    bool periodic[HALO_AXES]; /* the first cell is the neighbour of the last */
} halo_domain;

/* Local. True if both boxes hold the same cells. Where n is 0, lo is ignored. */
static inline bool halo_box_same(const halo_box *a, const halo_box *b)
{
    bool same = true;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        same = same && a->n[axis] == b->n[axis] && (a->n[axis] == 0 || a->lo[axis] == b->lo[axis]);
    }
    return same;
}

/* Local. The number of cells in a box. */
static inline int64_t halo_box_cells(const halo_box *box)
{
    return box->n[0] * box->n[1] * box->n[2];
}

/* Local. The cells that two boxes have in common; n is 0 on axes where they do not meet. */
static inline halo_box halo_box_intersection(const halo_box *a, const halo_box *b)
{
    halo_box both;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t a_end = a->lo[axis] + a->n[axis], b_end = b->lo[axis] + b->n[axis];
        int64_t lo = a->lo[axis] > b->lo[axis] ? a->lo[axis] : b->lo[axis];
        int64_t end = a_end < b_end ? a_end : b_end;
        both.lo[axis] = lo;
        both.n[axis] = end > lo ? end - lo : 0;
    }
    return both;
}

#endif
