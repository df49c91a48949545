#ifndef HALOBEAT_IO_CELLS_CELLS_WRITE_H
#define HALOBEAT_IO_CELLS_CELLS_WRITE_H

#include "core/file/rows.h"
#include "core/world/world.h"
#include "io/cells/cells.h"

/* Collective. Writes cells that are distributed in strips to the file `path`, as RLE or .cells:
 * rank r has rows cuts[r] to cuts[r + 1] - 1, which `rows` produces in the layout of
 * halo_cells_writer_rows; `cuts` [ranks + 1] ascends from 0 to the height. All arguments but `rows`
 * are the same on all ranks. Rank 0 makes the text, which depends on all text before it, a few rows
 * at a time, and shows progress. The file has the same bytes for every number of ranks and all
 * cuts, and appears under its name only when it is complete.
 *
 * HALO_ARGUMENT as of halo_cells_writer_create, HALO_FILE, HALO_MEMORY, HALO_TRANSPORT, or what a
 * rank's `fill` returned; the same on all ranks. */
halo_status halo_cells_write(halo_world *world, const char *path, halo_cells_format format,
                             const halo_cells_header *header, const int64_t *cuts,
                             const halo_rows *rows);

#endif
