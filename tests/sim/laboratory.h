#ifndef HALOBEAT_TESTS_SIM_LABORATORY_H
#define HALOBEAT_TESTS_SIM_LABORATORY_H

#include "clustering.h"

/* The computers of the paper on LB1 and LB2, data/platforms/laboratory.xml, and the clustering on
 * some of them. All processes are there from the beginning: on each computer one that can be the
 * master, three that can be workers, one that can be another program, and one that computes as long
 * as a master is there, which waits for messages by looking for them again and again. A run says
 * which of them take part; the others sleep. */

enum { LAB_COMPUTERS = 5, LAB_WORKERS = 3, LAB_PROCESSES = LAB_WORKERS + 3, LAB_ROWS = 7 };

/* A row of the paper's table. */
typedef struct {
    const char *name;
    int master;               /* computer */
    int workers[LAB_WORKERS]; /* computers, each process of one taken in turn */
    int loaded;               /* computer on which one other program runs, or -1 */
    double paper[3];          /* seconds without balancing, with LB1, with LB2 */
} lab_row;

extern const lab_row lab_rows[LAB_ROWS];

/* What the paper does not tell. An operation is what a pixel and a cluster take when lines are
 * handed out. */
typedef struct {
    int iterations;
    bool pc_spins;       /* does a master on the PC look for messages all the time that it waits, as
                          * one on a Sun does? */
    double pc, ultra1;   /* speed of computers 0 and 4, relative to 1, 2 and 3 */
    double conversion;   /* operations for a byte between the PC and another computer, at each end:
                          * their orders of bytes differ */
    double cluster_cost; /* operations of a pixel and a cluster when clusters are handed out */
    double plan_cost;    /* operations of balancing, for each worker and beat, on the master */
    bool slices;         /* processes that share a computer have it by turns (time_sharing.h), and
                          * not all at the same time, more slowly */
    bool workers_spin;   /* with slices: do workers that wait look for messages, too? */
    double phase;        /* with slices: seconds, 0 to 1, till waiting processes are raised */
    /* Found from two rows. */
    double flops;   /* of an operation, on computers of 200 million flops a second */
    double sharing; /* what computing takes longer where processes share a computer, besides their
                     * taking turns */
} lab_constants;

typedef struct lab lab;

/* Collective over MPI_COMM_WORLD, LAB_COMPUTERS * LAB_PROCESSES ranks. */
halo_status lab_open(lab **out);
void lab_close(lab **lab);

/* Local. Is this the first rank? */
bool lab_is_first(const lab *lab);

/* Collective. A row with balancer 0 to 2, none, lb1 or lb2; all ranks get the result. If it
 * `computes`, the clusters are compared with those of the same clustering on one process:
 * HALO_FORMAT if they differ. */
halo_status lab_run(lab *lab, const lab_row *row, int balancer, const lab_constants *constants,
                    bool computes, clustering_result *result);

#endif
