#ifndef HALOBEAT_IO_NPY_ROWS_FILE_H
#define HALOBEAT_IO_NPY_ROWS_FILE_H

#include "base/memory.h"
#include "core/file/rows.h"
#include "core/world/world.h"

/* Files that are a head and then the rows of a picture or an array, one after the other. */
typedef struct {
    const halo_buffer *head; /* the same on all ranks, and what made it */
    halo_status made;        /* of this rank: the head's */
    size_t row_bytes;
    int64_t height; /* rows */
} halo_rows_file;

/* Collective. Write the file `path`: rank r brings rows cuts[r] to cuts[r + 1] - 1, asked for
 * through `rows` about 4 MiB at a time; `cuts` has ranks + 1 entries from 0 to the height, empty
 * strips allowed. The file appears under its name only when it is whole. All ranks return the same
 * status: that of a rank that could not make the head, HALO_ARGUMENT, HALO_FILE, HALO_MEMORY,
 * HALO_MPI, or what a rank's `fill` returned. */
halo_status halo_rows_file_write(halo_world *world, const char *path, const halo_rows_file *file,
                                 const int64_t *cuts, const halo_rows *rows);

#endif
