#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_H

#include "core/file/rows.h"
#include "core/world/world.h"

/* The rows of a distributed array in a file that does not depend on how many ranks wrote it, to be
 * restored on any number of ranks.
 *
 * The file, version 1:
 * - A header of a multiple of 4096 bytes that is one JSON object: what halo_checkpoint tells, the
 *   layout of the rest, and as its last member a checksum of everything before that checksum. `head
 *   -c 4096 FILE` shows it. Its first two members (version and length) and its last will stay where
 *   they are in every version to come, so that a newer version is told from a damaged one.
 * - The rows one after the other, without padding.
 * - A table of checksums, 8 bytes for each block of `block_rows` rows (about 1 MiB a block), in the
 *   byte order that the header names.
 * - 8 bytes of checksum of that table.
 *
 * The checksum of a block is the sum (mod 2^64) of XXH3_64bits_withSeed of each of its rows, seeded
 * with the row's index, and that of the table is the sum over its entries, seeded with the block's
 * index. Sums can be put together from ranks that hold parts of a block, in any order; the seeds
 * tell rows that have changed places. They find accidents, not forgeries. */
typedef struct {
    const char *kernel;  /* its name */
    const char *options; /* what else its state depends on: a JSON object as text; NULL is {} */
    int64_t beat;        /* beats done so far (Life: generations), 0 or more */
    int64_t rows;        /* of the array, 0 or more */
    size_t row_bytes;    /* 1 to 2^31 - 1 */
} halo_checkpoint;

/* Collective; all but `rows` is the same on all ranks. Write the rows that each rank owns by `cuts`
 * ([ranks + 1]); `rows` is asked for at most a block or a row at a time, which with 8 bytes for
 * each block is all the memory it takes. The file appears under its name when it is whole and on
 * disk; until then, and after a failure, an older one stays there. Equal content makes equal bytes:
 * options are stored with sorted keys. HALO_ARGUMENT for content or cuts that make no sense,
 * HALO_FILE, HALO_MEMORY, HALO_MPI, and what `rows` fails with. */
halo_status halo_checkpoint_write(halo_world *world, const char *path, const halo_checkpoint *what,
                                  const int64_t *cuts, const halo_rows *rows);

/* A checkpoint that is open for reading. */
typedef struct halo_checkpoint_reader halo_checkpoint_reader;

/* Collective. Where not all ranks see the file that rank 0 sees, rank 0 reads it for all, a few
 * chunks of rows at a time. HALO_FILE if rank 0 cannot; HALO_FORMAT, with the place and a remedy,
 * if the file is not a checkpoint, a newer version of one, cut short or too long, or if its header
 * or its table of checksums is damaged. HALO_MEMORY, HALO_MPI. */
halo_status halo_checkpoint_open(halo_checkpoint_reader **out, halo_world *world, const char *path);

/* Local. What the file holds; `options` is never NULL. Owned by the reader. Whether kernel, options
 * and size are the wanted ones is for the caller to tell. */
const halo_checkpoint *halo_checkpoint_info(const halo_checkpoint_reader *reader);

/* Local. Rows `first` to `first + rows - 1` of the calling rank's own strip, one every `pitch`
 * bytes of `data`, which is only lent. */
typedef halo_status halo_checkpoint_take(void *context, int64_t first, int64_t rows,
                                         const void *data, size_t pitch);

/* Collective. Every rank reads the blocks that the rows it owns by `cuts` are in, and hands its
 * rows to `take` in ascending order, each block's after it has been verified; a block is all the
 * memory it takes. After a failure some rows may have been handed over, and
 * some come again where another copy of a part (checkpoint_store.h) is read instead of a damaged
 * one. HALO_FORMAT names the rows that are damaged; HALO_ARGUMENT for cuts that make no sense,
 * HALO_FILE, HALO_MEMORY, HALO_MPI, and what `take` fails with. */
halo_status halo_checkpoint_read(halo_checkpoint_reader *reader, const int64_t *cuts,
                                 halo_checkpoint_take *take, void *context);

/* Local. Accepts a pointer to NULL. */
void halo_checkpoint_close(halo_checkpoint_reader **reader);

#endif
