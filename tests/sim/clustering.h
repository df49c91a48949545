#ifndef HALOBEAT_TESTS_SIM_CLUSTERING_H
#define HALOBEAT_TESTS_SIM_CLUSTERING_H

#include "core/master/repeated_work.h"

/* The clustering that the paper on LB1 and LB2 measured: k-means of a picture's pixels by place and
 * brightness, from rectangles on. A master hands out the picture's lines, whose pixels are given
 * the nearest cluster, and then the clusters, whose centres are found from all pixels; again and
 * again. The constant part is all centres for lines, and the whole picture with each pixel's
 * cluster for clusters; the proportional part is lines, and data of clusters. */

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

/* What a run is made of. */
typedef struct {
    const char *balancer; /* none, lb1 or lb2 */
    int iterations;
    bool computes;     /* really, or only in virtual time */
    double line_flops; /* of a pixel and a cluster, when lines are handed out, */
    double share;      /* of that when clusters are */
    double slowness;   /* of this rank: its flops are as many times more */
    double byte_flops; /* for a message's bytes, at each end that this rank is one of, where the
                        * other one has another order of bytes */
    int foreign;       /* of the master's workers have; on a worker: 1 if its master has */
    double plan_flops; /* of the master, for each worker and beat that is balanced */
    void (*compute)(double flops); /* takes virtual time; NULL: halo_simulated_compute */
} clustering_options;

typedef struct {
    double seconds;
    double transfer_share;         /* of the workers' seconds; 0 if nobody measures */
    int64_t lines[8], clusters[8]; /* of each rank, in the last iteration; 0 of the master */
} clustering_result;

/* Collective; the world's rank 0 is the master and does not work. Results are rank 0's. */
halo_status clustering_run(halo_world *world, const clustering_options *options, clustering *data,
                           clustering_result *result);

/* Local. The same without a master. */
void clustering_alone(clustering *data, int iterations);

/* Local. Seconds of a pixel and a cluster on this machine: when lines are handed out, and when
 * clusters are. The shortest of several measurements. */
void clustering_measure(double *lines, double *clusters);

#endif
