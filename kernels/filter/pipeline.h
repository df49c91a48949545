#ifndef HALOBEAT_FILTER_PIPELINE_H
#define HALOBEAT_FILTER_PIPELINE_H

#include "kernels/filter/chain.h"

/* A segment of a chain of filters in one pass over a strip of an image. The layers of the strip,
 * rows of an image or planes of a volume, flow through the parts of the chain, each of which keeps
 * a ring of the layers that it still reads: nothing is computed twice. Internal to the kernels;
 * everything here is local. */

typedef struct filter_pipeline filter_pipeline;

/* Bytes of planes of a volume that are made together, at most, unless a single one has more. */
enum { FILTER_BYTES_TOGETHER = 1 << 25 };

/* Writes row `y` of plane `z` to `out`, in the machine's byte order. */
typedef halo_status filter_source_row(void *context, int64_t z, int64_t y, void *out);

typedef struct {
    filter_source_row *row;
    void *context;
    /* Collective. Called before rows are read once more from the first on; NULL: that takes
     * nothing.
     */
    halo_status (*again)(void *context);
} filter_source;

/* Callbacks that report the progress of a chain while it is computed; members may be NULL. */
typedef struct {
    double *seconds; /* [chain->parts] on this rank: of each part, added to what is there */
    /* Local. Is given the rows that step `step`, from 0, has made: `count` layers from layer
     * `first` on, in order. Some may be beyond the strip, for halos of later steps, and beyond the
     * image. */
    void (*take)(void *context, int step, int64_t first, int64_t count, void *const *rows);
    /* Collective, of a run (run.h). Segment `segment` has been computed: its result, of this type.
     */
    halo_status (*made)(void *context, int segment, const halo_view *result, halo_sample_type type);
    bool made_last; /* the result of the last segment, too, which is held in memory for that */
    void *context;
} filter_watch;

typedef struct {
    const char *instructions; /* as of halo_isa_pick */
    int64_t tile; /* layers that are computed together, of an image of rows; 0: by their size */
    const filter_watch *watch; /* which must outlive what is made with it; or NULL */
    const halo_world *world;   /* in which the run is cancelled: see halo_watch_work; or NULL */
} filter_pipeline_options;

/* Creates the pipeline of a segment, or of the first parts of one, of a chain, which is resolved
 * and outlives it, for layers lo to hi - 1. It reads the layers of the strip and filter_chain_depth
 * more on each side, as far as there are any; with edges that wrap also those at the other end.
 * HALO_MEMORY, HALO_ARGUMENT for instructions. */
halo_status halo_filter_pipeline_create(filter_pipeline **out, const filter_chain *chain,
                                        const filter_segment *segment, int64_t lo, int64_t hi,
                                        const filter_source *source,
                                        const filter_pipeline_options *options);

/* Bytes of the rings of such a pipeline, and of a tile of its rows, about. */
int64_t halo_filter_pipeline_bytes(const filter_chain *chain, const filter_segment *segment,
                                   int64_t lo, int64_t hi);

/* Accepts a pointer to NULL. */
void halo_filter_pipeline_destroy(filter_pipeline **pipeline);

/* The number of layers that are best made together. */
int64_t halo_filter_pipeline_tile(const filter_pipeline *pipeline);

/* Makes the next `count` layers, at most filter_pipeline_tile. `out` has their rows, one after the
 * other. Errors of the source, HALO_CANCELLED. */
halo_status halo_filter_pipeline_make(filter_pipeline *pipeline, int64_t count, void *const *out);

/* Rows that a pipeline makes, for who hands them on one by one. Zero-initialise it. */
typedef struct {
    char *memory;
    size_t pitch; /* bytes from row to row */
    void **row;   /* [rows] */
} filter_made;

/* HALO_MEMORY. Call halo_filter_made_free in any case, which accepts zeroes. */
halo_status halo_filter_made_create(filter_made *made, halo_sample_type type, int64_t width,
                                    int64_t rows);
void halo_filter_made_free(filter_made *made);

/* Bytes of a row of samples. */
static inline size_t filter_row_bytes(halo_sample_type type, int64_t width)
{
    size_t bytes = halo_sample_types[type].bytes;
    return bytes > 0 ? (size_t)width * bytes : (size_t)((width + 63) / 64) * sizeof(uint64_t);
}

#endif
