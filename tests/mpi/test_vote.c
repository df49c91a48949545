#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "core/beat/vote.h"
#include "core/world/collect.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <time.h>

enum { SUMS = 3, VOTES = 300, ENTRIES = HALO_VOTE_SUMS + SUMS };

static int64_t ceil_log2(int64_t n)
{
    int64_t log = 0;
    while (((int64_t)1 << log) < n) {
        log++;
    }
    return log;
}

/* Make the packet of rank `rank` in vote `number`: every rank can compute it. */
static void make_packet(int rank, int number, int64_t *packet)
{
    uint64_t random = (uint64_t)rank * 1000003 + (uint64_t)number;
    for (int i = 0; i < ENTRIES; i++) {
        packet[i] = random_below(&random, (int64_t)1 << 50) - ((int64_t)1 << 49);
    }
}

/* Now and then a rank is late, another one each time, before or after posting. */
static void be_late(uint64_t *random)
{
    if (random_below(random, 10) == 0) {
        int64_t nanoseconds = random_below(random, 1000000);
        nanosleep(&(struct timespec){.tv_nsec = (long)nanoseconds}, NULL);
    }
}

static void expect_sums(halo_vote *vote, int number)
{
    int64_t got[ENTRIES], wanted[ENTRIES] = {0};
    for (int r = 0; r < all_ranks(); r++) {
        int64_t theirs[ENTRIES];
        make_packet(r, number, theirs);
        for (int i = 0; i < ENTRIES; i++) {
            wanted[i] += theirs[i];
        }
    }
    expect_ok(halo_vote_collect(vote, got));
    for (int i = 0; i < ENTRIES; i++) {
        expect(got[i] == wanted[i], "vote %d, entry %d: %" PRId64 ", not %" PRId64, number, i,
               got[i], wanted[i]);
    }
}

static void vote_once(halo_vote *vote, int number, uint64_t *random)
{
    int64_t mine[ENTRIES];
    make_packet(my_rank(), number, mine);
    be_late(random);
    expect_ok(halo_vote_post(vote, mine));
    mine[0] = 0; /* a posted packet is the vote's own */
    be_late(random);
    expect_sums(vote, number);
}

static void check_method(const char *method, int64_t messages, int64_t steps)
{
    halo_world *world = mpi_check_world();
    halo_vote *vote;
    halo_status status = halo_vote_create(&vote, world, method, SUMS);
    expect_ok(status);
    uint64_t random = (uint64_t)halo_world_rank(world) + 17;
    for (int number = 0; status == HALO_OK && number < VOTES; number++) {
        vote_once(vote, number, &random);
    }
    halo_vote_counts counts = halo_vote_count(vote);
    halo_vote_destroy(&vote);
    expect(counts.votes == VOTES, "%" PRId64 " votes", counts.votes);
    int64_t sent = counts.messages, longest = counts.steps;
    expect(halo_allreduce_sum(world, &sent, 1) == HALO_OK &&
               halo_allreduce_max(world, &longest, 1) == HALO_OK,
           "sum");
    expect(sent == messages * VOTES, "%s: %" PRId64 " messages in %d votes, not %" PRId64 " each",
           method, sent, VOTES, messages);
    expect(longest == steps * VOTES, "%s: %" PRId64 " steps in %d votes, not %" PRId64 " each",
           method, longest, VOTES, steps);
    EXPECT_AGREED();
}

static void test_allreduce(void)
{
    check_method("allreduce", 0, 0); /* MPI's messages are not ours to count */
    check_method(NULL, 0, 0);
}

static void test_tree(void)
{
    int64_t ranks = all_ranks();
    check_method("tree", 2 * (ranks - 1), 2 * ceil_log2(ranks));
}

static void test_coordinator(void)
{
    int64_t ranks = all_ranks();
    check_method("coordinator", 2 * ranks, 2 * ranks);
}

static void test_broadcast(void)
{
    int64_t ranks = all_ranks();
    check_method("broadcast", 2 * ranks - 1, ranks + ceil_log2(ranks));
}

static void test_pipeline(void)
{
    int64_t ranks = all_ranks();
    check_method("pipeline", ranks * ceil_log2(ranks), ceil_log2(ranks));
}

/* With as many votes under way as there can be, collected in between, or all of them. */
static void test_late(void)
{
    halo_vote *vote;
    uint64_t random = (uint64_t)my_rank() + 29, shared = 5;
    expect_ok(halo_vote_create(&vote, mpi_check_world(), "pipeline", SUMS));
    int lateness = halo_vote_lateness(vote), collected = 0;
    expect(lateness == ceil_log2(all_ranks()), "%d votes under way", lateness);
    for (int number = 0; number < VOTES; number++) {
        int64_t mine[ENTRIES];
        make_packet(my_rank(), number, mine);
        be_late(&random);
        expect_ok(halo_vote_post(vote, mine));
        bool all = number == VOTES - 1 || random_below(&shared, 10) == 0;
        while (number + 1 - collected > (all ? 0 : lateness)) {
            expect_sums(vote, collected++);
        }
    }
    expect(collected == VOTES && halo_vote_count(vote).votes == VOTES, "%d votes", collected);
    halo_vote_destroy(&vote);
    EXPECT_AGREED();
}

/* Votes that are alive together, used in turns, do not hear each other's messages. */
static void test_votes_do_not_mix(void)
{
    static const char *const methods[] = {"tree", "coordinator", "broadcast", "allreduce",
                                          "pipeline"};
    enum { METHODS = sizeof methods / sizeof methods[0] };
    halo_vote *votes[METHODS];
    uint64_t random = (uint64_t)my_rank();
    for (int i = 0; i < METHODS; i++) {
        expect_ok(halo_vote_create(&votes[i], mpi_check_world(), methods[i], SUMS));
    }
    for (int number = 0; number < 100; number++) {
        vote_once(votes[number % METHODS], number, &random);
    }
    for (int i = 0; i < METHODS; i++) {
        halo_vote_destroy(&votes[i]);
    }
    EXPECT_AGREED();
}

static void test_misuse_is_refused(void)
{
    halo_vote *vote;
    halo_world *world = mpi_check_world();
    expect(halo_vote_create(&vote, world, "show of hands", 0) == HALO_ARGUMENT && vote == NULL,
           "an unknown vote was accepted");
    expect(halo_vote_create(&vote, world, "tree", -1) == HALO_ARGUMENT && vote == NULL,
           "a negative number of sums was accepted");
    expect_ok(halo_vote_create(&vote, world, "tree", 0));
    int64_t packet[HALO_VOTE_SUMS] = {1};
    expect(halo_vote_collect(vote, packet) == HALO_ARGUMENT, "collected before a post");
    expect_ok(halo_vote_post(vote, packet));
    expect(halo_vote_post(vote, packet) == HALO_ARGUMENT, "posted twice");
    expect_ok(halo_vote_collect(vote, packet));
    expect(packet[HALO_VOTE_CHANGED] == halo_world_ranks(world), "%" PRId64, packet[0]);
    halo_vote_destroy(&vote);
    expect_ok(halo_vote_create(&vote, world, "pipeline", 0));
    for (int i = 0; i <= halo_vote_lateness(vote); i++) {
        expect_ok(halo_vote_post(vote, packet));
    }
    expect(halo_vote_post(vote, packet) == HALO_ARGUMENT, "posted too often");
    for (int i = 0; i <= halo_vote_lateness(vote); i++) {
        expect_ok(halo_vote_collect(vote, packet));
    }
    expect(halo_vote_collect(vote, packet) == HALO_ARGUMENT, "collected once more");
    halo_vote_destroy(&vote);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("vote", {"allreduce", test_allreduce}, {"tree: 2 ceil(log2 P) steps", test_tree},
               {"coordinator: 2P messages", test_coordinator},
               {"broadcast: 2P - 1 messages", test_broadcast},
               {"pipeline: P ceil(log2 P) messages", test_pipeline},
               {"several votes are under way", test_late},
               {"votes in turns do not mix", test_votes_do_not_mix},
               {"misuse is refused", test_misuse_is_refused})
