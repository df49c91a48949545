#ifndef HALOBEAT_IO_PNG_DEFLATE_H
#define HALOBEAT_IO_PNG_DEFLATE_H

#include "base/memory.h"

#include <stdint.h>

/* Deflate and the two checksums of PNG, by ISA-L if it was found and otherwise by zlib. All
 * functions here are local. The compressed bytes differ between the two libraries (and may between
 * versions); the decoded bytes do not. */

typedef struct halo_deflater halo_deflater;

/* Creates a compressor; the caller destroys it. HALO_MEMORY. */
halo_status halo_deflater_create(halo_deflater **out);

/* Accepts a pointer to NULL. */
void halo_deflater_destroy(halo_deflater **deflater);

/* Appends `bytes` (at most 2^30) bytes as raw deflate data that do not refer to earlier data, end
 * on a byte boundary after a full flush, and leave the stream open. HALO_MEMORY. */
halo_status halo_deflater_run(halo_deflater *deflater, halo_buffer *out, const unsigned char *data,
                              size_t bytes);

/* Adler-32 of `bytes` bytes, continued from `adler` (1 at the start). */
uint32_t halo_adler32(uint32_t adler, const unsigned char *data, size_t bytes);

/* CRC-32 of PNG and gzip, continued from `crc` (0 at the start). */
uint32_t halo_crc32(uint32_t crc, const unsigned char *data, size_t bytes);

#endif
