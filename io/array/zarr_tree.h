#ifndef HALOBEAT_IO_ARRAY_ZARR_TREE_H
#define HALOBEAT_IO_ARRAY_ZARR_TREE_H

#include "core/file/partial.h"

#include <stdbool.h>

/* Functions that list and remove the contents of a zarr array's folder, or of a group of levels:
 * descriptions, chunks by their numbers, and folders of these. Symbolic links are never followed.
 * Everything is local; not installed. */

enum { HALO_ZARR_TREE_PATH = HALO_PARTIAL_PATH_SIZE + 256 };

/* True if there is something else in the folder `path`; `found` is then its path, or that of a
 * folder that cannot be listed. */
bool halo_zarr_tree_find_foreign(const char *path, char found[HALO_ZARR_TREE_PATH]);

/* True if the folder `path`, which halobeat has written, has its description and every chunk,
 * none of them empty. */
bool halo_zarr_tree_is_whole(const char *path);

/* Flushes the folder `handle` and all folders in it to disk, as far as that is possible. */
void halo_zarr_tree_sync(int handle);

/* Removes the folder `name` of the open directory `around` (or AT_FDCWD) with what is an array's;
 * it stays if there is more in it. */
void halo_zarr_tree_remove(int around, const char *name);

#endif
