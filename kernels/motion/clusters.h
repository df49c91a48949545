#ifndef HALOBEAT_MOTION_CLUSTERS_H
#define HALOBEAT_MOTION_CLUSTERS_H

#include "kernels/cluster/cluster.h"

/* Clustering one frame, starting from rectangles or from the clusters of the frame before. Internal
 * to the motion kernel. */

typedef struct {
    halo_cluster_options options;
    int64_t max_beats;
} motion_clustering;

/* Collective. Clusters a frame: `picture` has this rank's rows, cut by `partition`. `centres` are
 * the start, NULL for rectangles. Writes `labels` [rows * columns of the strip] and `records`
 * [clusters]. HALO_ARGUMENT, HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status motion_cluster_frame(const motion_clustering *how, halo_world *world,
                                 const halo_domain *domain, const halo_partition *partition,
                                 const halo_view *picture, const halo_cluster_record *centres,
                                 uint16_t *labels, halo_cluster_record *records,
                                 halo_beat_report *report);

/* Local. Copies all rows of a view to another view of the same shape. */
void motion_copy_rows(const halo_view *from, const halo_view *to);

#endif
