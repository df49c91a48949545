#ifndef HALOBEAT_IO_PNG_PNG_PARALLEL_H
#define HALOBEAT_IO_PNG_PNG_PARALLEL_H

#include "core/file/rows.h"
#include "core/world/world.h"
#include "io/png/png_write.h"

/* Collective. Write an image that lies in row strips to the PNG file `path`: rank r brings rows
 * cuts[r] to cuts[r + 1] - 1, asked for through `rows`; `cuts` has ranks + 1 entries from 0 to the
 * height, empty strips allowed. All arguments but `rows` are the same on all ranks.
 *
 * Every rank encodes the chunks (png_write.h) that start in its strip; the few rows of a chunk that
 * lie in other strips are sent to it while it encodes its earlier chunks. The compressed chunks are
 * kept until all ranks know their places in the file. The file has the same bytes for every number
 * of ranks and every cuts, and appears under its name only when it is whole.
 *
 * All ranks return the same status: HALO_ARGUMENT for a header or cuts that cannot be, HALO_FILE,
 * HALO_MEMORY, HALO_MPI, or what a rank's `fill` returned. */
halo_status halo_png_write(halo_world *world, const char *path, const halo_png_header *header,
                           const int64_t *cuts, const halo_rows *rows);

#endif
