#ifndef HALOBEAT_KERNELS_CLUSTER_CLUSTER_PAINT_H
#define HALOBEAT_KERNELS_CLUSTER_CLUSTER_PAINT_H

#include "kernels/cluster/cluster_means.h"

/* Rows of images that show clusters, from rows of labels (cluster_chunk.h). All functions are local
 * and pure. */

/* The mean of each cluster as a pixel. */
typedef struct {
    int pixel_bytes;       /* 1 or 2: grey of 8 or 16 bits; 3: red, green and blue of 8 bits */
    unsigned char *pixels; /* [clusters][pixel_bytes] */
} halo_cluster_palette;

/* Greys have 16 bits if the values of `means` do. HALO_MEMORY; call halo_cluster_palette_free in
 * any case. */
halo_status halo_cluster_palette_create(halo_cluster_palette *palette,
                                        const halo_cluster_means *means);

/* Frees the palette. Accepts a palette that was freed before. */
void halo_cluster_palette_free(halo_cluster_palette *palette);

/* Paints `width` pixels in the colours of their clusters: `out` is [width][pixel_bytes]. */
void halo_cluster_paint_means(const halo_cluster_palette *palette, const uint16_t *labels,
                              int64_t width, unsigned char *out);

/* Draws lines between clusters on a row of `width` pixels of red, green and blue. They are one
 * pixel wide, on the upper or left one of the clusters that meet. `below` has the labels of the row
 * below; NULL: there is none. */
void halo_cluster_paint_borders(const uint16_t *labels, const uint16_t *below, int64_t width,
                                const unsigned char colour[3], unsigned char *pixels);

#endif
