#ifndef HALOBEAT_CORE_BEAT_BEAT_INTERNAL_H
#define HALOBEAT_CORE_BEAT_BEAT_INTERNAL_H

#include "core/beat/beat.h"
#include "core/beat/superstep.h"
#include "core/beat/vote.h"

/* What the files of the heartbeat share. Internal to them. */

struct halo_beat {
    halo_world *world;
    const halo_kernel *kernel;
    halo_beat_options options;
    halo_domain domain;
    halo_partition partition; /* as it is, */
    halo_partition planned;   /* and as it will be */
    int64_t *left;            /* [most parts of an axis + 1] cuts that have been left */
    halo_superstep *superstep;
    int64_t past_messages, past_bytes; /* of exchanges between boundaries that have moved */
    halo_vote *vote;
    int entries; /* of a packet */
    int64_t
        *packet; /* the vote's, the kernel's sums, the cells that beats before the last changed */
    bool stop;   /* this rank wishes to, and has not been heard */
    int64_t beats;
    bool settled, stopped;

    /* When the last plan was made. */
    int64_t messages, bytes; /* that had been sent */
};

/* Local. How halos are to be exchanged. */
halo_exchange_options halo_beat_exchange_options(const halo_beat *beat);

/* Local. Can the parts of `partition` move within their memory, and are they wanted to? Strips can,
 * where the system lets them. */
bool halo_beat_moves_in_place(const halo_beat *beat, const halo_partition *partition);

/* Collective, before a run. Connects parts that an earlier move had no memory left to connect. */
halo_status halo_beat_connect(halo_beat *beat);

/* Collective, before a superstep. Plans, and moves what is to be moved, if that is due; `left`
 * beats are to come, negative if not known. */
halo_status halo_beat_balance(halo_beat *beat, int64_t left);

#endif
