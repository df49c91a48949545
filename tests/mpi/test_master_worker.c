/* A master and its workers: everyone gets its own work and what all need, acknowledgements hold
 * nobody up, and all fail together. */

#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "core/master/master_worker.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CONSTANT = 3000, ROUNDS = 4 };

typedef struct {
    const unsigned char *constant;
    int rank, failing;
} context;

static const halo_master_worker_options ways[] = {
    {0}, {.same_thread = true}, {.master_rests = true}, {.unmeasured = true}};

/* Findings are twice the message's bytes; the constant part must be there. */
static halo_status work(void *any, const void *message, size_t bytes, void *back, size_t back_bytes)
{
    const context *c = any;
    expect(back_bytes == 2 * bytes, "%zu bytes of findings for %zu", back_bytes, bytes);
    for (size_t i = 0; i < back_bytes; i++) {
        unsigned char more = c->constant[i % CONSTANT];
        ((unsigned char *)back)[i] =
            (unsigned char)(((const unsigned char *)message)[i / 2] + more);
    }
    return c->rank == c->failing ? halo_fail(HALO_FORMAT, "rank %d is tired", c->rank) : HALO_OK;
}

typedef struct {
    int ranks;
    unsigned char constant[CONSTANT];
    unsigned char **messages, **backs;
    size_t *bytes, *back_bytes;
    halo_master_worker_time *times;
} bench;

static void make(bench *b, int ranks, int round)
{
    size_t n = (size_t)ranks;
    *b = (bench){.ranks = ranks,
                 .messages = calloc(n, sizeof *b->messages),
                 .backs = calloc(n, sizeof *b->backs),
                 .bytes = calloc(n, sizeof *b->bytes),
                 .back_bytes = calloc(n, sizeof *b->back_bytes),
                 .times = calloc(n, sizeof *b->times)};
    for (int r = 0; r < ranks; r++) {
        b->bytes[r] = (size_t)((r + round) % 3 * 40000);
        b->back_bytes[r] = 2 * b->bytes[r];
        b->messages[r] = malloc(b->bytes[r] + 1);
        b->backs[r] = malloc(b->back_bytes[r] + 1);
        memset(b->messages[r], 7 * r + round, b->bytes[r] + 1);
    }
}

static void end(bench *b)
{
    for (int r = 0; r < b->ranks; r++) {
        free(b->messages[r]);
        free(b->backs[r]);
    }
    free(b->messages);
    free(b->backs);
    free(b->bytes);
    free(b->back_bytes);
    free(b->times);
}

static void check_found(const bench *b, int round, const halo_master_worker_options *options)
{
    bool rests = options->master_rests && b->ranks > 1;
    for (int r = rests ? 1 : 0; r < b->ranks; r++) {
        bool right = true;
        for (size_t i = 0; i < b->back_bytes[r]; i++) {
            unsigned char expected = (unsigned char)(7 * r + round + b->constant[i % CONSTANT]);
            right = right && b->backs[r][i] == expected;
        }
        const halo_master_worker_time *t = &b->times[r];
        expect(right, "round %d: rank %d found something else", round, r);
        expect(t->computing >= 0 && t->acknowledged >= 0 && t->finished >= t->acknowledged &&
                   t->finished >= t->transfer && (r == 0 || t->finished > 0),
               "round %d: times of rank %d", round, r);
        expect(!options->unmeasured || r == 0 || (t->computing <= 0 && t->acknowledged <= 0),
               "round %d: times of rank %d, which nobody measured", round, r);
    }
}

/* `failing` is a rank, or -1. */
static void run(halo_master_worker *workers, const halo_master_worker_options *options, int round,
                int failing)
{
    halo_world *world = mpi_check_world();
    bool master = halo_world_rank(world) == 0;
    bench b;
    make(&b, halo_world_ranks(world), round);
    for (int i = 0; i < CONSTANT && (master || round > 0); i++) {
        b.constant[i] = (unsigned char)(i * 31);
    }
    context c = {b.constant, halo_world_rank(world), failing};
    halo_clock clock = {{0}};
    halo_master_worker_beat beat = {.constant = b.constant,
                                    .constant_bytes = round == 0 ? CONSTANT : 0,
                                    .messages = (const void *const *)b.messages,
                                    .bytes = b.bytes,
                                    .back_bytes = b.back_bytes,
                                    .backs = (void *const *)b.backs,
                                    .times = b.times,
                                    .work = work,
                                    .context = &c};
    halo_status status =
        halo_master_worker_reserve(workers, master ? 80000 : 0, master ? 160000 : 0);
    if (status == HALO_OK) {
        status = halo_master_worker_run(workers, &beat, &clock);
    }
    expect(status == (failing < 0 ? HALO_OK : HALO_FORMAT), "round %d: %s", round,
           halo_last_message());
    if (master && failing < 0) {
        check_found(&b, round, options);
    }
    end(&b);
}

static void test_rounds(void)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        halo_master_worker *workers = NULL;
        expect_ok(halo_master_worker_create(&workers, mpi_check_world(), &ways[i]));
        for (int round = 0; round < ROUNDS; round++) {
            run(workers, &ways[i], round, -1);
        }
        int64_t messages, bytes;
        halo_master_worker_sent(workers, &messages, &bytes);
        expect((messages > 0) == (all_ranks() > 1), "messages are miscounted");
        halo_master_worker_destroy(&workers);
    }
    EXPECT_AGREED();
}

static void test_failures(void)
{
    halo_master_worker *workers = NULL;
    expect_ok(halo_master_worker_create(&workers, mpi_check_world(), NULL));
    for (int rank = 0; rank < all_ranks(); rank++) {
        run(workers, &ways[0], 1 + rank, rank);
    }
    bool master = my_rank() == 0;
    halo_status status = halo_master_worker_reserve(workers, master ? (size_t)1 << 31 : 0, 0);
    expect(status == HALO_ARGUMENT, "a message of 2 GiB");
    halo_master_worker_destroy(&workers);
    EXPECT_AGREED();
}

/* ---- acknowledgements ------------------------------------------------------------------------ */

static char begun_path[4096];

static halo_status leave_a_sign(void *any, const void *message, size_t bytes, void *back,
                                size_t back_bytes)
{
    (void)message;
    (void)bytes;
    memset(back, 1, back_bytes);
    FILE *sign = *(int *)any == 0 ? fopen(begun_path, "w") : NULL;
    return sign != NULL && fclose(sign) != 0 ? halo_fail(HALO_FILE, "no sign") : HALO_OK;
}

/* Workers receive nothing, and so acknowledge nothing, before the master is at its own work: were
 * it to wait for them, this would not end. */
static void test_held_up_by_none(void)
{
    enum { BYTES = 1 << 20 };
    int rank = my_rank(), ranks = all_ranks();
    halo_master_worker *workers = NULL;
    bench b;
    halo_clock clock = {{0}};
    make(&b, ranks, 0);
    for (int r = 0; r < ranks; r++) {
        b.bytes[r] = BYTES; /* too long to be sent before it is asked for */
        b.back_bytes[r] = 8;
        free(b.messages[r]);
        free(b.backs[r]);
        b.messages[r] = calloc(1, BYTES);
        b.backs[r] = calloc(1, 8);
    }
    snprintf(begun_path, sizeof begun_path, "%s", path_of("begun"));
    expect_ok(halo_master_worker_create(&workers, mpi_check_world(), NULL));
    expect_ok(halo_master_worker_reserve(workers, BYTES, 8));
    while (rank > 0 && access(begun_path, F_OK) != 0) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    halo_master_worker_beat beat = {.messages = (const void *const *)b.messages,
                                    .bytes = b.bytes,
                                    .back_bytes = b.back_bytes,
                                    .backs = (void *const *)b.backs,
                                    .times = b.times,
                                    .work = leave_a_sign,
                                    .context = &rank};
    if (ranks == 1 || halo_master_worker_has_thread(workers)) {
        expect_ok(halo_master_worker_run(workers, &beat, &clock));
    }
    for (int r = 0; rank == 0 && r < ranks; r++) {
        expect(*(char *)b.backs[r] == 1, "rank %d found nothing", r);
    }
    expect(rank > 0 || unlink(begun_path) == 0, "the master left no sign");
    end(&b);
    halo_master_worker_destroy(&workers);
    expect_together();
    EXPECT_AGREED();
}

MPI_CHECK_MAIN_HOOKED("master_worker", folder_make, folder_remove, {"rounds", test_rounds},
                      {"failures", test_failures}, {"held up by none", test_held_up_by_none})
