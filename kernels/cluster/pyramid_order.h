#ifndef HALOBEAT_CLUSTER_PYRAMID_ORDER_H
#define HALOBEAT_CLUSTER_PYRAMID_ORDER_H

#include "kernels/cluster/pyramid.h"

/* Pixels of a tile in the order of a k-d tree (J. L. Bentley, 1975). Internal to the kernel.
 *
 * A pixel is packed into fields of 16 bits: row * TILE + column in the tile, then values minus the
 * minimum possible one. With one value that is 32 bits, with three 64: half the size takes half the
 * time. */

typedef uint32_t pyramid_narrow;
typedef uint64_t pyramid_wide;

enum {
    FIELD = 16,
    PLACE_BITS = 7,
    TILE_PIXELS = TILE * TILE,
    ORDER_SLACK = MAX_LANES /* room after the pixels of a tile, since vectors extend beyond them */
};

INLINE bool pyramid_is_wide(const pyramid *p)
{
    return p->job->axes > 3;
}

INLINE size_t pyramid_packed_bytes(bool wide)
{
    return wide ? sizeof(pyramid_wide) : sizeof(pyramid_narrow);
}

INLINE pyramid_wide pyramid_packed_at(const void *pixels, int i, bool wide)
{
    return wide ? ((const pyramid_wide *)pixels)[i] : ((const pyramid_narrow *)pixels)[i];
}

INLINE void pyramid_packed_put(void *pixels, int i, bool wide, pyramid_wide pixel)
{
    if (wide) {
        ((pyramid_wide *)pixels)[i] = pixel;
    } else {
        ((pyramid_narrow *)pixels)[i] = (pyramid_narrow)pixel;
    }
}

/* Column, row, or a value minus the minimum possible one. */
INLINE int32_t pyramid_key(pyramid_wide pixel, int axis)
{
    return axis == 0   ? (int32_t)(pixel & (TILE - 1))
           : axis == 1 ? (int32_t)(pixel >> PLACE_BITS & (TILE - 1))
                       : (int32_t)(pixel >> ((axis - 1) * FIELD) & 0xffff);
}

/* Receives the pixels of the next leaf, 1 to LEAF. */
typedef void pyramid_take_leaf(void *context, const void *pixels, int n);

/* Local. Passes the leaves of a tile's `n` pixels to `take`, all with LEAF pixels but the last one.
 * `pixels` and `scratch` have room for TILE_PIXELS + ORDER_SLACK each; their content is lost. The
 * order is the same for every ISA. */
void pyramid_order(const pyramid *p, void *pixels, void *scratch, int n, pyramid_take_leaf *take,
                   void *context);

#endif
