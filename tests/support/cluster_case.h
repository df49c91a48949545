#ifndef HALOBEAT_TESTS_CLUSTER_CASE_H
#define HALOBEAT_TESTS_CLUSTER_CASE_H

#include "kernels/cluster/cluster.h"

/* Images to cluster, and a reference that follows the definition beat by beat. */

/* name, content */
#define CLUSTER_PICTURE_LIST(X)                                   \
    X(constant, "one value: place alone decides, with many ties") \
    X(checks, "two values in squares: many distances are equal")  \
    X(slope, "values that rise along both axes, and some noise")  \
    X(noise, "values at random, from the least to the greatest there are")

typedef enum {
#define CLUSTER_PICTURE_ENUM(name, text) CLUSTER_##name,
    CLUSTER_PICTURE_LIST(CLUSTER_PICTURE_ENUM)
#undef CLUSTER_PICTURE_ENUM
        CLUSTER_PICTURES
} cluster_picture;

typedef struct {
    int64_t rows, columns;
    int cell_bits; /* 8, 16 or 48 */
    cluster_picture picture;
    uint64_t seed;
    double weight; /* 0 is 0 */
    int clusters;
    /* These are the reference's results. */
    int64_t changed, beats;
    int channels;
    int32_t *values;      /* [rows * columns][channels] */
    uint16_t *labels;     /* [rows * columns] */
    double (*centres)[5]; /* [clusters] */
} cluster_case;

/* Local. Makes the image, and labels it with the rectangles. Exits the program if there is no
 * memory. */
void cluster_case_create(cluster_case *c);
void cluster_case_free(cluster_case *c);

/* Local. Begins anew with the rectangles, after `values` were set to those of another image. */
void cluster_case_begin(cluster_case *c);

/* Local. One beat of the reference. */
void cluster_case_beat(cluster_case *c);

/* Local. Options for the kernel, and the cells of a part. */
halo_cluster_options cluster_case_options(const cluster_case *c);
void cluster_case_fill(const cluster_case *c, const halo_view *view);

/* Local. The number of labels of this rank's part that differ from the reference's. */
int64_t cluster_case_differences(const cluster_case *c, const halo_beat *beat);

#endif
