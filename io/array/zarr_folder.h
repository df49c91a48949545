#ifndef HALOBEAT_IO_ARRAY_ZARR_FOLDER_H
#define HALOBEAT_IO_ARRAY_ZARR_FOLDER_H

#include "core/file/atomic.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* A folder of chunks that all ranks write, and that appears under its name only when it is
 * complete: it is written as .NAME.partial in the same folder. What a killed run has left there is
 * replaced by the next run. Not installed. */
typedef struct {
    char path[HALO_ATOMIC_PATH_SIZE];      /* as passed by the caller, for messages */
    char target[HALO_ATOMIC_PATH_SIZE];    /* path with links followed; on rank 0 */
    char temporary[HALO_ATOMIC_PATH_SIZE]; /* where chunks are written; on all ranks */
    int lock;                              /* file descriptor of the lock, on rank 0; -1: none */
    bool flushes; /* files are flushed to disk; not for one rank alone, which may write very many
                   * (file.h) */
} halo_zarr_folder;

/* Collective. HALO_FILE if something other than a zarr array has this name, the folder cannot be
 * created, or not all ranks see it. */
halo_status halo_zarr_folder_check(halo_world *world, const char *path);

/* Collective. Creates the folder under its temporary name. HALO_FILE as above, on all ranks. */
halo_status halo_zarr_folder_begin(halo_zarr_folder *folder, halo_world *world, const char *path);

/* Collective. Agrees on `mine`. If all ranks succeeded, rank 0 writes the metadata `text`, renames
 * the folder, and removes the one that had the name before; otherwise the new folder is removed. */
halo_status halo_zarr_folder_end(halo_zarr_folder *folder, halo_world *world, const char *text,
                                 halo_status mine);

/* Local. Writes a file in the folder. HALO_FILE. */
halo_status halo_zarr_folder_write(const halo_zarr_folder *folder, const char *name,
                                   const void *data, size_t bytes);

#endif
