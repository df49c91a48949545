#ifndef HALOBEAT_TESTS_SYNTHETIC_RUN_H
#define HALOBEAT_TESTS_SYNTHETIC_RUN_H

#include "kernels/synthetic/synthetic.h"

/* A heartbeat of the synthetic kernel from beat 0 on, checked against its closed forms. Zeroed but
 * for the options at first. */
typedef struct {
    halo_synthetic_options options; /* its digest is set */
    halo_world *world;
    uint64_t digest;
    halo_beat *beat;
} synthetic_run;

/* Collective. `partition` NULL: even strips. `how` may be NULL; its kernel options are not read.
 * The run stays where it is until it is ended. */
halo_status synthetic_run_create(synthetic_run *run, halo_world *world,
                                 const halo_partition *partition, const halo_beat_options *how);

/* Collective. So many beats more; failures are expected not to be. */
void synthetic_run_beats(synthetic_run *run, const char *text, int64_t beats);

/* Collective. Are all cells and the digest what they must be? */
halo_synthetic_verdict synthetic_run_check(const synthetic_run *run);

/* Local. */
void synthetic_run_end(synthetic_run *run);

#endif
