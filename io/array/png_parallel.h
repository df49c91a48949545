#ifndef HALOBEAT_IO_ARRAY_PNG_PARALLEL_H
#define HALOBEAT_IO_ARRAY_PNG_PARALLEL_H

#include "core/file/rows.h"
#include "core/world/world.h"
#include "io/png/png_write.h"

/* Collective. Writes an image that is distributed in strips of rows to the PNG file `path`: rank r
 * has rows cuts[r] to cuts[r + 1] - 1, which `rows` produces. `cuts` [ranks + 1] ascends from 0 to
 * the height; empty strips are allowed. All arguments but `rows` are the same on all ranks.
 *
 * Every rank encodes the chunks (png_write.h) that begin in its strip; the few rows of a chunk that
 * lie in other strips are sent to it while it encodes its earlier chunks. Compressed chunks are
 * kept until all ranks know their offsets in the file. The file has the same bytes for every number
 * of ranks and all cuts, and appears under its name only when it is complete.
 *
 * HALO_ARGUMENT for an invalid header or cuts, HALO_FILE, HALO_MEMORY, HALO_TRANSPORT, or what a
 * rank's `fill` returned; the same on all ranks. */
halo_status halo_png_write(halo_world *world, const char *path, const halo_png_header *header,
                           const int64_t *cuts, const halo_rows *rows);

#endif
