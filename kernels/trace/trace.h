#ifndef HALOBEAT_TRACE_TRACE_H
#define HALOBEAT_TRACE_TRACE_H

#include "kernels/trace/trace_scene.h"

#include <stddef.h>

/* Ray tracing (Whitted, "An improved illumination model for shaded display", 1980): the light of
 * the lamps visible from a point, and its reflection and refraction, each by one more ray. Rays
 * find what they hit in a bounding volume hierarchy with eight children per node, split by the
 * surface area heuristic (Wald, "On fast construction of SAH-based bounding volume hierarchies",
 * 2007; Wald, Benthin and Boulos, "Getting rid of packets", 2008).
 *
 * An image consists of independent tiles. All functions are local. The same scene and options give
 * the same bytes and counts on every machine and with all instruction sets. */
typedef struct halo_trace halo_trace;

enum {
    HALO_TRACE_TILE = 16, /* pixels of a tile's width and height; fewer at the edges of the image */
    HALO_TRACE_TILE_BYTES = 3 * HALO_TRACE_TILE * HALO_TRACE_TILE,
    HALO_TRACE_MAX_SUBPIXELS = 64,
    HALO_TRACE_MAX_DEPTH = 64,
    HALO_TRACE_MAX_SIDE = 65536 /* pixels */
};

typedef struct {
    int64_t width, height;    /* pixels */
    int64_t subpixels;        /* a pixel is the mean of subpixels x subpixels rays */
    int64_t depth;            /* maximum number of rays in sequence on the way to the eye; 1: no
                               * reflections */
    double cutoff;            /* reflected and refracted rays that contribute less than this share
                               * to a pixel are omitted; 0: none */
    double ambient;           /* share of light that is everywhere, without a lamp */
    const char *instructions; /* plain, avx2 or avx512; NULL: the best of this machine */
} halo_trace_options;

/* Counts of the work done. */
typedef struct {
    int64_t rays;                 /* from the eye, reflected and refracted */
    int64_t reflected, refracted; /* of these rays */
    int64_t shadow_rays;          /* towards lights */
    int64_t steps;                /* nodes and leaves of the tree visited */
} halo_trace_counts;

typedef struct {
    int64_t x, y;      /* upper left pixel */
    int width, height; /* pixels */
} halo_trace_tile;

/* Creates a ray tracer, which builds the tree. The scene must outlive it; the caller destroys it.
 * HALO_ARGUMENT for a scene without a view, options out of range, and unknown instruction sets;
 * HALO_MEMORY. */
halo_status halo_trace_create_sized(halo_trace **out, const halo_trace_scene *scene,
                                    const halo_trace_options *options, size_t options_bytes);
#define halo_trace_create(...) halo_trace_create_sized(__VA_ARGS__, sizeof(halo_trace_options))

/* Frees the ray tracer and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_trace_destroy(halo_trace **trace);

/* The number of tiles of an image, and the pixels of tile 0 to tiles - 1, row by row. Pure. */
int64_t halo_trace_tiles(int64_t width, int64_t height);
halo_trace_tile halo_trace_tile_at(int64_t width, int64_t height, int64_t tile);

/* Computes the pixels of a tile: red, green and blue, rows without gaps between them. Sets *counts
 * to the work of this tile. May be called by several threads at a time. */
void halo_trace_draw_sized(const halo_trace *trace, int64_t tile,
                           unsigned char pixels[HALO_TRACE_TILE_BYTES], halo_trace_counts *counts,
                           size_t counts_bytes);
#define halo_trace_draw(...) halo_trace_draw_sized(__VA_ARGS__, sizeof(halo_trace_counts))

/* The bytes of the tree, and the name of the instruction set. */
int64_t halo_trace_tree_bytes(const halo_trace *trace);
const char *halo_trace_instructions(const halo_trace *trace);

#endif
