#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_H

#include "core/file/rows.h"
#include "core/world/world.h"

/* Checkpoints: the rows of a distributed array in a file that does not depend on the number of
 * ranks that wrote it, and can be restored on any number of ranks.
 *
 * The file, version 1:
 * - A header of a multiple of 4096 bytes, which is one JSON object: the members of
 *   halo_checkpoint, the layout of the rest, and as its last member a checksum of everything
 *   before it. `head -c 4096 FILE` prints it. Its first two members (version and length) and its
 *   last member keep their places in all versions, so that a newer version can be distinguished
 *   from a damaged file.
 * - The rows, one after the other, without padding.
 * - A table of checksums, 8 bytes for each block of `block_rows` rows (about 1 MiB per block), in
 *   the byte order that the header names.
 * - 8 bytes of checksum of that table.
 *
 * The checksum of a block is the sum (mod 2^64) of XXH3_64bits_withSeed of its rows, each seeded
 * with the index of the row. That of the table is the same sum over its entries, seeded with the
 * index of the block. Such sums can be added up, in any order, by ranks that hold parts of a block;
 * the seeds detect rows that were exchanged. The checksums detect accidental damage, not
 * forgery. */
typedef struct {
    const char *kernel;  /* name of the kernel */
    const char *options; /* other options its state depends on: a JSON object as text; NULL: {} */
    int64_t beat;        /* beats done (in Life: generations), 0 or more */
    int64_t rows;        /* rows of the array, 0 or more */
    size_t row_bytes;    /* 1 to 2^31 - 1 */
} halo_checkpoint;

/* Collective; all arguments but `rows` are the same on all ranks. Writes the rows that each rank
 * owns by `cuts` [ranks + 1]. `rows` is called for at most a block, or a row, at a time; that and 8
 * bytes per block is all the memory needed. The file appears under its name when it is complete and
 * on disk; until then, and after a failure, an older file of that name is unchanged. Equal content
 * gives equal bytes: options are stored with sorted keys. HALO_ARGUMENT for invalid content or
 * cuts, HALO_FILE, HALO_MEMORY, HALO_TRANSPORT, and what `rows` returns. */
halo_status halo_checkpoint_write(halo_world *world, const char *path, const halo_checkpoint *what,
                                  const int64_t *cuts, const halo_rows *rows);

/* A checkpoint open for reading. */
typedef struct halo_checkpoint_reader halo_checkpoint_reader;

/* Collective. Opens a checkpoint; the caller closes it. If not all ranks see the file that rank 0
 * sees, rank 0 reads it for all, a few chunks of rows at a time. HALO_FILE if rank 0 cannot read
 * it; HALO_FORMAT, with the place and a remedy, if the file is not a checkpoint, is of a newer
 * version, is too short or too long, or if its header or table of checksums is damaged;
 * HALO_MEMORY; HALO_TRANSPORT. */
halo_status halo_checkpoint_open(halo_checkpoint_reader **out, halo_world *world, const char *path);

/* Local. The contents of the file; `options` is never NULL. Owned by the reader. The caller must
 * check that kernel, options and size are the expected ones. */
const halo_checkpoint *halo_checkpoint_info(const halo_checkpoint_reader *reader);

/* Local. Receives rows `first` to `first + rows - 1` of the calling rank's strip, `pitch` bytes
 * apart in `data`, which is valid during the call. */
typedef halo_status halo_checkpoint_take(void *context, int64_t first, int64_t rows,
                                         const void *data, size_t pitch);

/* Collective. Every rank reads the blocks that contain rows it owns by `cuts` [ranks + 1], and
 * passes its rows to `take` in ascending order, after the checksum of their block was verified.
 * Needs memory for one block. After a failure some rows may have been passed; rows are passed again
 * if another copy of a part (checkpoint_store.h) is read instead of a damaged one. HALO_FORMAT
 * names the damaged rows; HALO_ARGUMENT for invalid cuts, HALO_FILE, HALO_MEMORY, HALO_TRANSPORT,
 * and what `take` returns. */
halo_status halo_checkpoint_read(halo_checkpoint_reader *reader, const int64_t *cuts,
                                 halo_checkpoint_take *take, void *context);

/* Local. Closes the checkpoint and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_checkpoint_close(halo_checkpoint_reader **reader);

#endif
