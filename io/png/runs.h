#ifndef HALOBEAT_IO_PNG_RUNS_H
#define HALOBEAT_IO_PNG_RUNS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Deflate for 16-bit samples in runs, as in labels. A run is two literals and a match two bytes
 * back, so that no search is needed: finding the ends of runs 64 samples at a time is faster than
 * hashing, and a single distance needs fewer bits. ISA-L makes the Huffman code for each chunk;
 * without ISA-L *done is always false. */

typedef struct halo_runs halo_runs;

/* Bytes before the first row and after the last that halo_runs_deflate reads and ignores. */
enum { HALO_RUNS_LEAD = 1, HALO_RUNS_SLACK = 128 };

/* Local. For chunks of at most `samples` samples in `rows` rows. HALO_MEMORY. */
halo_status halo_runs_create(halo_runs **out, size_t samples, size_t rows);

/* Local. Accepts a pointer to NULL. */
void halo_runs_destroy(halo_runs **runs);

/* Local. Appends `rows` filtered rows, each a filter byte and `samples` 2-byte samples, as raw
 * deflate data that do not refer to earlier data, end on a byte boundary after a full flush, and
 * leave the stream open. *done is false, and nothing is appended, if a general compressor is
 * better. HALO_MEMORY. */
halo_status halo_runs_deflate(halo_runs *runs, halo_buffer *out, const unsigned char *data,
                              size_t rows, size_t samples, bool *done);

#endif
