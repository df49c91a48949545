#ifndef HALOBEAT_IO_PNG_RASTER_H
#define HALOBEAT_IO_PNG_RASTER_H

#include "base/memory.h"

#include <stdbool.h>

/* Deflate for samples of any size in rows of one length, as images of labels are. A general
 * compressor searches for what came before; in such rasters it stands in one of three places: one
 * sample back, in the row above, or in the row above one sample on. Only these are looked at, so
 * that nothing is hashed, and whole stretches of rows become one match. The Huffman code is made
 * for each call by ISA-L; without it these functions decline. */

typedef struct halo_raster halo_raster;

/* Local. For at most `bytes` bytes a call. HALO_MEMORY. */
halo_status halo_raster_create(halo_raster **out, size_t bytes);

/* Local. Accepts a pointer to NULL. */
void halo_raster_destroy(halo_raster **raster);

/* Local. Append `bytes` bytes, samples of `sample` bytes in rows of `row` bytes, of which the first
 * byte begins one, as raw deflate data that refer to nothing before them, end on a byte boundary
 * after a full flush, and leave the stream open. *done is false, and nothing is appended, if a
 * general compressor serves them better. HALO_MEMORY. */
halo_status halo_raster_deflate(halo_raster *raster, halo_buffer *out, const unsigned char *data,
                                size_t bytes, size_t sample, size_t row, bool *done);

#endif
