#ifndef HALOBEAT_PARTITION_TILES_H
#define HALOBEAT_PARTITION_TILES_H

#include "partition/box.h"

#include <stddef.h>

/* Several beats in one pass over the cells, tile by tile, so that cells stay in the cache from beat
 * to beat. The tile of each beat is shifted by the kernel's depth towards low indices against the
 * one of the beat before, so that what it reads was computed by this tile or an earlier one. With
 * two copies of the cells, one read and one written, nothing is overwritten that is still needed: a
 * tile writes beat b + 2 over beat b only after all its neighbours have done so. (Time skewing: J.
 * McCalpin and D. Wonnacott, 1999; the parallelograms of M. Wolfe's loop skewing, 1986.) All
 * functions are local and pure. */
typedef struct {
    int beats; /* 1 or more */
    int depth; /* cells read around a cell in a beat */
    /* [beats] the cells of each beat. The box of a beat, extended by `depth` on all sides, lies in
     * that of the beat before, except cells that need not be computed. */
    const halo_box *boxes;
    int64_t size[HALO_AXES]; /* size of a tile; 0 for an axis that is not tiled */
} halo_tiles;

typedef struct {
    /* Computes `box`, never empty, at `beat` (0 to beats - 1). */
    void (*compute)(void *context, int beat, const halo_box *box);
    /* Called when all tiles with these layers of axis 0 are done, averaged over the beats; or
     * NULL. */
    void (*pass)(void *context, int64_t lo, int64_t hi);
    void *context;
} halo_tile_visitor;

void halo_tiles_walk(const halo_tiles *tiles, const halo_tile_visitor *visitor);

/* Chooses sizes such that what a tile reads and writes fits `cache_bytes` if possible, for cells of
 * `cell_bytes` (of all fields and both copies) in `cells`. The last axis is tiled only if there are
 * two axes and rows are too long; with a single beat nothing is tiled. `whole` names axes that must
 * not be tiled. */
void halo_tiles_choose(halo_tiles *tiles, const halo_box *cells, int axes, size_t cell_bytes,
                       size_t cache_bytes, const bool whole[HALO_AXES]);

#endif
