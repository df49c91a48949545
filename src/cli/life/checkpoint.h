#ifndef HALOBEAT_CLI_LIFE_CHECKPOINT_H
#define HALOBEAT_CLI_LIFE_CHECKPOINT_H

#include "core/file/checkpoint.h"
#include "kernels/life/life.h"

/* What a checkpoint of Life says about its rows: the options of core/file/checkpoint.h. */
typedef struct {
    halo_life_rule rule;
    halo_life_edge edges[HALO_LIFE_AXES];
    halo_life_box box; /* on an axis that grows, of the live cells */
    int cell_bits;
} life_checkpoint;

/* Collective. Save the grid as it is, with its live cells in `live`: the same bytes for every
 * number of ranks. HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status life_checkpoint_write(halo_world *world, const char *path, halo_life *life,
                                  const halo_life_rule *rule, const halo_life_edge *edges,
                                  const halo_life_box *live);

/* Local. What a checkpoint, read from `path`, holds. HALO_FORMAT if it is of something else or its
 * parts contradict each other; HALO_MEMORY. */
halo_status life_checkpoint_read(const char *path, const halo_checkpoint *info,
                                 life_checkpoint *what);

#endif
