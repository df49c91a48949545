#ifndef HALOBEAT_IO_IMAGE_COLUMNS_H
#define HALOBEAT_IO_IMAGE_COLUMNS_H

#include "io/image/axes.h"

/* Samples that lie one after the other by columns: the first axis is the fastest (Fortran order).
 * Not installed; everything is local. A pass over the file brings a window of rows, of all planes
 * that these are in: with random access those that reader->expected says, at most
 * options.turned_bytes; beyond that there are several passes. */

typedef struct halo_columns halo_columns;

/* To be called when the samples and the layout's kind of sample are set, in place of
 * halo_image_lay_out and halo_image_raw_start: `bytes` are those of a sample, of which the first is
 * at byte `offset` of the file. Sets info. HALO_FORMAT, HALO_FILE, HALO_MEMORY. */
halo_status halo_columns_create(halo_columns **out, halo_image_reader *reader,
                                const halo_image_axes *axes, const halo_image_part *part,
                                size_t bytes, int64_t offset);

/* As the `rows` of a format. */
halo_status halo_columns_rows(halo_columns *columns, halo_image_reader *reader, int64_t first,
                              int64_t rows, void *out, size_t pitch);

/* Accepts a pointer to NULL. */
void halo_columns_destroy(halo_columns **columns);

#endif
