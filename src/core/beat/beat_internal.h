#ifndef HALOBEAT_CORE_BEAT_BEAT_INTERNAL_H
#define HALOBEAT_CORE_BEAT_BEAT_INTERNAL_H

#include "core/beat/beat.h"
#include "core/beat/superstep.h"

/* What the files of the heartbeat share. Internal to them. */

struct halo_beat {
    halo_world *world;
    const halo_kernel *kernel;
    halo_beat_options options;
    halo_exchange_options exchange; /* those of them that say how halos travel */
    halo_domain domain;
    halo_partition partition;
    halo_superstep *superstep;
    halo_loop *loop; /* whose report counts messages of exchanges that are no more */

    /* When the last plan was made. */
    int64_t messages, bytes; /* that had been sent */
};

/* Local. Can the parts of `partition` move within their memory, and are they wanted to? Strips can,
 * where the system lets them. */
bool halo_beat_moves_in_place(const halo_beat *beat, const halo_partition *partition);

/* Collective, before a run. Connects parts that an earlier move had no memory left to connect. */
halo_status halo_beat_connect(halo_beat *beat);

/* A hook of the loop, whose context is a halo_beat: plans, and moves what is to be moved. */
halo_status halo_beat_balance(void *context, int64_t left);

#endif
