#ifndef HALOBEAT_KERNELS_CLUSTER_CLUSTER_CHUNK_H
#define HALOBEAT_KERNELS_CLUSTER_CLUSTER_CHUNK_H

#include "kernels/cluster/cluster.h"

/* Labels of this rank's strip, row by row, each with the row below it. They are computed for a
 * chunk of rows at a time. For strips only, not for blocks. */
typedef struct {
    const halo_beat *beat;
    int64_t width, rows;  /* columns of the image, rows of the strip */
    int64_t first, count; /* rows of the current chunk */
    uint16_t *labels;     /* [count][width] */
    uint16_t *after;      /* [width]: labels of the first row after this strip; NULL if there is
                           * none */
} halo_cluster_chunk;

/* Collective. Creates a chunk. With `below`, each rank receives the row after its last one. The run
 * must outlive the chunk; labels are those of the last beat. HALO_MEMORY, HALO_TRANSPORT; call
 * halo_cluster_chunk_free in any case. */
halo_status halo_cluster_chunk_create(halo_cluster_chunk *chunk, halo_world *world,
                                      const halo_beat *beat, bool below);

/* Local. Frees the chunk. Accepts a chunk that was freed before. */
void halo_cluster_chunk_free(halo_cluster_chunk *chunk);

/* Local. Sets *labels to the labels [width] of local row `row` of the strip and, unless `below` is
 * NULL, *below to those of the row below it, or to NULL below the last row of the image. Both are
 * valid until the next call. Fastest for rows in order. HALO_MEMORY. */
halo_status halo_cluster_chunk_row(halo_cluster_chunk *chunk, int64_t row, const uint16_t **labels,
                                   const uint16_t **below);

#endif
