#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_READER_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_READER_H

#include "core/file/checkpoint_format.h"

#include <stdbool.h>

/* The reader of a checkpoint, in one file or in parts. Internal. */

struct halo_checkpoint_reader {
    halo_world *world;
    int file; /* file descriptor; -1: not open on this rank */
    char *path, *kernel, *options;
    uint64_t identity; /* hash of the header, to compare the files that the ranks have opened */
    halo_checkpoint what;
    halo_checkpoint_layout layout;
    bool through_first;             /* rank 0 reads for all ranks */
    struct halo_store_parts *parts; /* of a checkpoint in parts (store_read.c), otherwise NULL */
};

/* Local. Opens the file `path` in *reader, which must be zeroed except for `world`, and checks the
 * header and the length, with `whole` also the table of checksums. Call halo_checkpoint_close in
 * any case. Errors as of halo_checkpoint_open. */
halo_status halo_checkpoint_begin(halo_checkpoint_reader *reader, const char *path, bool whole);

/* halo_checkpoint_read and halo_checkpoint_close for a checkpoint in parts. */
halo_status halo_store_parts_read(halo_checkpoint_reader *reader, const int64_t *cuts,
                                  halo_checkpoint_take *take, void *context);
void halo_store_parts_free(struct halo_store_parts **parts);

/* Random access to the rows of an open file, with the last block cached. */
typedef struct {
    const halo_checkpoint_reader *reader;
    int64_t block; /* number of the block in `data`; -1: none */
    void *data;
} halo_checkpoint_rows;

/* Local. HALO_MEMORY. Call halo_checkpoint_rows_free in any case. */
halo_status halo_checkpoint_rows_begin(halo_checkpoint_rows *rows,
                                       const halo_checkpoint_reader *reader);
void halo_checkpoint_rows_free(halo_checkpoint_rows *rows);

/* Local. Copies rows `first` to `first + count - 1`, after their checksums were verified, to `out`,
 * `pitch` bytes apart. HALO_FORMAT, HALO_FILE. */
halo_status halo_checkpoint_rows_get(halo_checkpoint_rows *rows, int64_t first, int64_t count,
                                     void *out, size_t pitch);

#endif
