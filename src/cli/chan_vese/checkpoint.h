#ifndef HALOBEAT_CLI_CHAN_VESE_CHECKPOINT_H
#define HALOBEAT_CLI_CHAN_VESE_CHECKPOINT_H

#include "cli/chan_vese/options.h"
#include "core/beat/beat.h"
#include "core/file/checkpoint.h"

#include <jansson.h>

/* Checkpoints of level sets: rows of bits, the first pixel lowest. The image itself is not in it,
 * but a digest that tells it from others. */

typedef struct {
    halo_checkpoint_reader *reader; /* NULL: nothing is restored */
    int64_t beat;
    int64_t still; /* what the last beats were like: see halo_chan_vese_recall */
    uint64_t trace;
    json_t *image; /* its signature */
    json_t *json;  /* all that the checkpoint says */
} chan_vese_checkpoint;

/* Collective. Open the checkpoint `path`, if it is not NULL, and set the options that it keeps.
 * HALO_ARGUMENT if others were `given`, HALO_FORMAT, HALO_FILE, HALO_MEMORY, HALO_MPI;
 * chan_vese_checkpoint_close in any case. */
halo_status chan_vese_checkpoint_open(chan_vese_checkpoint *saved, halo_world *world,
                                      app_options *given, const char *path);

/* Local. */
void chan_vese_checkpoint_close(chan_vese_checkpoint *saved);

/* Collective. Put the level set into a run of the kernel, which has a picture of the same size.
 * HALO_FORMAT, HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status chan_vese_checkpoint_restore(chan_vese_checkpoint *saved, halo_world *world,
                                         halo_beat *beat, halo_clock *clock);

/* Collective. Save the level set of a run: the same bytes for every number of ranks. `what` says
 * what it is of. HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status chan_vese_checkpoint_write(const chan_vese_checkpoint *what, halo_world *world,
                                       const app_options *given, const char *path,
                                       const halo_beat *beat, halo_clock *clock);

#endif
