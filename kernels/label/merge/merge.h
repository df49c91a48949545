#ifndef HALOBEAT_LABEL_MERGE_H
#define HALOBEAT_LABEL_MERGE_H

#include "kernels/label/job.h"

/* Collective. Merges united strips or blocks: finds which of their components are one region,
 * finishes the strips and sets job->keys. Internal to the label kernel.
 *
 * Groups of neighbouring strips, whose size doubles in every round, exchange the runs of their
 * outer rows (or planes) and merge them: ceil(log2(strips)) beats, for every image. Blocks do that
 * along the last axis first, with all their sides, then along the other axes. Every rank of a group
 * computes the borders of the whole group, so that nothing has to be sent back. HALO_ARGUMENT for
 * borders too large to send, HALO_MEMORY, HALO_TRANSPORT. */
halo_status label_merge(label_job *job);

#endif
