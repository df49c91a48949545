#ifndef HALOBEAT_TESTS_MIXER_H
#define HALOBEAT_TESTS_MIXER_H

#include "core/beat/beat.h"

/* A kernel with two copies of two fields, every cell of which depends on all cells near it: an
 * out-of-date halo, a lost row, or a row computed at the wrong beat changes its digest. */

enum { MIXER_WIDTH = 11 };

extern const halo_kernel mixer;

/* Collective. Creates a run of `kernel` (the mixer, or one made of it) on `rows` rows in even
 * strips, with cells filled in. Failures are noted (expect); NULL is returned then. */
halo_beat *mixer_start(const halo_kernel *kernel, halo_world *world, int64_t rows, bool periodic,
                       const halo_beat_options *options);

/* Collective. As mixer_start, on a domain of its own, cut by `partition`. */
halo_beat *mixer_start_parts(halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const halo_beat_options *options);

/* Collective. A sum over all ranks that detects exchanged cells. */
int64_t mixer_digest(halo_world *world, const halo_beat *beat);

#endif
