#ifndef HALOBEAT_TESTS_MIXER_H
#define HALOBEAT_TESTS_MIXER_H

#include "core/beat/beat.h"

/* A kernel with two copies of two fields, every cell of which depends on all that came near it: a
 * stale halo, a row that is lost or one done at the wrong beat changes its digest. */

enum { MIXER_WIDTH = 11 };

extern const halo_kernel mixer;

/* Collective. A run of `kernel` (the mixer, or one made of it) on `rows` rows in even strips, cells
 * filled in; failures are noted (expect), and then there is none. */
halo_beat *mixer_start(const halo_kernel *kernel, halo_world *world, int64_t rows, bool periodic,
                       const halo_beat_options *options);

/* Collective. The same on a domain of its own, as `partition` cuts it. */
halo_beat *mixer_start_parts(halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const halo_beat_options *options);

/* Collective. A sum over all ranks in which no two cells can change places. */
int64_t mixer_digest(halo_world *world, const halo_beat *beat);

#endif
