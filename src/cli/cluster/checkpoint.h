#ifndef HALOBEAT_CLI_CLUSTER_CHECKPOINT_H
#define HALOBEAT_CLI_CLUSTER_CHECKPOINT_H

#include "cli/cluster/options.h"
#include "core/file/checkpoint.h"
#include "kernels/cluster/cluster.h"

#include <jansson.h>

/* Checkpoints of clusters: a row for each cluster. The image itself is not in it, but a digest that
 * tells it from others. */

typedef struct {
    halo_checkpoint_reader *reader; /* NULL: nothing is restored */
    int64_t clusters, beat;
    int64_t changed; /* pixels, in the last beat; -1: there was none */
    json_t *image;   /* its signature */
    json_t *json;    /* all that the checkpoint says */
} cluster_checkpoint;

/* Collective. Open the checkpoint that `arguments` name, if any, and set the options that it keeps.
 * HALO_ARGUMENT if others were `given`, HALO_FORMAT, HALO_FILE, HALO_MEMORY, HALO_MPI;
 * cluster_checkpoint_close in any case. */
halo_status cluster_checkpoint_open(cluster_checkpoint *saved, halo_world *world,
                                    app_options *given, const cluster_arguments *arguments);

/* Local. */
void cluster_checkpoint_close(cluster_checkpoint *saved);

/* Collective. Put the records into a run of the kernel whose picture is there; of one that has
 * beats behind it. HALO_FORMAT, HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status cluster_checkpoint_restore(cluster_checkpoint *saved, halo_world *world,
                                       halo_beat *beat, halo_clock *clock);

/* Collective. Save the records of a run: the same bytes for every number of ranks. `what` says what
 * they are of. HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status cluster_checkpoint_write(const cluster_checkpoint *what, halo_world *world,
                                     const app_options *given, const char *path,
                                     const halo_beat *beat, halo_clock *clock);

#endif
