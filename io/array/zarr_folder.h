#ifndef HALOBEAT_IO_ARRAY_ZARR_FOLDER_H
#define HALOBEAT_IO_ARRAY_ZARR_FOLDER_H

#include "core/file/atomic.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* A folder of chunks that all ranks write, and that appears under its name only when it is whole:
 * it is written as .NAME.partial beside that name. What a run that was killed has left there is
 * replaced by the next one. Not installed. */
typedef struct {
    char path[HALO_ATOMIC_PATH_SIZE];      /* as the caller gave it, for messages */
    char target[HALO_ATOMIC_PATH_SIZE];    /* with links followed; on rank 0 */
    char temporary[HALO_ATOMIC_PATH_SIZE]; /* where chunks go, on all ranks */
    int lock;                              /* of it, on rank 0; -1 */
    bool flushes; /* to the disk; of one rank alone, which writes very many, nothing (file.h) */
} halo_zarr_folder;

/* Collective. HALO_FILE if there is something else than an array of zarr under this name, or no
 * folder can be made there, or not all ranks see it. */
halo_status halo_zarr_folder_check(halo_world *world, const char *path);

/* Collective. Make the folder under its temporary name. HALO_FILE as above, on all ranks. */
halo_status halo_zarr_folder_begin(halo_zarr_folder *folder, halo_world *world, const char *path);

/* Collective. Agree on `mine`: when all are well, rank 0 writes the description `text`, and the
 * folder gets its name, and what had it before is removed; otherwise what is new is. */
halo_status halo_zarr_folder_end(halo_zarr_folder *folder, halo_world *world, const char *text,
                                 halo_status mine);

/* Local. Write a file in the folder. HALO_FILE. */
halo_status halo_zarr_folder_write(const halo_zarr_folder *folder, const char *name,
                                   const void *data, size_t bytes);

#endif
