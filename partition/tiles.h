#ifndef HALOBEAT_PARTITION_TILES_H
#define HALOBEAT_PARTITION_TILES_H

#include "partition/box.h"

#include <stddef.h>

/* Several beats in one pass over the cells, tile by tile, so that cells stay in the cache from beat
 * to beat. Tiles lean back: each beat's is moved by the kernel's depth towards low indices against
 * that of the beat before, so that what it reads has been computed by this tile or an earlier
 * one. With two copies of the cells, one read while the other is written, nothing is overwritten
 * that is still to be read: a tile writes beat b + 2 over beat b only where all its neighbours
 * have been there. (Time skewing: J. McCalpin and D. Wonnacott, 1999; the parallelograms of M.
 * Wolfe's loop skewing, 1986.) All functions are local and pure. */
typedef struct {
    int beats; /* at least 1 */
    int depth; /* cells that a beat reads around a cell */
    /* [beats] cells of each beat; those of a beat, `depth` cells wider on all sides, lie in those
     * of the beat before or hold what need not be computed. */
    const halo_box *boxes;
    int64_t size[HALO_AXES]; /* of a tile; 0 for an axis that is not tiled */
} halo_tiles;

typedef struct {
    /* Compute `box`, never empty, at `beat` (0 to beats - 1). */
    void (*compute)(void *context, int beat, const halo_box *box);
    /* All tiles with these layers of axis 0 are through, in the mean of the beats; or NULL. */
    void (*pass)(void *context, int64_t lo, int64_t hi);
    void *context;
} halo_tile_visitor;

void halo_tiles_walk(const halo_tiles *tiles, const halo_tile_visitor *visitor);

/* Sizes with which what a tile reads and writes fits into `cache_bytes` as far as that can be, for
 * cells of `cell_bytes` (of all fields and both copies) in `cells`: the last axis is tiled only
 * where there are two and its rows are too long; with a single beat nothing is. `whole` names
 * axes that must not be tiled. */
void halo_tiles_choose(halo_tiles *tiles, const halo_box *cells, int axes, size_t cell_bytes,
                       size_t cache_bytes, const bool whole[HALO_AXES]);

#endif
