#ifndef HALOBEAT_LABEL_SEEDS_H
#define HALOBEAT_LABEL_SEEDS_H

#include "kernels/label/job.h"

/* Converts pixels with their region's seed (1 + its largest row-major index) to components and
 * keys, so that all methods number and paint alike. Collective. Finishes job->strip and sets
 * job->keys. `seeds` are this rank's rows, 64-bit integers. Internal to the label kernel. */
halo_status label_adopt_seeds(label_job *job, const halo_view *seeds);

#endif
