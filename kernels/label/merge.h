#ifndef HALOBEAT_LABEL_MERGE_H
#define HALOBEAT_LABEL_MERGE_H

#include "kernels/label/job.h"

/* Collective. From united strips or blocks to finished ones with job->keys: which components of
 * different ones are one region. Internal to the label kernel.
 *
 * Groups of neighbouring strips, doubled in size every round, exchange what touches their outer
 * rows (or planes) and merge it: ceil(log2(strips)) beats, whatever the image looks like. Blocks do
 * that along the last axis first, with all their sides, then along the others. Every rank of a
 * group follows the whole group's borders, so that nothing has to be sent back afterwards.
 * HALO_ARGUMENT for borders too large to send, HALO_MEMORY, HALO_MPI. */
halo_status label_merge(label_job *job);

#endif
