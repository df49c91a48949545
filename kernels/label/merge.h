#ifndef HALOBEAT_LABEL_MERGE_H
#define HALOBEAT_LABEL_MERGE_H

#include "kernels/label/methods.h"

/* Which components of different strips are one region. Internal to the label kernel.
 *
 * A component goes by a key that is the same on all ranks: its rank and the label of its first
 * run. Strips are in rank order and labels in raster order, so that the smallest key of a region
 * is that of its first pixel. */
static inline int64_t label_key(int rank, int64_t label)
{
    return (int64_t)rank << 32 | label;
}

static inline int label_key_rank(int64_t key)
{
    return (int)(key >> 32);
}

static inline int64_t label_key_label(int64_t key)
{
    return key & UINT32_MAX;
}

/* Collective. From united strips to finished ones with job->keys.
 *
 * Groups of neighbouring strips, doubled in size every round, exchange what touches their top and
 * bottom row and merge it: ceil(log2(strips)) beats, whatever the image looks like. Every rank of
 * a group follows the whole group's borders, so that nothing has to be sent back afterwards.
 * HALO_ARGUMENT for rows too wide to send, HALO_MEMORY, HALO_MPI. */
halo_status label_merge(label_job *job);

#endif
