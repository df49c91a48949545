#ifndef HALOBEAT_MOTION_PARTS_H
#define HALOBEAT_MOTION_PARTS_H

#include "base/status.h"
#include "kernels/motion/match_ops.h"

#include <stdbool.h>
#include <stdint.h>

/* The clusters of a frame for matching, in pieces: one for each tile of 16 x 16 pixels in which a
 * cluster has pixels. Internal to the motion kernel. */

#define MOTION_UNKNOWN INT64_MAX /* a cost that is unknown */

enum { MOTION_NEAR = 12 }; /* maximum number of neighbours of a cluster */

/* A shift in whole pixels, right and down. */
typedef struct {
    int16_t u, v;
} motion_shift;

/* The motion found. */
typedef struct {
    int32_t u, v;           /* whole pixels, right and down */
    int32_t fine_u, fine_v; /* 256ths of a pixel; set at the end */
    int64_t cost;           /* see match.h; MOTION_UNKNOWN if unknown */
    int64_t compared;
} motion_found;

/* A piece, in the form in which it is sent. */
typedef struct {
    int32_t cluster;
    int32_t x, y;   /* first pixel of its tile */
    int32_t shifts; /* number of shifts to try in this beat */
    motion_found found;
    uint32_t rows[MOTION_WINDOW]; /* its cluster's pixels in the window around the tile: pixel (x
                                   * - MOTION_RING + i, y - MOTION_RING + j) is bit i of rows[j] */
} motion_piece;

typedef struct {
    int64_t first, count; /* its pieces in `order` */
    motion_found found;
    bool changed; /* in the last beat */
} motion_cluster;

typedef struct {
    int rows, columns, clusters;
    int tile_rows, tile_columns;
    motion_piece *pieces; /* [count], tile by tile */
    int64_t count;
    bool *changed;         /* [count] changed in the last beat */
    int64_t *tiles;        /* [tiles + 1] first piece of each tile */
    int64_t *order;        /* [count] pieces, cluster by cluster */
    motion_cluster *table; /* [clusters] */
    int32_t *near;         /* neighbours, closest first: those of cluster k from near_first[k] on */
    int64_t *near_first;   /* [clusters + 1] */
} motion_parts;

/* Local. Creates parts from labels [rows * columns], 0 to clusters - 1. HALO_MEMORY. */
halo_status motion_parts_create(motion_parts *parts, const uint16_t *labels, int rows, int columns,
                                int clusters);

/* Local. Accepts zeroed parts. */
void motion_parts_free(motion_parts *parts);

/* Local. The number of the tile's 16 x 16 pixels that belong to the piece. */
int motion_piece_pixels(const motion_piece *piece);

#endif
