#ifndef HALOBEAT_PATHS_PATHS_H
#define HALOBEAT_PATHS_PATHS_H

#include "core/beat/kernel.h"

#include <stddef.h>

/* Shortest paths on a raster of costs, an image or a volume: the distance of every cell from the
 * nearest source.
 *
 * The distance of a cell is the minimum over all paths of the sums of the steps' weights, added in
 * double from the source on. A step of length l from a cell of cost a to one of cost b weighs,
 * evaluated from left to right:
 * - along an axis and diagonally, also to a cell that shares a corner only: (a + b) * (l * 0.5)
 * - for a knight's move: (p + q + b + a) * (l / 4), with the costs p and q of the cells it passes
 *
 * These are the definitions of MCP_Geometric in scikit-image and, for square cells of side 1, of
 * r.cost in GRASS. Rounded addition is monotone, so that any order of work gives the same bits.
 * Cells of infinite cost are barriers: diagonal steps may pass between two of them, knight's moves
 * may not pass over one. */

/* A cell of the field. During a run the sign bit of the cost says that the cell is in the queue:
 * read the cost with fabs. */
typedef struct {
    double distance; /* from the nearest source; halo_paths_unreached if none is known. A source
                      * has -0.0, and no other cell has: test it with signbit */
    double cost;     /* 0 or more; infinite: a barrier */
} halo_paths_cell;

enum {
    HALO_PATHS_NEIGHBOURS = 16,      /* maximum number of neighbours in an image */
    HALO_PATHS_DEFAULT_QUOTA = 16384 /* of rounds */
};

/* Options. Zero-initialise it: 0 means the default. */
typedef struct {
    int neighbours;           /* 4, 8 or 16; 0 means 8. In a volume (see below) 6, 18 or 26 */
    double cell_size[2];      /* along the last two axes, above 0; 0 means 1 */
    double max_distance;      /* cells farther than this stay unreached; 0: no limit */
    int64_t quota;            /* cells taken from the queue in a beat, or, asynchronously, before
                               * messages are checked; 0: until it is empty */
    const char *instructions; /* avx512, avx2 or plain; NULL: the best of this machine */
} halo_paths_options;

/* Options of a search through a volume, by 6, 18 or 26 neighbours. Functions that take
 * halo_paths_options take a pointer to its member `options`: with so many neighbours these must be
 * the beginning of such a structure. Zero-initialise it. */
typedef struct {
    halo_paths_options options;
    double plane_distance; /* size of a cell along axis 0, above 0; 0 means 1 */
} halo_paths_volume;

/* A step from a cell of an image. Straight steps come first: N W E S NW NE SW SE, then knight's
 * moves by rows. The order decides which of several ways back to cells of one distance a path
 * takes. */
typedef struct {
    int dy, dx;
    double weight;    /* factor of the sum of costs */
    int passed[2][2]; /* dy, dx of the two cells that a knight's move passes over */
} halo_paths_step;

/* Local, pure. Writes the steps to `steps`, [HALO_PATHS_NEIGHBOURS], and returns their number; 0
 * for volumes. */
int halo_paths_steps(const halo_paths_options *options, halo_paths_step *steps);

/* Local, pure. The distance value of an unreached cell. */
double halo_paths_unreached(const halo_paths_options *options);

/* Local. The kernel, of two axes or, with 6, 18 or 26 neighbours, of three, with one field of
 * halo_paths_cell, to run in rounds or asynchronously with kernel_options set to the options, which
 * must outlive it. Before the first beat the caller fills in costs and distances: -0.0 for sources,
 * the distances of an earlier run to continue, halo_paths_unreached elsewhere. A beat puts cells
 * that the halo has improved into the queue, then takes up to a quota of cells from it; a beat that
 * changes nothing on any rank ends the run. `changed` counts cells taken. HALO_ARGUMENT for a part
 * with 2^31 cells or more, including the halo. */
halo_kernel halo_paths_kernel(const halo_paths_options *options);

/* Local, pure. A quota for asynchronous runs of which each rank has `cells` cells: a 128th of them,
 * 256 at least and 4096 at most. A rank then looks for messages so often that it does not work long
 * on distances that others know to be too large, and so seldom that looking costs little.
 * Simulated, this is within a few percent of the best on 2 to 64 ranks. */
int64_t halo_paths_async_quota(int64_t cells);

/* Counts of this rank, from the state of a run (halo_beat_state). */
typedef struct {
    int64_t taken;       /* cells taken from the queue */
    int64_t improved;    /* times a distance decreased */
    int64_t queue_bytes; /* size of the queue */
} halo_paths_counts;

/* Local. The counts of this rank in the run whose state this is (halo_beat_state). */
void halo_paths_count_sized(const void *state, halo_paths_counts *counts, size_t counts_bytes);
static inline halo_paths_counts halo_paths_count(const void *state)
{
    halo_paths_counts halo_filled;
    halo_paths_count_sized(state, &halo_filled, sizeof(halo_paths_counts));
    return halo_filled;
}

#endif
