#ifndef HALOBEAT_IO_ARRAY_NPY_WRITE_H
#define HALOBEAT_IO_ARRAY_NPY_WRITE_H

#include "core/file/rows.h"
#include "core/world/world.h"
#include "io/npy/npy.h"

/* Collective. Writes an array that is distributed in strips of rows to the file `path`: rank r has
 * rows cuts[r] to cuts[r + 1] - 1, which `rows` produces about 4 MiB at a time. `cuts` [ranks + 1]
 * ascends from 0 to the height; empty strips are allowed. All arguments but `rows` are the same on
 * all ranks. The file has the same bytes for every number of ranks, and appears under its name only
 * when it is complete. HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_TRANSPORT, or what a rank's
 * `fill` returned; the same on all ranks. */
halo_status halo_npy_write(halo_world *world, const char *path, const halo_npy_header *header,
                           const int64_t *cuts, const halo_rows *rows);

#endif
