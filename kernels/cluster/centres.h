#ifndef HALOBEAT_CLUSTER_CENTRES_H
#define HALOBEAT_CLUSTER_CENTRES_H

#include "kernels/cluster/cluster.h"

/* Centres, records and rectangles. Internal to the kernel. */

enum { CLUSTER_AXES = 2 + HALO_CLUSTER_CHANNELS };

/* The centres of all clusters, one array per axis: x, y, values. */
typedef struct {
    int clusters;
    int axes;                   /* in use: 3 or 5 */
    double *axis[CLUSTER_AXES]; /* [clusters] */
} cluster_centres;

/* Local. One block of memory, freed by cluster_centres_free. HALO_MEMORY. */
halo_status cluster_centres_create(cluster_centres *centres, int clusters, int axes);
void cluster_centres_free(cluster_centres *centres);

/* Local. Sets the centres from records; centres that never had a pixel are 0. */
void cluster_centres_set(cluster_centres *centres, const halo_cluster_record *records);

/* Local. Updates records after a beat: `changes` ([clusters][1 + axes]) are the increments of
 * pixels and of the sums of x, y and values. */
void cluster_records_add(halo_cluster_record *records, int clusters, int axes,
                         const int64_t *changes);

/* Data for finding the rectangle of a pixel. */
typedef struct {
    int64_t rows, columns; /* of the image */
    int clusters;
    int64_t rectangle_rows; /* rows of rectangles */
} cluster_rectangles;

cluster_rectangles cluster_rectangles_of(int64_t rows, int64_t columns, int clusters);

/* Local. Writes the labels of columns lo to hi - 1 of global row `row`. */
void cluster_rectangles_row(const cluster_rectangles *r, int64_t row, int64_t lo, int64_t hi,
                            uint16_t *labels);

#endif
