#ifndef HALOBEAT_CORE_BEAT_BEATS_PER_EXCHANGE_H
#define HALOBEAT_CORE_BEAT_BEATS_PER_EXCHANGE_H

#include "core/beat/kernel.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* How many beats an exchange of halos should last for.
 *
 * With k beats an exchange, a beat has its k-th part of the waiting for messages, m latencies of
 * alpha seconds, and computes (k - 1) w seconds' worth of cells that are its neighbours': their sum
 * is smallest at k = sqrt(m alpha / w) (the ghost expansion of C. H. Q. Ding and Y. He, 2001). The
 * bytes sent per beat are the same for every k. */

typedef struct {
    /* w: computing, in one beat, as many layers as the kernel's halo is deep. The largest of all
     * ranks counts. */
    double layer_seconds;
    /* m: messages that wait for each other from one exchange to the next; 0 for one of halos and a
     * vote up and down a tree of all ranks. */
    int messages;
    int min, max; /* beats, from 1 on */
} halo_beats_per_exchange_costs;

/* Local, pure. The whole k in [min, max] with the smallest waiting / k + (k - 1) layer; the smaller
 * of two. Both in seconds; `min` where there is no waiting. */
int halo_beats_per_exchange_best(double waiting_seconds, double layer_seconds, int min, int max);

/* Collective. Measures the latency between neighbouring ranks, in some tens of small messages that
 * are waited for as a run's are, and puts the best number of beats into *beats, the same on all
 * ranks: `min` on one rank. All but `layer_seconds` is the same on all ranks. HALO_ARGUMENT for
 * costs that make no sense, HALO_MPI. */
halo_status halo_beats_per_exchange_choose(halo_world *world,
                                           const halo_beats_per_exchange_costs *costs, int *beats);

/* Local, pure. Beats an exchange that serve most kernels well without measuring: 8 in one or two
 * axes, 4 in three, so that cells are computed several times while they are in the cache; fewer
 * where the halo computed twice would be more than a few percent of the smallest part, or strips
 * that move become narrower. 1 for kernels in place without `advance`, and for those that look at
 * every beat's sums. */
int halo_beats_per_exchange_default(const halo_kernel *kernel, const halo_domain *domain,
                                    const halo_partition *partition, bool moves);

#endif
