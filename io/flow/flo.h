#ifndef HALOBEAT_IO_FLOW_FLO_H
#define HALOBEAT_IO_FLOW_FLO_H

#include "base/memory.h"
#include "core/file/rows.h"
#include "core/world/world.h"

/* Middlebury's format of optical flow, .flo (S. Baker, D. Scharstein, J. P. Lewis, S. Roth, M. J.
 * Black and R. Szeliski, A database and evaluation methodology for optical flow, 2011): the float
 * 202021.25, width and height as 32-bit integers, then a pair of floats (u, v) for each pixel in
 * row order, its motion to the right and down in pixels. All values are little-endian. Both are
 * above 10^9 where the motion is unknown. */

enum {
    HALO_FLO_HEAD = 12,       /* bytes before the pairs */
    HALO_FLO_PAIR = 8,        /* bytes of a pixel */
    HALO_FLO_MAX_SIDE = 99999 /* maximum of columns and rows: the format's own example reads no
                               * more */
};

/* Local. Appends the header. HALO_ARGUMENT, with a remedy, for a width or height that is not 1 to
 * HALO_FLO_MAX_SIDE; HALO_MEMORY. */
halo_status halo_flo_begin(halo_buffer *out, int64_t width, int64_t height);

/* Collective. Writes a flow that is distributed in strips of rows to the file `path`: rank r has
 * rows cuts[r] to cuts[r + 1] - 1, pairs of floats in native byte order, which `rows` produces.
 * `cuts` [ranks + 1] ascends from 0 to the height; empty strips are allowed. All arguments but
 * `rows` are the same on all ranks. The file has the same bytes for every number of ranks, and
 * appears under its name only when it is complete. HALO_ARGUMENT, HALO_FILE, HALO_MEMORY,
 * HALO_TRANSPORT, or what a rank's `fill` returned; the same on all ranks. */
halo_status halo_flo_write(halo_world *world, const char *path, int64_t width, int64_t height,
                           const int64_t *cuts, const halo_rows *rows);

#endif
