#ifndef HALOBEAT_TESTS_SIM_FARM_H
#define HALOBEAT_TESTS_SIM_FARM_H

#include <stdbool.h>
#include <stdint.h>

/* The program that the paper on LB1 and LB2 measured: a master sends its workers the whole image
 * and each its clusters, they compute, it collects, again and again. All processes are there from
 * the beginning, on each computer one that can be a master, three that can be workers and one that
 * can be another program; a run says which of them take part, and the others sleep.
 *
 * Sizes are the same in all runs. The paper gives none; these are such that ten iterations on the
 * fourth row's computers take about the paper's time, of which transfer is not more than 30 %. */
enum {
    FARM_COMPUTERS = 5,
    FARM_WORKERS = 3,
    FARM_PROCESSES = FARM_WORKERS + 2, /* of each computer */
    FARM_ITERATIONS = 10,
    FARM_UNITS = 1024,              /* clusters */
    FARM_UNIT_BYTES = 4,            /* of a cluster, both ways: column, row, brightness, change */
    FARM_IMAGE_BYTES = 1 << 16,     /* sent to each worker: 256 x 256 pixels */
    FARM_BACK_BYTES = 16,           /* sent back whatever the number of clusters */
    FARM_UNIT_FLOPS = 65536 * 7 / 2 /* a cluster looks at all pixels */
};

typedef enum { FARM_NONE, FARM_LB1, FARM_LB2, FARM_BALANCERS } farm_balancer;

typedef struct {
    int master;                /* computer */
    int workers[FARM_WORKERS]; /* computers, each process of one taken in turn */
    int loaded;                /* computer on which one other program runs, or -1 */
} farm_layout;

/* What a run came to, known to its master's rank. */
typedef struct {
    double seconds;
    double transfer_share; /* of the workers' seconds */
    int64_t last_units[FARM_WORKERS];
} farm_result;

/* The rank of a computer's master. */
int farm_master_rank(int computer);

/* Collective over all ranks, FARM_COMPUTERS * FARM_PROCESSES of MPI_COMM_WORLD. */
void farm_run(const farm_layout *layout, farm_balancer balancer, farm_result *result);

#endif
