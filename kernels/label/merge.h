#ifndef HALOBEAT_LABEL_MERGE_H
#define HALOBEAT_LABEL_MERGE_H

#include "kernels/label/methods.h"

/* Which components of different strips are one region. Internal to the label kernel.
 *
 * A name that is the same on all ranks: the rank and the component of the region's first pixel.
 * Strips are in rank order and components in raster order, so that the smallest key of a region
 * is that of its first pixel. */
static inline int64_t label_key(int rank, int64_t component)
{
    return (int64_t)rank << 32 | component;
}

static inline int label_key_rank(int64_t key)
{
    return (int)(key >> 32);
}

static inline int64_t label_key_component(int64_t key)
{
    return key & UINT32_MAX;
}

/* Collective. From the components of all strips to job->keys.
 *
 * Groups of neighbouring strips, doubled in size every round, exchange what touches their top and
 * bottom row and merge it: ceil(log2(strips)) beats, whatever the image looks like. Every rank of
 * a group follows the whole group's borders, so that nothing has to be sent back afterwards.
 * HALO_ARGUMENT for rows too wide to send, HALO_MEMORY, HALO_MPI. */
halo_status label_merge(label_job *job);

#endif
