#ifndef HALOBEAT_CLI_LIFE_SOURCE_H
#define HALOBEAT_CLI_LIFE_SOURCE_H

#include "app/progress.h"
#include "cli/life/options.h"
#include "core/file/checkpoint.h"
#include "io/cells/cells.h"
#include "kernels/life/life.h"

/* What a run begins with: a pattern's file, a soup or a checkpoint; first what it is, then its
 * cells. */

enum { LIFE_RULE_TEXT = 256, LIFE_MOST_BAND_BYTES = 1 << 20 };

typedef struct {
    halo_world *world;
    const app_options *given;
    const life_arguments *arguments;
    progress *progress;

    /* Known after life_source_open, the same on all ranks. */
    const char *kind;          /* "soup", "checkpoint" or the format of the file */
    int64_t n[HALO_LIFE_AXES]; /* cells of the pattern */
    int cell_bits, states;     /* of its cells */
    halo_life_rule rule;
    halo_life_edge edges[HALO_LIFE_AXES];
    halo_life_box box;                  /* of the grid */
    int64_t pattern_lo[HALO_LIFE_AXES]; /* where the pattern's upper left cell goes */
    int64_t generation;

    /* Its own. */
    halo_cells_reader *reader; /* rank 0's */
    halo_checkpoint_reader *checkpoint;
} life_source;

/* Collective. Find out what the arguments begin with, and which grid it needs. HALO_ARGUMENT for
 * what does not fit together, HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_MPI; the same on all ranks.
 * `source` must be closed in any case; it refers to what it is given. */
halo_status life_source_open(life_source *source, halo_world *world, const app_options *given,
                             const life_arguments *arguments, progress *shown);

/* Collective. Put the cells into `life`, which was made for this source's rule, edges and box, and
 * set its generation. Only once. */
halo_status life_source_fill(life_source *source, halo_life *life, halo_clock *clock);

/* Local. */
void life_source_close(life_source *source);

#endif
