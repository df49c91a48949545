#ifndef HALOBEAT_IO_CELLS_CELLS_WRITE_H
#define HALOBEAT_IO_CELLS_CELLS_WRITE_H

#include "core/file/rows.h"
#include "core/world/world.h"
#include "io/cells/cells.h"

/* Collective. Write cells that lie in strips to the file `path`, as RLE or .cells: rank r brings
 * rows cuts[r] to cuts[r + 1] - 1, asked for through `rows` and laid out as
 * halo_cells_writer_rows takes them; `cuts` has ranks + 1 entries from 0 to the height. All
 * arguments but `rows` are the same on all ranks. Rank 0 makes the text, which depends on all that
 * stands before it, a few rows at a time; it is the one that shows progress. The file has the same
 * bytes for every number of ranks and every cuts, and appears under its name only when it is whole.
 *
 * All ranks return the same status: HALO_ARGUMENT as of halo_cells_writer_create, HALO_FILE,
 * HALO_MEMORY, HALO_MPI, or what a rank's `fill` returned. */
halo_status halo_cells_write(halo_world *world, const char *path, halo_cells_format format,
                             const halo_cells_header *header, const int64_t *cuts,
                             const halo_rows *rows);

#endif
