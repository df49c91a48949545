#ifndef HALOBEAT_MOTION_PARTS_H
#define HALOBEAT_MOTION_PARTS_H

#include "base/status.h"
#include "kernels/motion/match_ops.h"

#include <stdbool.h>
#include <stdint.h>

/* The clusters of a frame as they are matched: in pieces, one for each tile of 16 x 16 pixels that
 * a cluster has pixels in. Internal to the motion kernel. */

#define MOTION_UNKNOWN INT64_MAX /* a cost */

enum { MOTION_NEAR = 12 }; /* most neighbours of a cluster that are asked */

/* Whole pixels right and down. */
typedef struct {
    int16_t u, v;
} motion_shift;

/* Where something was found. */
typedef struct {
    int32_t u, v;           /* whole pixels right, down */
    int32_t fine_u, fine_v; /* 256ths of a pixel, once they are known */
    int64_t cost;           /* of what is compared, see match.h; MOTION_UNKNOWN */
    int64_t compared;
} motion_found;

/* A piece, as it travels. */
typedef struct {
    int32_t cluster;
    int32_t x, y;   /* its tile's first pixel */
    int32_t shifts; /* that are to be tried in this beat */
    motion_found found;
    uint32_t rows[MOTION_WINDOW]; /* its cluster's pixels in the window around the tile: pixel
                                   * (x - MOTION_RING + i, y - MOTION_RING + j) is bit i of j */
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
    bool *changed;         /* [count]: in the last beat */
    int64_t *tiles;        /* [tiles + 1]: a tile's first piece */
    int64_t *order;        /* [count]: pieces, cluster by cluster */
    motion_cluster *table; /* [clusters] */
    int32_t *near;         /* neighbours, the closest first: of cluster k from near_first[k] on */
    int64_t *near_first;   /* [clusters + 1] */
} motion_parts;

/* Local. From labels [rows * columns], 0 to clusters - 1. HALO_MEMORY. */
halo_status motion_parts_create(motion_parts *parts, const uint16_t *labels, int rows, int columns,
                                int clusters);

/* Local. Accepts zeroed parts. */
void motion_parts_free(motion_parts *parts);

/* Local. How many of a tile's 16 x 16 pixels are the piece's. */
int motion_piece_pixels(const motion_piece *piece);

#endif
