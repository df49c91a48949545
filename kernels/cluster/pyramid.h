#ifndef HALOBEAT_CLUSTER_PYRAMID_H
#define HALOBEAT_CLUSTER_PYRAMID_H

#include "kernels/cluster/engine.h"

/* A hierarchy of boxes of pixels in position and brightness: regions, tiles, nodes, leaves. Each
 * box keeps those of its parent's clusters that may be nearest to one of its pixels. Internal to
 * the kernel.
 *
 * With z the centre nearest to the middle of a box, centre k is not nearest to any pixel p of it if
 * |k - p|^2 - |z - p|^2, which is linear in p, is positive at the corner of the box where it is
 * least (T. Kanungo et al., 2002). It is computed in float; a cluster is dropped only if its
 * distance is larger by more than the error of float, so that labels never depend on rounding. */

enum {
    TILE = 128,        /* rows and columns of a tile */
    REGION_TILES = 16, /* tiles of a region, in a row */
    LEAF = 64,         /* pixels of a leaf */
    PARTS = 4,         /* children of a node that is not a leaf */
    LEVELS = 4,        /* of nodes: leaves are on level 0, tiles on the last one */
    TILE_LEAVES = TILE * TILE / LEAF,
    TILE_NODES = 1 + PARTS + PARTS * PARTS + PARTS * PARTS * PARTS, /* of nodes that are not
                                                                     * leaves */
    MAX_LANES = 16 /* floats of a vector, on any machine */
};

/* Clusters that may own pixels of a box; positions relative to a corner, values times w. Arrays
 * have room for MAX_LANES more entries, the first of which are far away. */
typedef struct {
    int n;
    float *axis[CLUSTER_AXES];
    int32_t *id; /* ascending */
} pyramid_list;

/* Centre and half lengths along each axis; values are times w. */
typedef struct {
    float middle[CLUSTER_AXES], half[CLUSTER_AXES];
} pyramid_box;

/* Pixels are represented by integers q along each axis: twice the column and row in the tile minus
 * `offset`; value (twice that, for 8 bits) minus `offset`. q * factor fits 16 bits. */
typedef struct {
    pyramid_box box; /* from the tile's corner; q * factor / 2^15 is the distance from the middle
                      * in units of `half` */
    int16_t factor[CLUSTER_AXES];
    uint16_t offset[CLUSTER_AXES];
    int32_t sum[CLUSTER_AXES]; /* of its pixels, columns and rows from the tile's corner */
    uint16_t label;            /* if `uniform` */
    bool uniform;              /* all pixels have one label; `labels` is not stored */
    uint8_t pixels;            /* 1 to LEAF; the others are copies of the last one */
} pyramid_leaf;

/* The pixels of a leaf; followed by values: LEAF of 8 or 16 bits, three times as many in colour. */
typedef struct {
    uint16_t place[LEAF]; /* row * TILE + column in the tile */
    uint16_t label[LEAF];
    unsigned char values[];
} pyramid_pixels;

/* Up to PARTS nodes of the level below. */
typedef struct {
    pyramid_box box; /* from the tile's corner */
    int32_t label;   /* of all pixels; -1 if they have several, or if unknown */
} pyramid_node;

/* Node i of a level has the leaves from i * PARTS^level on, as far as there are any. */
typedef struct {
    int leaves;                     /* 0: no pixels */
    pyramid_node nodes[TILE_NODES]; /* the tile, followed by the nodes of the levels below, level
                                     * by level */
} pyramid_tile;

/* A row of tiles, cut at the part's ends. */
typedef struct {
    halo_box owned; /* global */
    bool built;
    int64_t tile_x, tile_y; /* corner of the first tile, global */
    int tiles;
    void *memory;
    pyramid_tile *tile;    /* [tiles] */
    pyramid_leaf *leaves;  /* [tiles][TILE_LEAVES] */
    unsigned char *pixels; /* those of leaf i from i * pixel_bytes on */
} pyramid_tile_row;

/* Index of the first node of a level, 1 to LEVELS, in a tile. */
static inline int pyramid_first_node(int level)
{
    static const int first[LEVELS + 1] = {0, 1 + PARTS + PARTS * PARTS, 1 + PARTS, 1, 0};
    return first[level];
}

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    const cluster_job *job;
    const struct pyramid_ops *ops;
    bool ordered;   /* leaves are sorted by position and brightness */
    halo_box owned; /* the box for which rows of tiles exist */
    int tile_rows;
    pyramid_tile_row *tile_row; /* [tile_rows] */
    size_t pixel_bytes;         /* bytes of a leaf's pixels */
    int cell_bits;
    float weight;
    float magnitude; /* of values times w */
    /* Scratch memory: lists of a region, of nodes of each level, and of a leaf. */
    void *memory;
    pyramid_list region, lists[LEVELS + 1], leaf;
    float *offsets; /* of the leaf's list: constants of the linear functions */
    float *squares; /* [room]: distances */
    int32_t *steps; /* [CLUSTER_AXES + 1][room]: linear functions as integers */
    int32_t *near;  /* [room]: clusters that a pixel may belong to */
    size_t room;    /* entries of each array, at least MAX_LANES more than clusters */
} pyramid;

/* Bound of the error of float in |k - p|^2 - |z - p|^2 for p in a box: share * (|k - m|^2 + |z -
 * m|^2) + floor, with m the middle of the box. */
typedef struct {
    float share, floor;
} cluster_slack;

/* For coordinates of the box up to `length` and values up to `magnitude`. A coordinate of k - m has
 * an error of 2^-24 (2 |k - m| + 2 M), M being the larger of the two; the resulting error of
 * squares and products, summed over three axes, is less than half of this bound. */
static inline cluster_slack cluster_slack_of(int axes, float length, float magnitude)
{
    float max = length > magnitude ? length : magnitude, each = axes > 3 ? 2 : 1;
    return (cluster_slack){2e-6F * each, 4e-6F * each * max * max};
}

/* State of the walk in one beat, besides the pyramid. */
typedef struct {
    pyramid *p;
    const cluster_centres *centres;
    bool counts; /* count changes */
    int64_t changed;
} pyramid_walk;

/* Local. Reads the pixels of a row of tiles; labels are not set. HALO_MEMORY. */
halo_status pyramid_build(pyramid *p, pyramid_tile_row *tile_row, const halo_view *picture);

static inline pyramid_pixels *pyramid_pixels_of(const pyramid *p, const pyramid_tile_row *tile_row,
                                                const pyramid_leaf *leaf)
{
    return (pyramid_pixels *)(void *)(tile_row->pixels +
                                      (size_t)(leaf - tile_row->leaves) * p->pixel_bytes);
}

/* Value a (from 0) of pixel i. */
static inline int32_t pyramid_value(const pyramid *p, const pyramid_pixels *pixels, int i, int a)
{
    return p->cell_bits == 8    ? pixels->values[i]
           : p->cell_bits == 16 ? ((const uint16_t *)(const void *)pixels->values)[i]
                                : ((const int16_t *)(const void *)pixels->values)[a * LEAF + i];
}

#endif
