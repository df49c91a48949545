#ifndef HALOBEAT_PATHS_PATHS_H
#define HALOBEAT_PATHS_PATHS_H

#include "core/beat/kernel.h"

/* Shortest paths on a raster of costs: the distance of every cell from the nearest source.
 *
 * The distance of a cell is the minimum over all paths of the steps' weights, added in double
 * precision one after another from the source on. A step from a cell of cost a to one of cost b, of
 * length l, weighs, evaluated from left to right,
 *   - along an axis and diagonally: (a + b) * (l * 0.5)
 *   - for a knight's move: (p + q + b + a) * (l / 4), with the costs p and q of the cells it passes
 *
 * These are the definitions of MCP_Geometric in scikit-image and, for square cells of side 1, of
 * r.cost in GRASS. Rounded addition is monotone, so any order of work ends on the same bits. Cells
 * of infinite cost are barriers; diagonal steps may pass between two of them, knight's moves may
 * not pass over one. */

/* A cell of the field. While a front works on it, the sign bit of the cost says that the cell is
 * in its queue: read the cost with fabs. */
typedef struct {
    double distance; /* from the nearest source; halo_paths_unreached where there is none yet. That
                      * of a source is -0.0, and nothing else is: signbit tells sources */
    double cost;     /* 0 or more; infinite: a barrier */
} halo_paths_cell;

/* name, help */
#define HALO_PATHS_METHOD_LIST(X)                                                             \
    X(async, "each rank works on its queue, and sends what has changed near its boundaries, " \
             "without rounds")                                                                \
    X(settle, "each rank empties its queue, or takes --quota cells from it, then boundaries " \
              "are exchanged")                                                                \
    X(bucket, "the same queue of buckets on one rank, without boundaries")

enum {
    HALO_PATHS_NEIGHBOURS = 16, /* at most */
    HALO_PATHS_DEFAULT_QUOTA = 16384,
    HALO_PATHS_ASYNC_QUOTA = 4096 /* asynchronously, of large parts; a 128th of smaller ones */
};

/* Zero-initialise it: 0 means the default. */
typedef struct {
    int neighbours;      /* 4, 8 or 16; 0 means 8 */
    double cell_size[2]; /* along axis 0 and axis 1, more than 0; 0 means 1 */
    double max_distance; /* cells farther than this stay unreached; 0: no limit */
    int64_t quota;       /* cells taken from the queue in a beat, or, asynchronously, between two
                          * looks for messages; 0: until it is empty */
    const char *instructions; /* avx512, avx2 or plain; NULL: the best that this machine has */
} halo_paths_options;

/* Local, pure. The steps from a cell, the straight ones first: N W E S NW NE SW SE, then knight's
 * moves by rows. The order decides which of several shortest paths is traced. */
typedef struct {
    int dy, dx;
    double weight;    /* times the sum of costs */
    int passed[2][2]; /* dy, dx of the two cells that a knight's move passes */
} halo_paths_step;

/* Local, pure. Fill in `steps`, [HALO_PATHS_NEIGHBOURS]; returns how many there are. */
int halo_paths_steps(const halo_paths_options *options, halo_paths_step *steps);

/* Local, pure. The distance of a cell that no path has reached. */
double halo_paths_unreached(const halo_paths_options *options);

/* Local. A kernel of one field of halo_paths_cell, in rounds or asynchronously, to be run with
 * kernel_options = a pointer to options, which must outlive it. Before the first beat the caller
 * fills in costs, and distances: -0.0 of sources, those of an earlier run that is continued,
 * halo_paths_unreached elsewhere. A beat takes what neighbours have found into the queue and then
 * takes up to a quota of cells from it; one that changes nothing anywhere ends the run. Its
 * `changed` counts cells taken. A part may have 2^31 - 1 cells, halo included: HALO_ARGUMENT for
 * more. */
halo_kernel halo_paths_kernel(const halo_paths_options *options);

/* Local. What this rank has done in a run whose state this is (halo_beat_state). */
typedef struct {
    int64_t taken;       /* cells taken from the queue */
    int64_t improved;    /* times that a distance became smaller */
    int64_t queue_bytes; /* of the queue */
} halo_paths_counts;
halo_paths_counts halo_paths_count(const void *state);

#endif
