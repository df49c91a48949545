#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_FORMAT_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_FORMAT_H

#include "base/memory.h"
#include "core/file/checkpoint.h"

/* Encoding and decoding of checkpoint files; checkpoint.h describes the format. Everything here is
 * local. */

enum { HALO_CHECKPOINT_HEADER_UNIT = 4096 };

/* The remedy in messages about a damaged file. */
#define HALO_CHECKPOINT_REMEDY "copy the file again from where it came, or use an older checkpoint"

/* Offsets in the file, in bytes. */
typedef struct {
    int64_t rows;
    size_t row_bytes;
    int64_t block_rows;
    int64_t blocks;
    int64_t rows_at;  /* the rows, which is the length of the header */
    int64_t table_at; /* the table of checksums */
    int64_t bytes;    /* length of the file */
} halo_checkpoint_layout;

/* Local. The failure of a header whose JSON could not be made: HALO_ARGUMENT if the kernel's name
 * is no UTF-8, otherwise HALO_MEMORY. */
halo_status halo_checkpoint_refuse_texts(const char *kernel);

/* Appends the header of `what` to `out`, and sets the layout. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_checkpoint_encode(halo_buffer *out, halo_checkpoint_layout *layout,
                                   const halo_checkpoint *what);

/* Sets *bytes to the length of the header of a file of `file_bytes` bytes. `start` has its first
 * HALO_CHECKPOINT_HEADER_UNIT bytes, with any bytes past the end of a shorter file. HALO_FORMAT,
 * with `path`, if they do not begin a checkpoint or the header is incomplete. */
halo_status halo_checkpoint_header_bytes(size_t *bytes, const char *start, int64_t file_bytes,
                                         const char *path);

/* Checks and decodes a header of `bytes` bytes. `kernel` and `options` are allocated for the
 * caller, who frees them with free; NULL after a failure. HALO_FORMAT, with `path`; HALO_MEMORY. */
halo_status halo_checkpoint_decode(char **kernel, char **options, halo_checkpoint *what,
                                   halo_checkpoint_layout *layout, const char *header, size_t bytes,
                                   const char *path);

/* The last row of a block + 1. */
int64_t halo_checkpoint_block_end(const halo_checkpoint_layout *layout, int64_t block);

/* The contribution of rows first to first + rows - 1, without gaps in `data`, to the checksum of
 * their block. */
uint64_t halo_checkpoint_sum_rows(const void *data, int64_t first, int64_t rows, size_t row_bytes);

/* The contribution of the entry of `block` to the checksum of the table. */
uint64_t halo_checkpoint_sum_entry(uint64_t entry, int64_t block);

#endif
