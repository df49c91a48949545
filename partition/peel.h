#ifndef HALOBEAT_PARTITION_PEEL_H
#define HALOBEAT_PARTITION_PEEL_H

#include "partition/box.h"

enum { HALO_EDGES = 2 * HALO_AXES }; /* of a box, at most */

/* Local, pure. Split a box into the interior, which is computed while the halo travels, and the
 * edges, which read the halo: `before[axis]` layers are peeled off the low side and `after[axis]`
 * off the high side of each axis, as far as there are any. Interior and edges do not overlap and
 * make up the box; empty edges are left out. `interior` may be empty. Returns the edges' number. */
int halo_box_peel(const halo_box *box, const int before[HALO_AXES], const int after[HALO_AXES],
                  halo_box *interior, halo_box edges[HALO_EDGES]);

#endif
