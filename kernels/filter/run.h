#ifndef HALOBEAT_FILTER_RUN_H
#define HALOBEAT_FILTER_RUN_H

#include "kernels/filter/pipeline.h"

/* A chain on a strip of an image for each rank. Segments of the chain are computed one after the
 * other, each into a field in memory; the last one when its layers are asked for. Internal to the
 * kernels. */

typedef struct filter_run filter_run;

/* The image: this rank's strip. */
typedef struct {
    int segment; /* that reads it; what earlier ones would make is this "image" */
    /* Any row that the first segment reads: this rank's, and halo_filter_chain_depth(chain, 0)
     * layers beyond its strip. */
    filter_source rows;
    /* Or a field with the strip, which the run takes over and changes: that of
     * halo_filter_run_create_field. Its halo has filter_chain_depth layers, or none where one rank
     * has all layers, and is exchanged here. */
    halo_field **field;
} filter_image;

/* Local. The domain of a chain's image; and the strips' least number of layers, if there is more
 * than one with layers: halos are taken from neighbours. */
halo_domain halo_filter_run_domain(const filter_chain *chain);
int64_t halo_filter_run_thinnest(const filter_chain *chain, bool from_field);

/* Local. Samples of a row. */
int64_t halo_filter_run_width(const filter_chain *chain);

/* Local. Bytes of the fields and rings that a run has at a time, at most, on a rank with the
 * layers lo to hi - 1: while it is created, and while the last segment makes layers. `held`: the
 * image is given as a field of `image` bytes, which are counted in both. */
typedef struct {
    int64_t image, computing, making;
} filter_run_bytes;
filter_run_bytes halo_filter_run_needs(const filter_chain *chain, int64_t lo, int64_t hi,
                                       bool held);

/* Local. Creates a field with this rank's strip, and with the halo that segment `segment` of the
 * chain needs. HALO_MEMORY. */
halo_status halo_filter_run_create_field(halo_field **out, halo_world *world,
                                         const filter_chain *chain, int segment,
                                         halo_sample_type type, const halo_partition *strips);

/* Collective. Computes all segments but the last, from image->segment on, and what all samples of
 * the last one are looked at for. The chain, the strips and
 * what the image has must outlive the run. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED, errors of
 * the source; the same on all ranks. */
halo_status halo_filter_run_create(filter_run **out, halo_world *world, const filter_chain *chain,
                                   const halo_partition *strips, const filter_image *image,
                                   const filter_pipeline_options *options);

/* Collective. Filters a view of bits, this rank's strip, in place by a chain that makes bits of
 * bits. Errors as of filter_run_create. */
halo_status halo_filter_run_bits(halo_world *world, const filter_chain *chain,
                                 const halo_partition *strips, const halo_view *bits,
                                 const filter_pipeline_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_filter_run_destroy(filter_run **run);

/* Local. How often it has gone through the image so far, the pass of the last segment included; and
 * how often of these over the rows of filter_image.rows. */
int halo_filter_run_passes(const filter_run *run);
int halo_filter_run_readings(const filter_run *run);

/* Local. As filter_pipeline_tile and filter_pipeline_make, of this rank's strip. */
int64_t halo_filter_run_tile(const filter_run *run);
halo_status halo_filter_run_make(filter_run *run, int64_t count, void *const *out);

#endif
