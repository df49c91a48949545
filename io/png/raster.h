#ifndef HALOBEAT_IO_PNG_RASTER_H
#define HALOBEAT_IO_PNG_RASTER_H

#include "base/memory.h"

#include <stdbool.h>

/* Deflate for samples of any size in rows of equal length, as in images of labels. A general
 * compressor searches for earlier matches. In such rasters they are at one of three places: one
 * sample back, in the row above, or in the row above one sample on. Only these are tried, without
 * hashing, and long parts of rows become one match. ISA-L makes the Huffman code for each call;
 * without ISA-L *done is always false. */

typedef struct halo_raster halo_raster;

/* Local. For at most `bytes` bytes per call. HALO_MEMORY. */
halo_status halo_raster_create(halo_raster **out, size_t bytes);

/* Local. Accepts a pointer to NULL. */
void halo_raster_destroy(halo_raster **raster);

/* Local. Appends `bytes` bytes, samples of `sample` bytes in rows of `row` bytes, beginning at the
 * start of a row, as raw deflate data that do not refer to earlier data, end on a byte boundary
 * after a full flush, and leave the stream open. *done is false, and nothing is appended, if a
 * general compressor is better. HALO_MEMORY. */
halo_status halo_raster_deflate(halo_raster *raster, halo_buffer *out, const unsigned char *data,
                                size_t bytes, size_t sample, size_t row, bool *done);

#endif
