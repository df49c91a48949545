#include "cli/bench/messages.h"

#include "core/world/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RING = 2 };

typedef struct {
    int bytes, messages; /* messages each way */
    halo_world *world;
    char *out, *in;
    MPI_Request *requests; /* [2 * messages] */
    int partners[RING];    /* -1: none */
} traffic;

static void close_traffic(void *context, bool counts)
{
    (void)counts;
    traffic *all = context;
    free(all->out);
    free(all->in);
    free(all->requests);
    all->out = all->in = NULL;
    all->requests = NULL;
}

static halo_status allocate(traffic *all, halo_world *world)
{
    size_t size = (size_t)all->bytes * (size_t)all->messages;
    all->world = world;
    all->out = calloc(1, size);
    all->in = calloc(1, size);
    all->requests = calloc(2 * (size_t)all->messages, sizeof *all->requests);
    bool there = all->out != NULL && all->in != NULL && all->requests != NULL;
    return halo_agree(
        world, there ? HALO_OK
                     : halo_fail(HALO_MEMORY, "out of memory: messages of %d bytes", all->bytes));
}

static halo_status open_pair(void *context, halo_world *world)
{
    traffic *all = context;
    int partner = halo_world_rank(world) ^ 1;
    all->partners[0] = all->partners[1] = partner < halo_world_ranks(world) ? partner : -1;
    return allocate(all, world);
}

static halo_status open_ring(void *context, halo_world *world)
{
    traffic *all = context;
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    all->partners[0] = (rank + ranks - 1) % ranks;
    all->partners[1] = (rank + 1) % ranks;
    return allocate(all, world);
}

/* All messages, half of them to each partner. */
static halo_status post(traffic *all)
{
    MPI_Comm comm = halo_world_comm(all->world);
    for (int i = 0; i < all->messages; i++) {
        HALO_MPI_TRY(MPI_Irecv(all->in + (size_t)i * (size_t)all->bytes, all->bytes, MPI_BYTE,
                               all->partners[i % RING], 0, comm, &all->requests[2 * i]));
    }
    for (int i = 0; i < all->messages; i++) {
        HALO_MPI_TRY(MPI_Isend(all->out + (size_t)i * (size_t)all->bytes, all->bytes, MPI_BYTE,
                               all->partners[i % RING], 0, comm, &all->requests[2 * i + 1]));
    }
    return HALO_OK;
}

static halo_status run_swap(void *context, int64_t times, double *spent)
{
    (void)spent;
    traffic *all = context;
    for (int64_t t = 0; t < times && all->partners[0] >= 0; t++) {
        HALO_TRY(post(all));
        HALO_TRY(halo_wait(all->world, 2 * all->messages, all->requests));
    }
    return HALO_OK;
}

static halo_status run_bare(void *context, int64_t times, double *spent)
{
    (void)spent;
    traffic *all = context;
    MPI_Status statuses[2 * RING];
    for (int64_t t = 0; t < times; t++) {
        HALO_TRY(post(all));
        HALO_MPI_TRY(MPI_Waitall(2 * RING, all->requests, statuses));
    }
    return HALO_OK;
}

/* One message, and wait until it is through. */
static halo_status pass(traffic *all, bool sends)
{
    MPI_Comm comm = halo_world_comm(all->world);
    if (sends) {
        HALO_MPI_TRY(
            MPI_Isend(all->out, all->bytes, MPI_BYTE, all->partners[0], 0, comm, all->requests));
    } else {
        HALO_MPI_TRY(
            MPI_Irecv(all->in, all->bytes, MPI_BYTE, all->partners[0], 0, comm, all->requests));
    }
    return halo_wait(all->world, 1, all->requests);
}

static halo_status run_ping(void *context, int64_t times, double *spent)
{
    traffic *all = context;
    bool first = halo_world_rank(all->world) % 2 == 0;
    double begun = halo_seconds();
    for (int64_t t = 0; t < times && all->partners[0] >= 0; t++) {
        HALO_TRY(pass(all, first));
        HALO_TRY(pass(all, !first));
    }
    *spent = (halo_seconds() - begun) / 2;
    return HALO_OK;
}

static void add(bench_list *list, const bench_item *item, const bench_label *label, int messages,
                int bytes)
{
    traffic *all = bench_list_add(list, item, label, sizeof *all);
    if (all != NULL) {
        all->bytes = bytes;
        all->messages = messages;
    }
}

void bench_add_ping(bench_list *list, int ranks, int bytes)
{
    bench_item item = {.open = open_pair, .run = run_ping, .close = close_traffic, .ranks = ranks};
    bench_label label = {.measure = "message",
                         .way = "one way",
                         .bytes = bytes,
                         .amount = bytes,
                         .unit = "B",
                         .base = -1};
    add(list, &item, &label, 1, bytes);
}

int bench_add_swap(bench_list *list, int ranks, int messages, int bytes)
{
    bench_item item = {.open = open_pair, .run = run_swap, .close = close_traffic, .ranks = ranks};
    bench_label label = {.measure = "swap",
                         .bytes = bytes,
                         .amount = (double)bytes * messages,
                         .unit = "B",
                         .base = -1};
    snprintf(label.way, sizeof label.way, "%d message%s each way", messages,
             messages == 1 ? "" : "s");
    add(list, &item, &label, messages, bytes);
    return list->count - 1;
}

void bench_add_bare(bench_list *list, int ranks, int bytes)
{
    bench_item item = {.open = open_ring, .run = run_bare, .close = close_traffic, .ranks = ranks};
    bench_label label = {.measure = "halo of 2 messages",
                         .way = "bare MPI",
                         .bytes = bytes,
                         .amount = 2. * bytes,
                         .unit = "B",
                         .base = -1};
    add(list, &item, &label, RING, bytes);
}
