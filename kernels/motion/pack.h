#ifndef HALOBEAT_MOTION_PACK_H
#define HALOBEAT_MOTION_PACK_H

#include "base/memory.h"
#include "kernels/motion/task.h"

/* The master's side of tasks: which clusters have something to do, with which shifts, and what
 * has come of it. Local. Internal to the motion kernel. */

/* Pieces of each cluster that take part in the beat: [clusters]. Pieces of MOTION_PLACE choose the
 * shifts they will try; `round` counts a kind's beats from 0. */
void motion_choose(motion_parts *parts, const motion_batch *batch, int round, int64_t *units);

/* Append a cluster with its pieces. HALO_MEMORY. */
halo_status motion_pack(const motion_parts *parts, const motion_batch *batch, int round,
                        int cluster, halo_buffer *message);

/* What came back of it; returns where the next cluster's findings begin. */
const motion_found *motion_unpack(motion_parts *parts, const motion_batch *batch, int cluster,
                                  const motion_found *back);

/* Findings of a cluster in such a beat. */
int64_t motion_findings(const motion_batch *batch, int64_t units);

/* Between clusters and pieces: every piece begins where its cluster went. */
void motion_begin_pieces(motion_parts *parts);

#endif
