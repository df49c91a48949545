#ifndef HALOBEAT_IO_ARRAY_ZARR_FOLDER_H
#define HALOBEAT_IO_ARRAY_ZARR_FOLDER_H

#include "core/file/atomic.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* A folder of chunks that all ranks write, and that appears under its name only when it is
 * complete: it is written under a temporary name beside it (core/file/partial.h), where only its
 * owner may read it if it replaces one, whose rights it gets then. What killed runs have left there
 * is removed by the next run. Not installed. */
/* A folder may replace this: one with a file of one of these names, and nothing else in it than
 * arrays have. */
typedef struct {
    const char *const *marks; /* NULL behind the last one */
    const char *what;         /* "an array of zarr" */
} halo_zarr_kind;

extern const halo_zarr_kind halo_zarr_array_kind;

typedef struct {
    const halo_zarr_kind *kind;
    char path[HALO_ATOMIC_PATH_SIZE];      /* as passed by the caller, for messages */
    char target[HALO_ATOMIC_PATH_SIZE];    /* path with links followed; on rank 0 */
    char temporary[HALO_ATOMIC_PATH_SIZE]; /* where chunks are written; on all ranks */
    int handle;                            /* of that folder, locked on rank 0; -1: none */
    halo_partial_rights rights;            /* of the files in it, */
    halo_partial_rights folder_rights;     /* and of the folders */
    bool flushes; /* files are flushed to disk; not for one rank alone, which may write very many
                   * (file.h) */
} halo_zarr_folder;

/* Collective. HALO_FILE if something other than `kind` has this name, the folder cannot be
 * created, or not all ranks see it. */
halo_status halo_zarr_folder_check(halo_world *world, const halo_zarr_kind *kind, const char *path);

/* Collective. Creates the folder under its temporary name. HALO_FILE as above, on all ranks. */
halo_status halo_zarr_folder_begin(halo_zarr_folder *folder, halo_world *world,
                                   const halo_zarr_kind *kind, const char *path);

/* Collective. Agrees on `mine`. If all ranks succeeded, rank 0 writes the metadata `text` and
 * `attributes`, both of which may be NULL, renames the folder, and removes the one that had the
 * name before; otherwise the new folder is removed, and the old one stays. */
halo_status halo_zarr_folder_end(halo_zarr_folder *folder, halo_world *world, const char *text,
                                 const char *attributes, halo_status mine);

/* Local. Writes a file in the folder, and makes the folders that are named before it. HALO_FILE. */
halo_status halo_zarr_folder_write(const halo_zarr_folder *folder, const char *name,
                                   const void *data, size_t bytes);

/* Local. Removes all folders that killed runs have left beside `target`, for any name. */
void halo_zarr_folder_clean(const char *target);

#endif
