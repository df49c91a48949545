#ifndef HALOBEAT_CORE_BEAT_BEATS_PER_EXCHANGE_H
#define HALOBEAT_CORE_BEAT_BEATS_PER_EXCHANGE_H

#include "core/beat/kernel.h"
#include "core/world/world.h"
#include "partition/cuts.h"
#include "partition/model.h"

/* The choice of the number of beats per exchange. With k beats per exchange, a beat bears 1/k of
 * the latency of messages and votes, but each rank also computes cells of its neighbours, the more
 * the larger k is (the ghost expansion of C. H. Q. Ding and Y. He, 2001). The time per beat for
 * each k is predicted by partition/model.h from the measured times of messages as large as the
 * halos, of votes, and of a cell. */

/* for halo_beat_options.beats_per_exchange: choose it, and choose again during the run */
enum { HALO_BEATS_PER_EXCHANGE_AUTO = -1 };

/* Collective. Measures small messages and messages as large as the workload's halos, between
 * neighbours in rank order, and votes; repeats that if it takes little time. Writes the figures of
 * messages and votes to `machine`: those of the slowest rank, the same on all ranks.
 * `machine->cell_seconds` is read, to know the sizes of halos for the best number of beats between
 * `min` and `max`; it must be the same on all ranks. The workload's own number of beats is not
 * read. On one rank all these times are 0. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_beats_per_exchange_measure(halo_world *world, const halo_workload *workload,
                                            const int parts[HALO_AXES], int min, int max,
                                            halo_machine *machine);

/* Local, pure. A number of beats per exchange that suits most kernels without measuring: 8 in one
 * or two axes, 4 in three, so that cells are computed several times while they are in the cache. It
 * is smaller where the halo would be more than a few percent of the smallest part, or strips move.
 * 1 for kernels in place without `advance`, and for kernels that need the sums of every beat. */
int halo_beats_per_exchange_default(const halo_kernel *kernel, const halo_domain *domain,
                                    const halo_partition *partition, bool moves);

/* Local, pure. The maximum number of beats per exchange worth trying: no part may have fewer cells
 * along an axis than the halo is deep (four times the halo where parts move), and halos must not
 * need much more memory than the owned cells. 1 for the kernels named above; never below the
 * default. */
int halo_beats_per_exchange_max(const halo_kernel *kernel, const halo_domain *domain,
                                const halo_partition *partition, bool moves);

/* Local. The kernel's workload for the model, with the bytes of a cell of all its fields
 * together. */
halo_workload halo_beats_per_exchange_workload(const halo_kernel *kernel,
                                               const halo_domain *domain);

#endif
