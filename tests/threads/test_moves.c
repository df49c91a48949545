#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "core/move/common_parts.h"
#include "core/move/redistribute.h"
#include "core/move/scatter_gather.h"
#include "core/transport/threads/run.h"
#include "core/world/collect.h"
#include "threads/expect.h"
#include "threads/faults.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Cells that threads copy from where their owners have them, and rows that they take from where
 * they were made: nobody frees them meanwhile, whatever fails. tests/mpi/test_redistribute.c and
 * test_scatter_gather.c are about which cells and rows go where. */

enum { PATIENCE = 120 }; /* seconds; what takes longer hangs */

/* ---- leaving --------------------------------------------------------------------------------- */

/* Every other rank reads the part of rank 0, which leaves. */
static void read_part(const halo_common_parts *parts, const halo_part *part, atomic_bool *left)
{
    enum { LOOKS = 1000 };
    EXPECT(part != NULL && part->box.lo[0] == 7, "not the part of rank 0");
    for (int i = 0; i < LOOKS && !atomic_load(left); i++) {
        sched_yield();
    }
    EXPECT(!atomic_load(left), "a part is left while it is read");
    halo_common_parts_give_back(parts, 0);
    while (!atomic_load(left)) {
        sched_yield();
    }
    EXPECT(halo_common_parts_borrow(parts, 0, "its part", &part) == HALO_TRANSPORT && part == NULL,
           "the part of a rank that has left");
}

static halo_status leave_early(halo_world *world, void *context)
{
    atomic_bool *left = context;
    int rank = halo_world_rank(world);
    halo_part mine = {.box = {.lo = {rank + 7}}};
    halo_common_parts parts;
    HALO_TRY(halo_common_parts_join(&parts, world, &mine));
    HALO_TRY(halo_agree(world, HALO_OK));
    const halo_part *part = NULL;
    halo_status borrowed =
        rank > 0 ? halo_common_parts_borrow(&parts, 0, "its part", &part) : HALO_OK;
    HALO_TRY(halo_agree(world, borrowed));
    if (rank > 0) {
        read_part(&parts, part, left);
    }
    halo_common_parts_leave(&parts);
    EXPECT(parts.of == NULL, "parts after leaving them");
    atomic_store(left, rank == 0 || atomic_load(left));
    return HALO_OK;
}

static void test_leaving(void)
{
    const int numbers[] = {1, 2, 3, 8};
    for (int i = 0; i < 4; i++) {
        atomic_bool left = false;
        EXPECT(halo_run(numbers[i], NULL, leave_early, &left) == HALO_OK, "%s",
               halo_last_message());
    }
}

/* ---- redistribution, and what fails meanwhile ------------------------------------------------ */

/* Square fields of numbers, from strips to blocks of whole columns. */
typedef struct {
    halo_world *world;
    halo_domain domain;
    halo_partition strips, blocks;
    halo_field *from, *to;
} handing;

static halo_status prepare(handing *h, int64_t side)
{
    int ranks = halo_world_ranks(h->world), rank = halo_world_rank(h->world);
    h->domain = (halo_domain){.axes = 2, .n = {side, side, 1}};
    HALO_TRY(halo_partition_strips(&h->strips, &h->domain, ranks));
    HALO_TRY(halo_partition_blocks(&h->blocks, &h->domain, (const int[]){1, ranks, 1}));
    halo_box strip = halo_partition_box(&h->strips, rank);
    halo_box block = halo_partition_box(&h->blocks, rank);
    HALO_TRY(halo_field_create(&h->from, &h->domain, &strip, 64, 1));
    return halo_field_create(&h->to, &h->domain, &block, 64, 1);
}

/* Cells have their number in the domain. Returns how many have another. */
static int64_t go_through(const halo_view *view, int64_t side, bool sets)
{
    int64_t wrong = 0;
    for (int64_t row = 0; row < view->owned.n[0]; row++) {
        int64_t *cells = halo_row(view, row);
        for (int64_t column = 0; column < view->owned.n[1]; column++) {
            int64_t number = (view->owned.lo[0] + row) * side + view->owned.lo[1] + column;
            if (sets) {
                cells[column] = number;
            }
            wrong += cells[column] != number;
        }
    }
    return wrong;
}

static halo_status make_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const handing *h = context;
    const halo_view *view = halo_field_view(h->from);
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, halo_row(view, first + i - view->owned.lo[0]),
               (size_t)h->domain.n[0] * sizeof(int64_t));
    }
    return HALO_OK;
}

/* Takes its time, in which the makers may want their memory back. */
static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const handing *h = context;
    int64_t side = h->domain.n[0], wrong = 0;
    for (int64_t i = 0; i < rows * side; i++) {
        if (i % (16 * side) == 0) {
            sched_yield();
        }
        const int64_t *row = (const int64_t *)((const char *)data + (size_t)(i / side) * pitch);
        wrong += row[i % side] != first * side + i;
    }
    EXPECT(wrong == 0, "%" PRId64 " numbers of rows are wrong", wrong);
    return HALO_OK;
}

/* From all ranks to rank 0. */
static halo_status move_rows(handing *h, halo_clock *clock)
{
    const int64_t *cuts = h->strips.cuts[0], side = h->domain.n[0];
    size_t bytes = (size_t)side * sizeof(int64_t);
    const halo_rows rows = {.fill = make_rows, .context = h};
    return halo_rows_gather(h->world, cuts, 0, side, bytes, &rows, take_rows, h, clock);
}

/* Fields are freed as soon as cells and rows have been handed over, well or not. */
static halo_status hand_over(halo_world *world, void *context)
{
    int64_t side = *(const int64_t *)context;
    handing h = {.world = world};
    halo_clock clock = {0};
    halo_status status = halo_agree(world, prepare(&h, side));
    if (status == HALO_OK) {
        go_through(halo_field_view(h.from), side, true);
        status = halo_redistribute(world, halo_field_view(h.from), &h.strips, halo_field_view(h.to),
                                   &h.blocks, &clock);
    }
    if (status == HALO_OK) {
        int64_t wrong = go_through(halo_field_view(h.to), side, false);
        EXPECT(wrong == 0, "%" PRId64 " cells are wrong", wrong);
        status = move_rows(&h, &clock);
    }
    halo_field_destroy(&h.from);
    halo_field_destroy(&h.to);
    halo_partition_free(&h.strips);
    halo_partition_free(&h.blocks);
    return status;
}

static void test_faults(void)
{
    enum { LEAST = 20 };
    int64_t nth = 0, side = 24;
    for (bool failed = true; failed; nth++) {
        fault_arm(FAULT_MEMORY, nth);
        halo_status status = halo_run(4, NULL, hand_over, &side);
        failed = fault_disarm();
        EXPECT(status == (failed ? HALO_MEMORY : HALO_OK), "call %" PRId64 ": %d, %s", nth, status,
               halo_last_message());
    }
    EXPECT(nth > LEAST, "%" PRId64 " calls", nth);
}

typedef struct {
    halo_team *team;
    int rank;
    int64_t side;
    atomic_int *begun;
    pthread_t thread;
} own_thread;

/* Goes on until the team is broken. */
static void *hand_over_again(void *context)
{
    own_thread *own = context;
    halo_world *world = NULL;
    halo_status status = halo_world_create_threads(&world, own->team, own->rank, NULL);
    atomic_fetch_add(own->begun, 1);
    while (status == HALO_OK) {
        status = hand_over(world, &own->side);
    }
    EXPECT(status == HALO_FILE && strcmp(halo_last_message(), "on purpose") == 0, "%s",
           halo_last_message());
    halo_world_destroy(&world);
    return NULL;
}

/* The team breaks at any moment: while some ranks wait, and others copy. A rank's rows take 0.3 MB.
 * The C library returns memory of that size to the system when it is freed, so that a rank which
 * reads it too late crashes. */
static void test_breaks(void)
{
    enum { RANKS = 4, TIMES = 60, STEP = 37000, SIDE = 400 }; /* nanoseconds */
    for (int i = 0; i < TIMES; i++) {
        own_thread own[RANKS];
        atomic_int begun = 0;
        halo_team *team;
        EXPECT(halo_team_create(&team, RANKS) == HALO_OK, "%s", halo_last_message());
        for (int r = 0; r < RANKS; r++) {
            own[r] = (own_thread){.team = team, .rank = r, .side = SIDE, .begun = &begun};
            EXPECT(pthread_create(&own[r].thread, NULL, hand_over_again, &own[r]) == 0, "a thread");
        }
        while (atomic_load(&begun) < RANKS) {
            sched_yield();
        }
        nanosleep(&(struct timespec){.tv_nsec = i * STEP}, NULL);
        halo_team_break(team, HALO_FILE, "on purpose");
        for (int r = 0; r < RANKS; r++) {
            pthread_join(own[r].thread, NULL);
        }
        halo_team_destroy(&team);
    }
}

int main(void)
{
    alarm(PATIENCE);
    test_leaving();
    test_faults();
    test_breaks();
    if (atomic_load(&failures) == 0) {
        puts("moves between threads: all as expected");
    }
    return atomic_load(&failures) > 0;
}
