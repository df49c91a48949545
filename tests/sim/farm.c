#include "farm.h"

#include "core/world/simulated_compute.h"
#include "partition/balance/lb_lines.h"

#include <mpi.h>
#include <string.h>

/* Messages to one worker are told apart by tags; a worker with no units is to stop. */
enum { IMAGE_TAG, COUNT_TAG, UNITS_TAG, RECEIVED_TAG, BACK_TAG, RESULT_TAG, END_TAG };
enum { MASTER = 0, FIRST_WORKER = 1, OTHER_PROGRAM = FIRST_WORKER + FARM_WORKERS };

/* An MPI library of the time spins while it waits, and so shares the processor with what else runs
 * on its computer. */
static const double SPIN_FLOPS = 5e4;

/* The PC's bytes are in another order than the Suns': between them MPI converts what is sent, one
 * message after the other. A guess: 25 flops a byte, which is 11 ms for the image. */
static const double CONVERSION_FLOPS = 25;
static const int PC = 0;

int farm_master_rank(int computer)
{
    return computer * FARM_PROCESSES + MASTER;
}

static int worker_rank(const farm_layout *layout, int worker)
{
    int before = 0; /* workers on the same computer */
    for (int i = 0; i < worker; i++) {
        before += layout->workers[i] == layout->workers[worker];
    }
    return layout->workers[worker] * FARM_PROCESSES + FIRST_WORKER + before;
}

static void convert(int one, int other, int64_t bytes)
{
    if ((one == PC) != (other == PC)) {
        halo_simulated_compute((double)bytes * CONVERSION_FLOPS);
    }
}

/* ---- workers ------------------------------------------------------------------------------- */

typedef struct {
    double compute_seconds;
    char rest[FARM_BACK_BYTES - sizeof(double)];
} answer;

static char image[FARM_IMAGE_BYTES];
static char clusters[FARM_WORKERS][FARM_UNITS * FARM_UNIT_BYTES];

static void work(const farm_layout *layout, int computer)
{
    int master = farm_master_rank(layout->master);
    char *mine = clusters[0];
    for (;;) {
        int units;
        MPI_Recv(&units, 1, MPI_INT, master, COUNT_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (units == 0) {
            return;
        }
        int bytes = units * FARM_UNIT_BYTES;
        MPI_Recv(image, sizeof image, MPI_BYTE, master, IMAGE_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Recv(mine, bytes, MPI_BYTE, master, UNITS_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        convert(layout->master, computer, FARM_IMAGE_BYTES + bytes);
        MPI_Send(mine, 1, MPI_BYTE, master, RECEIVED_TAG, MPI_COMM_WORLD);
        double begun = MPI_Wtime();
        halo_simulated_compute((double)units * FARM_UNIT_FLOPS);
        answer back = {.compute_seconds = MPI_Wtime() - begun};
        convert(layout->master, computer, FARM_BACK_BYTES + bytes);
        MPI_Send(&back, sizeof back, MPI_BYTE, master, BACK_TAG, MPI_COMM_WORLD);
        MPI_Send(mine, bytes, MPI_BYTE, master, RESULT_TAG, MPI_COMM_WORLD);
    }
}

static void compete(int master)
{
    int ended = 0;
    while (!ended) {
        halo_simulated_compute(SPIN_FLOPS);
        MPI_Iprobe(master, END_TAG, MPI_COMM_WORLD, &ended, MPI_STATUS_IGNORE);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, master, END_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- the master ---------------------------------------------------------------------------- */

/* What a worker sends in an iteration. */
enum { RECEIVED, BACK, RESULT, ARRIVALS };

typedef struct {
    char received;
    answer back;
    double received_seconds, seconds; /* since the iteration began */
    int missing;
} worker_state;

typedef struct {
    const farm_layout *layout;
    int64_t units[FARM_WORKERS];
    int counts[FARM_WORKERS]; /* the same, as they are sent */
    worker_state workers[FARM_WORKERS];
    MPI_Request arrivals[FARM_WORKERS * ARRIVALS];
    MPI_Request departures[FARM_WORKERS * 3];
} master_state;

static void expect_answers(master_state *m)
{
    for (int i = 0; i < FARM_WORKERS; i++) {
        worker_state *w = &m->workers[i];
        int rank = worker_rank(m->layout, i);
        MPI_Request *requests = &m->arrivals[(ptrdiff_t)i * ARRIVALS];
        MPI_Irecv(&w->received, 1, MPI_BYTE, rank, RECEIVED_TAG, MPI_COMM_WORLD,
                  &requests[RECEIVED]);
        MPI_Irecv(&w->back, sizeof w->back, MPI_BYTE, rank, BACK_TAG, MPI_COMM_WORLD,
                  &requests[BACK]);
        MPI_Irecv(clusters[i], sizeof clusters[i], MPI_BYTE, rank, RESULT_TAG, MPI_COMM_WORLD,
                  &requests[RESULT]);
        w->missing = ARRIVALS;
    }
}

static void hand_out(master_state *m)
{
    for (int i = 0; i < FARM_WORKERS; i++) {
        int rank = worker_rank(m->layout, i);
        int bytes = (int)m->units[i] * FARM_UNIT_BYTES;
        MPI_Request *requests = &m->departures[(ptrdiff_t)i * 3];
        convert(m->layout->master, m->layout->workers[i], FARM_IMAGE_BYTES + bytes);
        m->counts[i] = (int)m->units[i];
        MPI_Isend(&m->counts[i], 1, MPI_INT, rank, COUNT_TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(image, sizeof image, MPI_BYTE, rank, IMAGE_TAG, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(image, bytes, MPI_BYTE, rank, UNITS_TAG, MPI_COMM_WORLD, &requests[2]);
    }
}

static void note_arrival(master_state *m, int arrival, double begun)
{
    int i = arrival / ARRIVALS;
    worker_state *w = &m->workers[i];
    if (arrival % ARRIVALS == RECEIVED) {
        w->received_seconds = MPI_Wtime() - begun;
    }
    if (--w->missing == 0) {
        convert(m->layout->master, m->layout->workers[i],
                FARM_BACK_BYTES + m->units[i] * FARM_UNIT_BYTES);
        w->seconds = MPI_Wtime() - begun;
    }
}

static void collect(master_state *m, double begun)
{
    for (int left = FARM_WORKERS * ARRIVALS; left > 0;) {
        int count, arrived[FARM_WORKERS * ARRIVALS];
        MPI_Testsome(FARM_WORKERS * ARRIVALS, m->arrivals, &count, arrived, MPI_STATUSES_IGNORE);
        for (int i = 0; i < count; i++) {
            note_arrival(m, arrived[i], begun);
        }
        left -= count;
        if (count == 0) {
            halo_simulated_compute(SPIN_FLOPS);
        }
    }
    MPI_Waitall(FARM_WORKERS * 3, m->departures, MPI_STATUSES_IGNORE);
}

static void rebalance(master_state *m, farm_balancer balancer)
{
    halo_lb_line lines[FARM_WORKERS];
    double shares[FARM_WORKERS];
    for (int i = 0; i < FARM_WORKERS; i++) {
        const worker_state *w = &m->workers[i];
        halo_lb_measured measured = {
            .units = (double)m->units[i],
            .constant_out = (double)FARM_IMAGE_BYTES / FARM_UNIT_BYTES,
            .constant_back = (double)FARM_BACK_BYTES / FARM_UNIT_BYTES,
            .unit_out = 1,
            .unit_back = 1,
            .transfer_seconds = w->seconds - w->back.compute_seconds,
            .compute_seconds = w->back.compute_seconds,
        };
        /* A master that is busy with the next worker sees an acknowledgement too late. */
        double acknowledged = w->received_seconds < measured.transfer_seconds
                                  ? w->received_seconds
                                  : measured.transfer_seconds;
        measured.delay_seconds = halo_lb2_delay(&measured, acknowledged);
        lines[i] = balancer == FARM_LB1 ? halo_lb1_line(measured.units, w->seconds)
                                        : halo_lb2_line(&measured);
    }
    halo_lb_share(lines, FARM_WORKERS, FARM_UNITS, 1, shares);
    halo_lb_whole(lines, FARM_WORKERS, FARM_UNITS, shares, m->units);
}

static void end_all(const farm_layout *layout)
{
    const int none = 0;
    for (int i = 0; i < FARM_WORKERS; i++) {
        MPI_Send(&none, 1, MPI_INT, worker_rank(layout, i), COUNT_TAG, MPI_COMM_WORLD);
    }
    if (layout->loaded >= 0) {
        MPI_Send(NULL, 0, MPI_BYTE, layout->loaded * FARM_PROCESSES + OTHER_PROGRAM, END_TAG,
                 MPI_COMM_WORLD);
    }
}

static void lead(const farm_layout *layout, farm_balancer balancer, farm_result *result)
{
    static master_state m;
    m.layout = layout;
    for (int i = 0; i < FARM_WORKERS; i++) {
        m.units[i] = FARM_UNITS * (i + 1) / FARM_WORKERS - FARM_UNITS * i / FARM_WORKERS;
    }
    double whole = 0, computing = 0;
    for (int iteration = 0; iteration < FARM_ITERATIONS; iteration++) {
        double begun = MPI_Wtime();
        expect_answers(&m);
        hand_out(&m);
        collect(&m, begun);
        result->seconds += MPI_Wtime() - begun;
        for (int i = 0; i < FARM_WORKERS; i++) {
            whole += m.workers[i].seconds;
            computing += m.workers[i].back.compute_seconds;
        }
        memcpy(result->last_units, m.units, sizeof m.units);
        if (balancer != FARM_NONE) {
            rebalance(&m, balancer);
        }
    }
    result->transfer_share = 1 - computing / whole;
    end_all(layout);
}

void farm_run(const farm_layout *layout, farm_balancer balancer, farm_result *result)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    *result = (farm_result){0};
    int computer = rank / FARM_PROCESSES, process = rank % FARM_PROCESSES;
    for (int i = 0; i < FARM_WORKERS; i++) {
        if (rank == worker_rank(layout, i)) {
            work(layout, computer);
        }
    }
    if (rank == farm_master_rank(layout->master)) {
        lead(layout, balancer, result);
    }
    if (computer == layout->loaded && process == OTHER_PROGRAM) {
        compete(farm_master_rank(layout->master));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}
