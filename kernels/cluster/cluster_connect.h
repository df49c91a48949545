#ifndef HALOBEAT_KERNELS_CLUSTER_CLUSTER_CONNECT_H
#define HALOBEAT_KERNELS_CLUSTER_CLUSTER_CONNECT_H

#include "kernels/cluster/cluster.h"

/* Clusters in one piece each. The pieces of k-means' clusters (4 neighbours) are labelled, small
 * ones join a neighbour, and each of what comes of that is a superpixel with a label of its own (as
 * enforce_connectivity does for SLIC: R. Achanta et al., SLIC superpixels compared to
 * state-of-the-art superpixel methods, PAMI 34, 2012; but in an order that depends on no scan).
 *
 * The definition: in each round every superpixel that is too small chooses the neighbour with which
 * it shares the most faces of pixels, of several the one whose first pixel in raster order is first
 * of all. All that chose each other, directly or through others, are one superpixel afterwards.
 * Rounds go on until none is too small, or there is only one. Labels are 0 to n - 1 in raster order
 * of the first pixels. */

typedef struct {
    int64_t pieces;     /* of the clusters */
    int64_t min_pixels; /* smaller ones joined a neighbour */
    int64_t after;      /* superpixels */
} halo_cluster_connection;

/* Collective, after the last beat, for a run in strips. Connects superpixels: halo_cluster_labels
 * and halo_cluster_shown tell them from now on, until the next beat or another
 * beginning. Pieces of fewer pixels than `min_share` (0 to 1) of the picture's by its clusters are
 * small. Each rank takes 12 bytes for each piece, and rank 0 about 200 while it decides.
 * `instructions` as in halo_cluster_options. HALO_ARGUMENT if there are more superpixels than
 * labels (65536); HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED. All ranks get the same. */
halo_status halo_cluster_connect_sized(halo_beat *beat, halo_world *world, double min_share,
                                       const char *instructions, halo_cluster_connection *out,
                                       size_t out_bytes);
#define halo_cluster_connect(...) \
    halo_cluster_connect_sized(__VA_ARGS__, sizeof(halo_cluster_connection))

/* Local, pure. Bytes that this takes for a part of the picture; and those it keeps of them. */
int64_t halo_cluster_connect_bytes(const halo_box *owned);
int64_t halo_cluster_connected_bytes(const halo_box *owned);

#endif
