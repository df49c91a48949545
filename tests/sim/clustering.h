#ifndef HALOBEAT_TESTS_SIM_CLUSTERING_H
#define HALOBEAT_TESTS_SIM_CLUSTERING_H

#include "core/master/repeated_work.h"

/* The clustering measured in the paper on LB1 and LB2: k-means of an image's pixels by position and
 * brightness, starting from rectangles. In each iteration a master distributes the image's lines,
 * whose pixels get the nearest cluster, and then the clusters, whose centres are computed from all
 * pixels. For lines the constant part is all centres; for clusters it is the whole image with each
 * pixel's cluster. The proportional part is lines, and data of clusters. */

enum {
    CLUSTERING_SIDE = 256, /* rows and columns: the paper's lines have 256, 512 or 1024 pixels */
    CLUSTERING_CLUSTERS = 256,
    CLUSTERING_PIXELS = CLUSTERING_SIDE * CLUSTERING_SIDE
};

typedef struct {
    double x, y, value;
} clustering_centre;

typedef struct {
    int64_t pixels, x, y, value;
} clustering_sums;

typedef struct {
    unsigned char grey[CLUSTERING_PIXELS], labels[CLUSTERING_PIXELS];
    clustering_centre centres[CLUSTERING_CLUSTERS];
} clustering;

/* Parameters of a run. */
typedef struct {
    const char *balancer; /* none, lb1 or lb2 */
    int iterations;
    bool computes;     /* really compute, not only in virtual time */
    double line_flops; /* per pixel and cluster, for lines */
    double share;      /* the same for clusters, as a share of line_flops */
    double slowness;   /* factor of this rank's operations */
    double byte_flops; /* per byte of messages, at each end, if the other end has another byte
                        * order */
    int foreign;       /* number of the master's workers with another byte order; on a worker: 1
                        * if its master has */
    double plan_flops; /* on the master, for each worker and balanced beat */
    void (*compute)(double flops); /* lets virtual time pass; NULL: halo_simulated_compute */
} clustering_options;

typedef struct {
    double seconds;
    double transfer_share;         /* of the workers' seconds; 0 if not measured */
    int64_t lines[8], clusters[8]; /* of each rank, in the last iteration; 0 for the master */
} clustering_result;

/* Collective; the world's rank 0 is the master and does not work. Results are rank 0's. */
halo_status clustering_run(halo_world *world, const clustering_options *options, clustering *data,
                           clustering_result *result);

/* Local. The same without a master. */
void clustering_alone(clustering *data, int iterations);

/* Local. Measures the seconds per pixel and cluster on this machine, for lines and for clusters:
 * the minimum of several measurements. */
void clustering_measure(double *lines, double *clusters);

#endif
