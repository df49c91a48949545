#ifndef HALOBEAT_FILTER_COLOURS_H
#define HALOBEAT_FILTER_COLOURS_H

#include "kernels/filter/channels.h"
#include "kernels/filter/run.h"

/* A chain on a strip of an image of pixels with several samples. Each colour is filtered as an
 * image by itself, as scikit-image's channel_axis has it; alpha, which says where the image is, is
 * handed on: inverted, or as a gradient, it would hide the picture. Internal to the kernels. */

typedef struct filter_colours filter_colours;

/* The samples of a pixel as they are read. */
typedef struct {
    filter_pixels pixels;
    int filtered; /* the first ones of them, 1 to FILTER_MOST_CHANNELS */
    bool alpha;   /* the one behind these is handed on; false: it is left out */
} filter_colours_layout;

/* Local. Creates fields for this rank's strip, by `strips`. The chain and the strips outlive it.
 * HALO_MEMORY. */
halo_status halo_filter_colours_create(filter_colours **out, halo_world *world,
                                       const filter_chain *chain, const halo_partition *strips,
                                       const filter_colours_layout *layout);

/* Local. Takes rows of pixels, numbered through the image of two axes: a halo_rows_take whose
 * context is the filter_colours. */
halo_status halo_filter_colours_take(void *colours, int64_t first, int64_t rows, const void *data,
                                     size_t pitch);

/* Local. The strip of colour `colour`, before it is filtered; NULL for other numbers. */
const halo_field *halo_filter_colours_field(const filter_colours *colours, int colour);

/* Collective. Computes all segments but the last, of one colour after the other. Errors as of
 * halo_filter_run_create. */
halo_status halo_filter_colours_run(filter_colours *colours,
                                    const filter_pipeline_options *options);

/* Local. The pixels that are made: of bits, samples are 0 and 255. */
filter_pixels halo_filter_colours_made(const filter_colours *colours);

/* Local. As halo_filter_run_tile and halo_filter_run_make, for rows of these pixels. */
int64_t halo_filter_colours_tile(const filter_colours *colours);
halo_status halo_filter_colours_make(filter_colours *colours, int64_t count, void *const *out);

/* Local. Accepts a pointer to NULL. */
void halo_filter_colours_destroy(filter_colours **colours);

#endif
