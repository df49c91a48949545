#include "laboratory.h"

#include "base/memory.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/world/collect.h"
#include "time_sharing.h"

#include <stdlib.h>
#include <string.h>

enum { MASTER = 0, FIRST_WORKER = 1, OTHER_PROGRAM = FIRST_WORKER + LAB_WORKERS, SPINNER };
enum { PC = 0, ULTRA1 = 4, END_TAG = 77 };

const lab_row lab_rows[LAB_ROWS] = {
    {"0; 1, 3, 4", 0, {1, 3, 4}, -1, {6.5660, 6.1388, 5.8112}},
    {"0; 1, 2, 3", 0, {1, 2, 3}, -1, {6.1302, 5.9135, 5.8264}},
    {"3; 1, 2, 3", 3, {1, 2, 3}, -1, {12.8629, 7.0840, 6.4212}},
    {"4; 1, 2, 3", 4, {1, 2, 3}, -1, {5.7464, 5.7183, 5.7203}},
    {"4; 1, 2, 3, 3 loaded", 4, {1, 2, 3}, 3, {9.5174, 6.9470, 6.3576}},
    {"2; 2, 2, 2", 2, {2, 2, 2}, -1, {22.2591, 23.0261, 23.0815}},
    {"0; 0, 1, 3", 0, {0, 1, 3}, -1, {7.0525, 6.8193, 6.3308}},
};

/* In the platform's file, relative to computers 1, 2 and 3. */
static const double PC_SPEED = 150. / 200, ULTRA1_SPEED = 160. / 200;

/* A competing process computes this much between looks at whether it is to end. */
static const double SPIN_FLOPS = 5e7;

struct lab {
    halo_world *all;
    halo_world *rows[LAB_ROWS]; /* master and workers; NULL where this rank takes no part */
    time_sharing *processor;    /* of this computer */
    clustering *data, *expected;
    int expected_iterations;
};

static int rank_of(int computer, int process)
{
    return computer * LAB_PROCESSES + process;
}

static int worker_rank(const lab_row *row, int worker)
{
    int before = 0; /* workers on the same computer */
    for (int i = 0; i < worker; i++) {
        before += row->workers[i] == row->workers[worker];
    }
    return rank_of(row->workers[worker], FIRST_WORKER + before);
}

/* Its place among master and workers of a row, -1 if it is none of them. */
static int place_of(const lab_row *row, int rank)
{
    int place = rank == rank_of(row->master, MASTER) ? 0 : -1;
    for (int i = 0; i < LAB_WORKERS; i++) {
        place = rank == worker_rank(row, i) ? i + 1 : place;
    }
    return place;
}

static halo_status open_row(lab *l, int i)
{
    MPI_Comm comm;
    int place = place_of(&lab_rows[i], halo_world_rank(l->all));
    HALO_MPI_TRY(
        MPI_Comm_split(halo_world_comm(l->all), place < 0 ? MPI_UNDEFINED : 0, place, &comm));
    if (place < 0) {
        return HALO_OK;
    }
    HALO_TRY(halo_world_create_mpi(&l->rows[i], comm, NULL));
    HALO_MPI_TRY(MPI_Comm_free(&comm));
    return HALO_OK;
}

static halo_status open_computer(lab *l)
{
    MPI_Comm comm;
    int rank = halo_world_rank(l->all), process = rank % LAB_PROCESSES;
    HALO_MPI_TRY(MPI_Comm_split(halo_world_comm(l->all), rank / LAB_PROCESSES, rank, &comm));
    l->processor = process == 0 ? time_sharing_create() : NULL;
    HALO_MPI_TRY(MPI_Bcast(&l->processor, (int)sizeof l->processor, MPI_BYTE, 0, comm));
    HALO_MPI_TRY(MPI_Comm_free(&comm));
    return l->processor != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "no memory for a computer");
}

halo_status lab_open(lab **out)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a laboratory"));
    lab *l = *out;
    HALO_TRY(halo_world_create_mpi(&l->all, MPI_COMM_WORLD, NULL));
    if (halo_world_ranks(l->all) != LAB_COMPUTERS * LAB_PROCESSES) {
        return halo_fail(HALO_RANKS, "%d ranks; use %d", halo_world_ranks(l->all),
                         LAB_COMPUTERS * LAB_PROCESSES);
    }
    HALO_TRY(halo_agree(l->all, open_computer(l)));
    HALO_TRY(HALO_ALLOCATE(l->data, 1, "a picture"));
    HALO_TRY(HALO_ALLOCATE(l->expected, 1, "a picture"));
    for (int i = 0; i < LAB_ROWS; i++) {
        HALO_TRY(halo_agree(l->all, open_row(l, i)));
    }
    return HALO_OK;
}

void lab_close(lab **out)
{
    lab *l = *out;
    if (l != NULL) {
        halo_agree(l->all, HALO_OK); /* SimGrid forgets messages to ranks that have ended */
        if (halo_world_rank(l->all) % LAB_PROCESSES == 0) {
            time_sharing_destroy(l->processor);
        }
        for (int i = 0; i < LAB_ROWS; i++) {
            halo_world_destroy(&l->rows[i]);
        }
        halo_world_destroy(&l->all);
        free(l->data);
        free(l->expected);
        free(l);
        *out = NULL;
    }
}

bool lab_is_first(const lab *l)
{
    return halo_world_rank(l->all) == 0;
}

/* Another program, or a master that waits. */
static halo_status compete(const lab *l, int master)
{
    char byte;
    bool ended = false;
    halo_request request;
    HALO_TRY(halo_post(l->all, false, &byte, 1, master, END_TAG, &request));
    while (!ended) {
        time_sharing_compute(SPIN_FLOPS);
        HALO_TRY(halo_test(l->all, &request, &ended));
    }
    return HALO_OK;
}

static halo_status end_competitor(const lab *l, int rank)
{
    char byte = 0;
    halo_request request;
    HALO_TRY(halo_post(l->all, true, &byte, 1, rank, END_TAG, &request));
    return halo_wait(l->all, 1, &request);
}

/* Processes that compute at the same time there. */
static int busy_on(const lab_row *row, int computer, bool pc_spins)
{
    bool spins = row->master == computer && (computer != PC || pc_spins);
    int busy = spins + (row->loaded == computer);
    for (int i = 0; i < LAB_WORKERS; i++) {
        busy += row->workers[i] == computer;
    }
    return busy;
}

static clustering_options options_of(const lab *l, const lab_row *row, int place,
                                     halo_share_method balancer, const lab_constants *c,
                                     bool computes)
{
    int computer = halo_world_rank(l->all) / LAB_PROCESSES, foreign = 0;
    double slowness = computer == PC       ? PC_SPEED / c->pc
                      : computer == ULTRA1 ? ULTRA1_SPEED / c->ultra1
                                           : 1;
    for (int i = 0; i < LAB_WORKERS; i++) {
        bool mine = place == 0 || place == i + 1;
        foreign += mine && (row->workers[i] == PC) != (row->master == PC);
    }
    return (clustering_options){
        .compute = time_sharing_compute,
        .balancer = halo_share_method_name(balancer),
        .iterations = c->iterations,
        .computes = computes,
        .line_flops = c->flops,
        .share = c->cluster_cost,
        .slowness = slowness * (busy_on(row, computer, c->pc_spins) > 1 ? 1 + c->sharing : 1),
        .byte_flops = c->conversion * c->flops,
        .foreign = foreign,
        .plan_flops = c->plan_cost * c->flops};
}

static halo_status compare(lab *l, int iterations)
{
    if (l->expected_iterations != iterations) {
        clustering_alone(l->expected, iterations);
        l->expected_iterations = iterations;
    }
    return memcmp(l->data->labels, l->expected->labels, CLUSTERING_PIXELS) == 0
               ? HALO_OK
               : halo_fail(HALO_FORMAT, "the clusters are other ones than those of one process");
}

/* With slices: takes turns where others compute at the same time. */
static void join_computer(const lab *l, const lab_row *row, int place, const lab_constants *c)
{
    int rank = halo_world_rank(l->all);
    bool shared = busy_on(row, rank / LAB_PROCESSES, c->pc_spins) > 1;
    bool master_spins = row->master != PC || c->pc_spins;
    bool spins = place == 0 ? master_spins : place > 0 && c->workers_spin;
    time_sharing_join(c->slices && shared ? l->processor : NULL, rank % LAB_PROCESSES, spins,
                      c->slices && (master_spins || c->workers_spin), c->phase);
}

static halo_status take_part(lab *l, const lab_row *row, halo_share_method balancer,
                             const lab_constants *c, bool computes, clustering_result *result)
{
    int rank = halo_world_rank(l->all), place = place_of(row, rank);
    int master = rank_of(row->master, MASTER);
    bool spins = !c->slices && (row->master != PC || c->pc_spins);
    if ((spins && rank == rank_of(row->master, SPINNER)) ||
        (row->loaded >= 0 && rank == rank_of(row->loaded, OTHER_PROGRAM))) {
        return compete(l, master);
    }
    if (place < 0) {
        return HALO_OK;
    }
    clustering_options options = options_of(l, row, place, balancer, c, computes);
    halo_status status = clustering_run(l->rows[row - lab_rows], &options, l->data, result);
    if (place == 0 && spins) {
        status = halo_status_first(status, end_competitor(l, rank_of(row->master, SPINNER)));
    }
    if (place == 0 && row->loaded >= 0) {
        status = halo_status_first(status, end_competitor(l, rank_of(row->loaded, OTHER_PROGRAM)));
    }
    return status == HALO_OK && place == 0 && computes ? compare(l, c->iterations) : status;
}

halo_status lab_run(lab *l, const lab_row *row, halo_share_method balancer,
                    const lab_constants *constants, bool computes, clustering_result *result)
{
    HALO_TRY(halo_agree(l->all, HALO_OK)); /* all begin together */
    *result = (clustering_result){0};
    join_computer(l, row, place_of(row, halo_world_rank(l->all)), constants);
    halo_status status = take_part(l, row, balancer, constants, computes, result);
    time_sharing_join(NULL, 0, false, false, 0);
    HALO_TRY(halo_agree(l->all, status));
    return halo_bcast(l->all, result, sizeof *result, rank_of(row->master, MASTER));
}
