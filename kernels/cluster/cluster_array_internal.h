#ifndef HALOBEAT_CLUSTER_CLUSTER_ARRAY_INTERNAL_H
#define HALOBEAT_CLUSTER_CLUSTER_ARRAY_INTERNAL_H

#include "core/beat/beat.h"
#include "kernels/array/array_internal.h"
#include "kernels/cluster/cluster.h"
#include "kernels/cluster/lab.h"

/* An image in memory as the cells that are clustered. Internal to the cluster kernel. */

typedef struct {
    halo_array array; /* of 2 axes; of 3 in colour */
    bool colour;
    bool unit; /* reals of colours, from 0 to 1 */
    halo_sample_range range;
    array_greys greys; /* once it is measured: of the elements, also of colours */
    int64_t maximum;   /* the grey or colour that is white */
    halo_lab *lab;     /* in colour */
} cluster_image;

/* Local, before the call's ranks begin. HALO_ARGUMENT for an array that is no image;
 * HALO_MEMORY. Call cluster_image_free in any case. */
halo_status cluster_image_take(cluster_image *image, const halo_array *array, bool colour,
                               const halo_sample_range *range);
void cluster_image_free(cluster_image *image);

/* Collective. Finds how elements become greys, and writes it to `image`, of each rank its own.
 * HALO_ARGUMENT for NaN, a range that is none, and reals that are no colours; HALO_CANCELLED,
 * HALO_MEMORY, HALO_TRANSPORT. */
halo_status cluster_image_measure(cluster_image *image, array_call *call, halo_world *world,
                                  const halo_box *mine);

/* Local. Bits of a pixel that is clustered, once the image is measured. */
int cluster_image_bits(const cluster_image *image);

/* Local. True if the array's elements can be the cells; *memory is then this rank's part of it. */
bool cluster_image_is_in_place(const cluster_image *image, const halo_box *mine, halo_view *memory);

/* Local. Fills in cells that are not the array's elements. HALO_CANCELLED, HALO_MEMORY. */
halo_status cluster_image_fill(const cluster_image *image, array_call *call,
                               const halo_world *world, const halo_view *cells);

/* Local, in colour. Adds the colours of this rank's rows to the sums of their labels, those of the
 * run, [labels]. HALO_CANCELLED, HALO_MEMORY. */
halo_status cluster_image_sum(const cluster_image *image, array_call *call, halo_world *world,
                              const halo_beat *beat, int64_t (*sums)[HALO_CLUSTER_CHANNELS]);

#endif
