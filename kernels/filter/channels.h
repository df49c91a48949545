#ifndef HALOBEAT_FILTER_CHANNELS_H
#define HALOBEAT_FILTER_CHANNELS_H

#include "base/sample.h"

/* Rows of pixels of several samples, as rows of one sample a pixel and back. Internal to the
 * kernels; local, pure. */

enum { FILTER_MOST_CHANNELS = 4 };

/* Pixels of `channels` samples of a type that is not BIT. */
typedef struct {
    halo_sample_type type;
    int channels;
} filter_pixels;

/* Copies sample `channel` of each pixel of a row to `out`. */
void halo_filter_take_channel(const filter_pixels *of, int channel, const void *row, int64_t width,
                              void *out);

/* Copies samples of `type` to sample `channel` of each pixel. Reals are the same numbers; samples
 * of whole numbers the same share of the largest one of their type, so that bits become 0 and that
 * one. */
void halo_filter_put_channel(const filter_pixels *to, int channel, halo_sample_type type,
                             const void *in, int64_t width, void *row);

/* Doubles as samples of a type that is not BIT: whole numbers are rounded to the nearest. */
void halo_filter_put_doubles(halo_sample_type type, const double *values, int64_t count, void *out);

#endif
