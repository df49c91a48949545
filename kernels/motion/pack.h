#ifndef HALOBEAT_MOTION_PACK_H
#define HALOBEAT_MOTION_PACK_H

#include "base/memory.h"
#include "kernels/motion/task.h"

/* Tasks on the master: which clusters have work, with which shifts, and their results. Local.
 * Internal to the motion kernel. */

/* Sets units [clusters] to the number of pieces of each cluster that take part in the beat. Pieces
 * of MOTION_PLACE choose the shifts they will try; `round` counts the beats of a kind from 0. */
void motion_choose(motion_parts *parts, const motion_batch *batch, int round, int64_t *units);

/* Appends a cluster with its pieces. HALO_MEMORY. */
halo_status motion_pack(const motion_parts *parts, const motion_batch *batch, int round,
                        int cluster, halo_buffer *message);

/* Reads the results of a cluster. Returns where those of the next cluster begin. */
const motion_found *motion_unpack(motion_parts *parts, const motion_batch *batch, int cluster,
                                  const motion_found *back);

/* The number of results of a cluster in such a beat. */
int64_t motion_findings(const motion_batch *batch, int64_t units);

/* Between clusters and pieces: every piece starts with the motion of its cluster. */
void motion_begin_pieces(motion_parts *parts);

#endif
