#ifndef HALOBEAT_TESTS_SIM_LABORATORY_H
#define HALOBEAT_TESTS_SIM_LABORATORY_H

#include "clustering.h"
#include "partition/balance/share_planner.h"

/* The computers of the paper on LB1 and LB2, data/platforms/laboratory.xml, and the clustering on
 * some of them. All processes exist from the start: on each computer one that can be the master,
 * three that can be workers, one that can be another program, and one that computes while there is
 * a master that polls for messages. A run says which of them take part; the others sleep. */

enum { LAB_COMPUTERS = 5, LAB_WORKERS = 3, LAB_PROCESSES = LAB_WORKERS + 3, LAB_ROWS = 7 };

/* A row of the paper's table. */
typedef struct {
    const char *name;
    int master;                       /* computer */
    int workers[LAB_WORKERS];         /* computers; each process of one is used in turn */
    int loaded;                       /* computer with another program, or -1 */
    double paper[HALO_SHARE_METHODS]; /* seconds without balancing, with LB1, with LB2 */
} lab_row;

extern const lab_row lab_rows[LAB_ROWS];

/* Parameters that the paper does not give. An operation is the work for a pixel and a cluster when
 * lines are distributed. */
typedef struct {
    int iterations;
    bool pc_spins;       /* a master on the PC polls for messages while it waits, as one on a Sun
                          * does */
    double pc, ultra1;   /* speeds of computers 0 and 4, relative to 1, 2 and 3 */
    double conversion;   /* operations per byte between the PC and another computer, at each end,
                          * since byte orders differ */
    double cluster_cost; /* operations per pixel and cluster when clusters are distributed */
    double plan_cost;    /* operations of balancing on the master, per worker and beat */
    bool slices;         /* processes share a computer by time slices (time_sharing.h), not by
                          * dividing its speed */
    bool workers_spin;   /* with slices: workers poll for messages while they wait */
    double phase;        /* with slices: seconds, 0 to 1, until waiting processes are raised */
    /* Fitted to two rows. */
    double flops;   /* per operation, on computers of 200 million flops per second */
    double sharing; /* factor of computing time if processes share a computer, besides sharing
                     * its time */
} lab_constants;

typedef struct lab lab;

/* Collective over MPI_COMM_WORLD, LAB_COMPUTERS * LAB_PROCESSES ranks. */
halo_status lab_open(lab **out);
void lab_close(lab **lab);

/* Local. True on the first rank. */
bool lab_is_first(const lab *lab);

/* Collective. Runs a row with a balancer. All ranks get the result. With `computes` the clusters
 * are compared with those of the same clustering on one process: HALO_FORMAT if they differ. */
halo_status lab_run(lab *lab, const lab_row *row, halo_share_method balancer,
                    const lab_constants *constants, bool computes, clustering_result *result);

#endif
