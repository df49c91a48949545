#include "partition/peel.h"

/* Move `layers` layers from one side of `rest` to `edge`. */
static void peel_side(halo_box *rest, int axis, bool high, int64_t layers, halo_box *edge)
{
    *edge = *rest;
    edge->n[axis] = layers < rest->n[axis] ? layers : rest->n[axis];
    rest->n[axis] -= edge->n[axis];
    if (high) {
        edge->lo[axis] = rest->lo[axis] + rest->n[axis];
    } else {
        rest->lo[axis] += edge->n[axis];
    }
}

int halo_box_peel(const halo_box *box, const int before[HALO_AXES], const int after[HALO_AXES],
                  halo_box *interior, halo_box edges[HALO_EDGES])
{
    int count = 0;
    *interior = *box;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        for (int side = 0; side < 2; side++) {
            bool high = side == 1;
            peel_side(interior, axis, high, high ? after[axis] : before[axis], &edges[count]);
            if (halo_box_cells(&edges[count]) > 0) {
                count++;
            }
        }
    }
    return count;
}
