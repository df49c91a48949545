#ifndef HALOBEAT_APP_IMAGE_SAMPLES_H
#define HALOBEAT_APP_IMAGE_SAMPLES_H

#include "app/image/image.h"
#include "base/sample_bins.h"

/* The samples of an image, gone through as often as they are wanted: its file is read each time, or
 * once, if they are kept. */

/* Zero-initialise it, but for the first three. */
typedef struct {
    app_image *image;    /* open */
    const int64_t *cuts; /* [ranks + 1] of the first axis: the strip of each rank */
    halo_field *kept;    /* owned by the caller: the strip (app_image_create_field), which the first
                          * reading fills; NULL: they are not kept */
    halo_rows_take *store; /* with `kept` NULL: takes all rows of the first reading, before others
                            * do; or NULL */
    void *context;         /* of `store` */
    bool read;             /* the file was read once */
    halo_status status;    /* of rows that are taken while they are read */
    halo_rows_take *take;  /* these, and where they go */
    void *taken_by;
} app_samples;

/* Local. The type of the samples as they are read: BIT, U8 or U16 for greys. */
halo_sample_type app_image_type(const app_image *image);

/* Collective. Passes this rank's rows to `take`, several at a time, in order, numbered through all
 * planes. If they are kept, `take` may get them as soon as they have been read. Errors as of
 * app_image_read, or of `take`. */
halo_status app_samples_each(app_samples *samples, halo_rows_take *take, void *context);

/* Collective. Reads samples that are to be kept or stored, if they have not been read yet. */
halo_status app_samples_read(app_samples *samples);

/* Local. Passes rows of a field of samples, which are numbered as those of the image, to `take`. */
halo_status app_samples_of_field(const halo_field *field, halo_rows_take *take, void *context);

/* Collective. The extremes of the samples that are not missing; those of greys are those of their
 * type, and known without a reading. */
halo_status app_samples_find_extremes(app_samples *samples, halo_sample_extremes *out);

/* Collective. Counts the samples of all ranks that are neither missing nor beyond the extremes, in
 * counts[bins->count], which is zero before. `also`, or NULL, gets the rows as well. */
halo_status app_samples_count(app_samples *samples, const halo_sample_bins *bins, int64_t *counts,
                              halo_rows_take *also, void *context);

#endif
