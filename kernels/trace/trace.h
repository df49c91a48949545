#ifndef HALOBEAT_TRACE_TRACE_H
#define HALOBEAT_TRACE_TRACE_H

#include "kernels/trace/trace_scene.h"

#include <stddef.h>

/* Ray tracing (Whitted, "An improved illumination model for shaded display", 1980): light of the
 * lamps that are seen from a place, its reflections and refractions, each by one more ray. Rays
 * find what they hit in a tree of boxes, eight children a node, that is split by the surface area
 * heuristic (Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007; Wald,
 * Benthin and Boulos, "Getting rid of packets", 2008).
 *
 * A picture is made of tiles, which do not depend on each other. All functions are local. The same
 * scene and options give the same bytes and the same counts on every machine, with all
 * instructions. */
typedef struct halo_trace halo_trace;

enum {
    HALO_TRACE_TILE = 16, /* pixels that a tile is wide and high; fewer at the picture's edges */
    HALO_TRACE_TILE_BYTES = 3 * HALO_TRACE_TILE * HALO_TRACE_TILE,
    HALO_TRACE_MAX_SUBPIXELS = 64,
    HALO_TRACE_MAX_DEPTH = 64,
    HALO_TRACE_MAX_SIDE = 65536 /* pixels */
};

typedef struct {
    int64_t width, height; /* pixels */
    int64_t subpixels;     /* a pixel is the mean of this number of rays across and down */
    int64_t depth;         /* rays on the way to the eye, one behind the other; 1: no
                            * reflections */
    double cutoff;         /* reflected and refracted rays that count for less of a pixel are left
                            * out; 0: none */
    double ambient;        /* share of light that is everywhere */
    const char *instructions; /* as in base/isa.h; NULL: the best */
} halo_trace_options;

/* What was done. */
typedef struct {
    int64_t rays;                 /* from the eye, reflected and refracted */
    int64_t reflected, refracted; /* of these */
    int64_t shadow_rays;          /* to lights */
    int64_t steps;                /* nodes and leaves of the tree that were looked at */
} halo_trace_counts;

typedef struct {
    int64_t x, y;      /* of its upper left pixel */
    int width, height; /* pixels */
} halo_trace_tile;

/* The scene must outlive it. HALO_ARGUMENT for a scene without a view, options out of range, and
 * unknown instructions; HALO_MEMORY. */
halo_status halo_trace_create(halo_trace **out, const halo_trace_scene *scene,
                              const halo_trace_options *options);

/* Accepts a pointer to NULL. */
void halo_trace_destroy(halo_trace **trace);

/* How many tiles a picture has; tile 0 to tiles - 1, row by row. Pure. */
int64_t halo_trace_tiles(int64_t width, int64_t height);
halo_trace_tile halo_trace_tile_at(int64_t width, int64_t height, int64_t tile);

/* The pixels of a tile, red, green and blue, its rows one behind the other without gaps. May be
 * called by several threads at a time. */
void halo_trace_draw(const halo_trace *trace, int64_t tile,
                     unsigned char pixels[HALO_TRACE_TILE_BYTES], halo_trace_counts *counts);

/* Bytes of the tree, and the name of the instructions. */
int64_t halo_trace_tree_bytes(const halo_trace *trace);
const char *halo_trace_instructions(const halo_trace *trace);

#endif
