#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_READER_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_READER_H

#include "core/file/checkpoint_format.h"

#include <stdbool.h>

/* What the readers of checkpoints, in one file or in parts, share. */

struct halo_checkpoint_reader {
    halo_world *world;
    int file; /* -1: this rank has none open */
    char *path, *kernel, *options;
    uint64_t identity; /* of the header, to tell whether all ranks have opened the same file */
    halo_checkpoint what;
    halo_checkpoint_layout layout;
    bool through_first;             /* rank 0 reads for all */
    struct halo_store_parts *parts; /* of a checkpoint in parts (store_read.c), or NULL */
};

/* Local. Opens the file `path` in *reader, which is zeroed but for its world: header and length are
 * checked, and with `whole` the table, too. Close it in any case. As halo_checkpoint_open. */
halo_status halo_checkpoint_begin(halo_checkpoint_reader *reader, const char *path, bool whole);

/* What halo_checkpoint_read and halo_checkpoint_close do for a checkpoint in parts. */
halo_status halo_store_parts_read(halo_checkpoint_reader *reader, const int64_t *cuts,
                                  halo_checkpoint_take *take, void *context);
void halo_store_parts_free(struct halo_store_parts **parts);

/* Rows of an open file in any order: what is asked for next is mostly in the same block. */
typedef struct {
    const halo_checkpoint_reader *reader;
    int64_t block; /* in `data`; -1: none */
    void *data;
} halo_checkpoint_rows;

/* Local. HALO_MEMORY. Free it in any case. */
halo_status halo_checkpoint_rows_begin(halo_checkpoint_rows *rows,
                                       const halo_checkpoint_reader *reader);
void halo_checkpoint_rows_free(halo_checkpoint_rows *rows);

/* Local. Rows `first` to `first + count - 1`, verified, `pitch` bytes apart. HALO_FORMAT,
 * HALO_FILE. */
halo_status halo_checkpoint_rows_get(halo_checkpoint_rows *rows, int64_t first, int64_t count,
                                     void *out, size_t pitch);

#endif
