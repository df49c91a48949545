#include "time_sharing.h"

#include "core/world/clock.h"
#include "core/world/simulated_compute.h"

#include <math.h>
#include <mpi.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <stdint.h>
#include <stdlib.h>

/* Seconds: after so much of computing it is seen whether another process comes first. */
static const double TICK = .01;

typedef struct {
    bool ready; /* it has the processor, or waits for it */
    int level;
    double left;   /* seconds of its slice */
    int64_t place; /* in the queue of its level; the lowest is first */
    sg_sem_t turn; /* where it waits */
} sharer;

struct time_sharing {
    sharer processes[TIME_SHARING_PROCESSES];
    int running; /* -1: none */
    int64_t front, back;
    double raises; /* when waiting processes are raised next */
};

/* This process; each has globals of its own. */
static struct {
    time_sharing *processor; /* NULL: for itself */
    sharer *mine;
    bool spins, some_spin;
} self;

/* ---- the system's table ---------------------------------------------------------------------- */

static double slice_of(int level)
{
    return level < 10   ? .2
           : level < 20 ? .16
           : level < 30 ? .12
           : level < 40 ? .08
           : level < 59 ? .04
                        : .02;
}

static int level_after_slice(int level)
{
    return level < 10 ? 0 : level - 10;
}

static int level_after_sleep(int level)
{
    return level < 30   ? 50 + level / 10
           : level < 45 ? 53 + (level - 30) / 5
           : level < 47 ? level + 11
           : level < 59 ? 58
                        : 59;
}

static int level_after_waiting(int level)
{
    return level < 49 ? level_after_sleep(level) : 59;
}

/* ---- the queues ------------------------------------------------------------------------------ */

static void enter_queue(time_sharing *p, sharer *who, int level)
{
    who->ready = true;
    who->level = level;
    who->left = slice_of(level);
    who->place = p->back++;
}

static void raise_waiting(time_sharing *p)
{
    for (; halo_seconds() >= p->raises; p->raises += 1) {
        for (int i = 0; i < TIME_SHARING_PROCESSES; i++) {
            sharer *who = &p->processes[i];
            if (who->ready && i != p->running && who->level < 59) {
                enter_queue(p, who, level_after_waiting(who->level));
            }
        }
    }
}

/* The one to have the processor; -1 if nobody wants it. It stays the first of its level. */
static int first_of(time_sharing *p)
{
    int first = -1;
    for (int i = 0; i < TIME_SHARING_PROCESSES; i++) {
        const sharer *who = &p->processes[i], *best = first < 0 ? NULL : &p->processes[first];
        if (who->ready && (best == NULL || who->level > best->level ||
                           (who->level == best->level && who->place < best->place))) {
            first = i;
        }
    }
    if (first >= 0) {
        p->processes[first].place = --p->front;
    }
    return first;
}

/* Gives the processor to who comes first, and waits for it if this process wants it, too. */
static void hand_over(void)
{
    time_sharing *p = self.processor;
    p->running = first_of(p);
    sharer *next = p->running < 0 ? NULL : &p->processes[p->running];
    if (next != self.mine) {
        if (next != NULL) {
            sg_sem_release(next->turn);
        }
        if (self.mine->ready) {
            sg_sem_acquire(self.mine->turn);
        }
    }
}

static void sleep_until_called(void)
{
    if (self.processor != NULL && self.mine->ready) {
        self.mine->ready = false;
        hand_over();
    }
}

static void wake(void)
{
    time_sharing *p = self.processor;
    if (!self.mine->ready) {
        enter_queue(p, self.mine, level_after_sleep(self.mine->level));
        if (p->running < 0) {
            p->running = first_of(p);
        } else {
            sg_sem_acquire(self.mine->turn);
        }
    }
}

/* Computes for a tick at most; returns the seconds. */
static double compute_some(double seconds)
{
    time_sharing *p = self.processor;
    wake();
    seconds = fmin(seconds, fmin(TICK, self.mine->left));
    halo_simulated_compute(seconds * sg_host_get_speed(sg_host_self()));
    raise_waiting(p);
    self.mine->left -= seconds;
    if (self.mine->left <= 1e-9) {
        enter_queue(p, self.mine, level_after_slice(self.mine->level));
    }
    hand_over();
    return seconds;
}

/* ---- processes ------------------------------------------------------------------------------- */

time_sharing *time_sharing_create(void)
{
    time_sharing *p = calloc(1, sizeof *p);
    for (int i = 0; p != NULL && i < TIME_SHARING_PROCESSES; i++) {
        p->processes[i].turn = sg_sem_init(0);
    }
    return p;
}

void time_sharing_destroy(time_sharing *processor)
{
    for (int i = 0; processor != NULL && i < TIME_SHARING_PROCESSES; i++) {
        sg_sem_destroy(processor->processes[i].turn);
    }
    free(processor);
}

void time_sharing_join(time_sharing *processor, int process, bool spins, bool some_spin,
                       double phase)
{
    sleep_until_called();
    self.processor = processor;
    self.spins = spins && processor != NULL;
    self.some_spin = some_spin;
    if (processor != NULL) {
        self.mine = &processor->processes[process];
        self.mine->level = 0;
        processor->running = -1;
        processor->raises = halo_seconds() + phase;
    }
}

void time_sharing_compute(double flops)
{
    if (self.processor == NULL) {
        halo_simulated_compute(flops);
        return;
    }
    double seconds = flops / sg_host_get_speed(sg_host_self());
    while (seconds > 1e-12) {
        seconds -= compute_some(seconds);
    }
}

/* ---- waiting --------------------------------------------------------------------------------- */

typedef struct {
    int count, *index; /* index: any of them */
    MPI_Request *requests;
    MPI_Status *status;
} waited_for;

static int look(const waited_for *w, int *there)
{
    return w->index != NULL ? PMPI_Testany(w->count, w->requests, w->index, there, w->status)
                            : PMPI_Testall(w->count, w->requests, there, w->status);
}

static int wait_for(const waited_for *w)
{
    static const double between = 2e-3; /* seconds between two looks */
    int there = 0, code = MPI_SUCCESS;
    if (!self.spins) {
        sleep_until_called();
        return w->index != NULL ? PMPI_Waitany(w->count, w->requests, w->index, w->status)
                                : PMPI_Waitall(w->count, w->requests, w->status);
    }
    wake();
    for (code = look(w, &there); !there && code == MPI_SUCCESS; code = look(w, &there)) {
        compute_some(between);
    }
    return code;
}

int __wrap_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int __wrap_MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int __wrap_MPI_Allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm);
int __wrap_MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);

int __wrap_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    const waited_for w = {.count = count, .requests = requests, .status = statuses};
    return wait_for(&w);
}

int __wrap_MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    const waited_for w = {.count = count, .requests = requests, .index = index, .status = status};
    return wait_for(&w);
}

int __wrap_MPI_Allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm)
{
    MPI_Request request;
    if (!self.some_spin) {
        sleep_until_called();
        return PMPI_Allreduce(mine, all, count, type, op, comm);
    }
    int code = PMPI_Iallreduce(mine, all, count, type, op, comm, &request);
    return code == MPI_SUCCESS ? __wrap_MPI_Waitall(1, &request, MPI_STATUSES_IGNORE) : code;
}

int __wrap_MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    sleep_until_called();
    return PMPI_Bcast(data, count, type, root, comm);
}
