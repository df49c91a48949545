/* A master and its workers: everyone gets its own work and what all need, and all fail together. */

#include "core/move/farm.h"
#include "support/mpi_check.h"

#include <stdlib.h>
#include <string.h>

enum { CONSTANT = 3000, ROUNDS = 4 };

typedef struct {
    const unsigned char *constant;
    int rank, failing;
} context;

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
    halo_farm_time *times;
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

static void check_found(const bench *b, int round)
{
    for (int r = 0; r < b->ranks; r++) {
        bool right = true;
        for (size_t i = 0; i < b->back_bytes[r]; i++) {
            unsigned char expected = (unsigned char)(7 * r + round + b->constant[i % CONSTANT]);
            right = right && b->backs[r][i] == expected;
        }
        const halo_farm_time *t = &b->times[r];
        expect(right, "round %d: rank %d found something else", round, r);
        expect(t->computing >= 0 && t->acknowledged >= 0 && t->finished >= t->acknowledged &&
                   t->finished >= t->computing,
               "round %d: times of rank %d", round, r);
    }
}

/* `failing` is a rank, or -1. */
static void run(halo_farm *farm, int round, int failing)
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
    halo_farm_beat beat = {.constant = b.constant,
                           .constant_bytes = round == 0 ? CONSTANT : 0,
                           .messages = (const void *const *)b.messages,
                           .bytes = b.bytes,
                           .back_bytes = b.back_bytes,
                           .backs = (void *const *)b.backs,
                           .times = b.times,
                           .work = work,
                           .context = &c};
    halo_status status = halo_farm_reserve(farm, master ? 80000 : 0, master ? 160000 : 0);
    if (status == HALO_OK) {
        status = halo_farm_run(farm, &beat, &clock);
    }
    expect(status == (failing < 0 ? HALO_OK : HALO_FORMAT), "round %d: %s", round,
           halo_last_message());
    if (master && failing < 0) {
        check_found(&b, round);
    }
    end(&b);
}

static void test_rounds(void)
{
    halo_farm *farm = NULL;
    expect_ok(halo_farm_create(&farm, mpi_check_world()));
    for (int round = 0; round < ROUNDS; round++) {
        run(farm, round, -1);
    }
    int64_t messages, bytes;
    halo_farm_sent(farm, &messages, &bytes);
    expect((messages > 0) == (all_ranks() > 1), "messages are miscounted");
    halo_farm_destroy(&farm);
    EXPECT_AGREED();
}

static void test_failures(void)
{
    halo_farm *farm = NULL;
    expect_ok(halo_farm_create(&farm, mpi_check_world()));
    for (int rank = 0; rank < all_ranks(); rank++) {
        run(farm, 1 + rank, rank);
    }
    bool master = my_rank() == 0;
    halo_status status = halo_farm_reserve(farm, master ? (size_t)1 << 31 : 0, 0);
    expect(status == HALO_ARGUMENT, "a message of 2 GiB");
    halo_farm_destroy(&farm);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("farm", {"rounds", test_rounds}, {"failures", test_failures})
