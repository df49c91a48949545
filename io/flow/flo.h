#ifndef HALOBEAT_IO_FLOW_FLO_H
#define HALOBEAT_IO_FLOW_FLO_H

#include "base/memory.h"
#include "core/file/rows.h"
#include "core/world/world.h"

/* Middlebury's files of optical flow (S. Baker, D. Scharstein, J. P. Lewis, S. Roth, M. J. Black
 * and R. Szeliski, A database and evaluation methodology for optical flow, 2011), which end in
 * .flo: the float 202021.25, width and height as 32-bit integers, then a pair of floats (u, v) for
 * each pixel in row order, how many pixels to the right and down it moved. All of it is
 * little-endian. Where nothing is known of a pixel, both are beyond 10^9. */

enum {
    HALO_FLO_HEAD = 12,       /* bytes before the pairs */
    HALO_FLO_PAIR = 8,        /* bytes of a pixel */
    HALO_FLO_MAX_SIDE = 99999 /* columns or rows: more than the format's own example reads */
};

/* Local. Append what stands before the pairs. HALO_ARGUMENT for a width or a height that is not 1
 * to HALO_FLO_MAX_SIDE, with the remedy; HALO_MEMORY. */
halo_status halo_flo_begin(halo_buffer *out, int64_t width, int64_t height);

/* Collective. Write a flow that lies in row strips to the file `path`: rank r brings rows cuts[r]
 * to cuts[r + 1] - 1, pairs of floats in the machine's byte order, asked for through `rows`;
 * `cuts` has ranks + 1 entries from 0 to the height, empty strips allowed. All arguments but `rows`
 * are the same on all ranks. The file has the same bytes for every number of ranks, and appears
 * under its name only when it is whole. All ranks return the same status: HALO_ARGUMENT, HALO_FILE,
 * HALO_MEMORY, HALO_MPI, or what a rank's `fill` returned. */
halo_status halo_flo_write(halo_world *world, const char *path, int64_t width, int64_t height,
                           const int64_t *cuts, const halo_rows *rows);

#endif
