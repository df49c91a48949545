#ifndef HALOBEAT_IO_ARRAY_ROWS_FILE_H
#define HALOBEAT_IO_ARRAY_ROWS_FILE_H

#include "base/memory.h"
#include "core/file/rows.h"
#include "core/world/world.h"

/* Files that consist of a header and the contiguous rows of an image or array. */
typedef struct {
    const halo_buffer *head; /* the header, the same on all ranks */
    halo_status made;        /* status of making it on this rank */
    size_t row_bytes;
    int64_t height; /* rows */
    int64_t count;  /* arrays of this size, one after the other; 0: 1 */
    /* A format whose header is a file of its own has that file's path and text here, the same on
     * all ranks; the two files are replaced together or not at all. NULL: there is none. */
    const char *beside;
    const halo_buffer *text;
} halo_rows_file;

/* Collective. Writes the file `path`: rank r has rows cuts[r] to cuts[r + 1] - 1 of each array,
 * which `rows` [count] produce about 1 MiB at a time; `cuts` [ranks + 1] ascends from 0 to the
 * height; empty strips are allowed. The file appears under its name only when it is complete.
 * Returns, the same on all ranks, the status of a rank that could not make the header,
 * HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_TRANSPORT, or what a rank's `fill` returned. */
halo_status halo_rows_file_write(halo_world *world, const char *path, const halo_rows_file *file,
                                 const int64_t *cuts, const halo_rows *rows);

#endif
