#ifndef HALOBEAT_PARTITION_PEEL_H
#define HALOBEAT_PARTITION_PEEL_H

#include "partition/box.h"

enum { HALO_EDGES = 2 * HALO_AXES }; /* maximum number of edges of a box */

/* Local, pure. Splits a box into the interior, which is computed while the halo is under way, and
 * the edges, which read the halo: `before[axis]` layers at the low side and `after[axis]` at the
 * high side of each axis, as far as there are any. Interior and edges are disjoint and cover the
 * box; empty edges are omitted, and `interior` may be empty. Returns the number of edges. */
int halo_box_peel(const halo_box *box, const int before[HALO_AXES], const int after[HALO_AXES],
                  halo_box *interior, halo_box edges[HALO_EDGES]);

#endif
