#ifndef HALOBEAT_CORE_BEAT_BEATS_PER_EXCHANGE_H
#define HALOBEAT_CORE_BEAT_BEATS_PER_EXCHANGE_H

#include "core/beat/kernel.h"
#include "core/world/world.h"
#include "partition/cuts.h"
#include "partition/model.h"

/* How many beats an exchange of halos should last for: with k beats an exchange, a beat has its
 * k-th part of the waiting for messages and votes, and computes cells of its neighbours as well,
 * the more of them the larger k is (the ghost expansion of C. H. Q. Ding and Y. He, 2001). What a
 * beat takes for each k is predicted by partition/model.h, from the time that messages as large as
 * the halos and votes take on the links at hand, and from the time a cell takes. */

/* For halo_beat_options: chosen, and chosen anew while it runs. */
enum { HALO_BEATS_PER_EXCHANGE_AUTO = -1 };

/* Collective. Times messages between ranks that follow each other, small ones and ones as large as
 * the workload's halos in these parts, and votes, which are waited for as a run's are; more than
 * once where that takes little. Fills in the figures of `machine` for messages and votes, those of
 * the slowest rank, the same on all ranks; `machine->cell_seconds` is read, to know how large halos
 * will be, and is the same on all ranks, too. Of the workload's beats the best number from `min` to
 * `max` is asked for. One rank has nothing to wait for. HALO_MEMORY, HALO_MPI. */
halo_status halo_beats_per_exchange_measure(halo_world *world, const halo_workload *workload,
                                            const int parts[HALO_AXES], int min, int max,
                                            halo_machine *machine);

/* Local, pure. Beats an exchange that serve most kernels well without measuring: 8 in one or two
 * axes, 4 in three, so that cells are computed several times while they are in the cache; fewer
 * where the halo computed twice would be more than a few percent of the smallest part, or strips
 * that move become narrower. 1 for kernels in place without `advance`, and for those that look at
 * every beat's sums. */
int halo_beats_per_exchange_default(const halo_kernel *kernel, const halo_domain *domain,
                                    const halo_partition *partition, bool moves);

/* Local, pure. The most beats an exchange that are worth trying: no part may be less deep than the
 * halo, or a quarter of it where parts move, and halos may not take much more memory than the cells
 * that a rank owns. 1 for the kernels above, and not less than the default. */
int halo_beats_per_exchange_max(const halo_kernel *kernel, const halo_domain *domain,
                                const halo_partition *partition, bool moves);

/* Local. The kernel's work for the model: bytes of a cell of all fields together. */
halo_workload halo_beats_per_exchange_workload(const halo_kernel *kernel,
                                               const halo_domain *domain);

#endif
