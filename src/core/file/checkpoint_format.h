#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_FORMAT_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_FORMAT_H

#include "base/memory.h"
#include "core/file/checkpoint.h"

/* The bytes of a checkpoint; see checkpoint.h for what they mean. Everything here is local. */

enum { HALO_CHECKPOINT_HEADER_UNIT = 4096 };

/* What can be done about a damaged file. */
#define HALO_CHECKPOINT_REMEDY "copy the file again from where it came, or use an older checkpoint"

/* Where everything stands in the file. */
typedef struct {
    int64_t rows;
    size_t row_bytes;
    int64_t block_rows;
    int64_t blocks;
    int64_t rows_at;  /* byte offset of the rows, which is the length of the header */
    int64_t table_at; /* of the table of checksums */
    int64_t bytes;    /* of the whole file */
} halo_checkpoint_layout;

/* The whole header of `what`, appended to `out`, and the layout. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_checkpoint_encode(halo_buffer *out, halo_checkpoint_layout *layout,
                                   const halo_checkpoint *what);

/* How long is the header of a file of `file_bytes` bytes? `start` are its first
 * HALO_CHECKPOINT_HEADER_UNIT bytes, with anything after a shorter file's end. HALO_FORMAT, naming
 * `path`, if they do not start a checkpoint or the header is not all there. */
halo_status halo_checkpoint_header_bytes(size_t *bytes, const char *start, int64_t file_bytes,
                                         const char *path);

/* Check and take apart a whole header of `bytes` bytes. `kernel` and `options` of `what` become the
 * caller's, to be freed with free; NULL after a failure. HALO_FORMAT, naming `path`; HALO_MEMORY.
 */
halo_status halo_checkpoint_decode(char **kernel, char **options, halo_checkpoint *what,
                                   halo_checkpoint_layout *layout, const char *header, size_t bytes,
                                   const char *path);

/* The last row of a block + 1. */
int64_t halo_checkpoint_block_end(const halo_checkpoint_layout *layout, int64_t block);

/* The sum that rows first to first + rows - 1, without gaps at `data`, add to a checksum. */
uint64_t halo_checkpoint_sum_rows(const void *data, int64_t first, int64_t rows, size_t row_bytes);

/* The sum that the table's entry for `block` adds to the checksum of the table. */
uint64_t halo_checkpoint_sum_entry(uint64_t entry, int64_t block);

#endif
