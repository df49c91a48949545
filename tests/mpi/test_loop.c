/* The loop of beats by itself: ranks empty bags of tasks, some of which are fuller than others. */

#include "core/beat/loop.h"
#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <string.h>

enum { TASKS_DONE, BEATS_DONE, SUMS };

typedef struct {
    int64_t left;         /* tasks in this rank's bag: a beat does one */
    int64_t enough;       /* tasks done by all ranks in a superstep that end the run; 0: none */
    int64_t fails_at;     /* after this number of beats, on this rank; negative: never */
    int64_t asks_to_stop; /* after this number of beats, on this rank; 0: never */
    int64_t done, supersteps, balanced, watched;
    int64_t first_left; /* beats left, as its first balancing was given them */
    bool cannot_balance, stays_failed;
    int64_t cannot_balance_at; /* the number of the time that it is to balance; 0: never */
    bool wants_plan;           /* until there is one */
    int64_t plans;             /* that a rank wanted */
    halo_loop *widened;        /* gets votes on more beats before its third superstep; NULL: none */
} bag;

static halo_status balance(void *context, int64_t left, bool overdue)
{
    bag *b = context;
    b->first_left = b->balanced++ == 0 ? left : b->first_left;
    b->plans += overdue;
    b->wants_plan = b->wants_plan && !overdue;
    if (b->widened != NULL && b->balanced == 3) {
        expect_ok(halo_loop_set_beats_per_vote(b->widened, 3));
    }
    bool fails = b->cannot_balance || b->balanced == b->cannot_balance_at;
    return fails ? halo_fail(HALO_RANKS, "nothing to hold on to") : HALO_OK;
}

static halo_status work(void *context, halo_loop_superstep *superstep)
{
    bag *b = context;
    b->supersteps++;
    for (int i = 0; i < superstep->beats; i++) {
        int64_t task = b->left > 0;
        expect(superstep->changed[i] == 0, "beat %d begins with %" PRId64, i,
               superstep->changed[i]);
        b->left -= task;
        b->done += task;
        superstep->changed[i] = task;
        superstep->sums[TASKS_DONE] += task;
        superstep->sums[BEATS_DONE]++;
    }
    bool fails = superstep->done == b->fails_at ||
                 (b->stays_failed && b->fails_at >= 0 && superstep->done > b->fails_at);
    return fails ? halo_fail(HALO_FILE, "the bag has a hole") : HALO_OK;
}

static bool is_enough(void *context, const halo_loop_superstep *superstep)
{
    const bag *b = context;
    int ranks = all_ranks();
    expect(superstep->sums[BEATS_DONE] == (int64_t)superstep->beats * ranks,
           "%" PRId64 " beats of all ranks", superstep->sums[BEATS_DONE]);
    return b->enough > 0 && superstep->sums[TASKS_DONE] >= b->enough;
}

static bool watch(void *context, int64_t beats, int64_t changed)
{
    bag *b = context;
    b->watched++;
    expect(changed >= 0 && changed <= all_ranks(), "changed %" PRId64, changed);
    return b->asks_to_stop > 0 && beats >= b->asks_to_stop;
}

static const halo_loop_hooks hooks = {
    .balance = balance, .superstep = work, .agreed = is_enough, .watch = watch};

static bool wants_plan(void *context)
{
    return ((const bag *)context)->wants_plan;
}

static const halo_loop_hooks asking_hooks = {
    .balance = balance, .overdue = wants_plan, .superstep = work};

/* Rank r has r + 4 tasks. */
static bag full_bag(void)
{
    return (bag){.left = my_rank() + 4, .fails_at = -1};
}

static int64_t max_tasks(void)
{
    return all_ranks() + 3;
}

static bool is_last(void)
{
    return my_rank() == all_ranks() - 1;
}

static halo_loop *make(const halo_loop_options *options)
{
    halo_loop *loop = NULL;
    expect_ok(halo_loop_create(&loop, mpi_check_world(), options));
    return loop;
}

static void expect_report(halo_loop *loop, int64_t beats, int64_t votes, bool converged,
                          bool stopped)
{
    const halo_beat_report *report = halo_loop_get_report(loop);
    expect(report->beats == beats && report->votes == votes && report->converged == converged &&
               report->stopped == stopped,
           "%" PRId64 " beats, %" PRId64 " votes, converged %d, stopped %d; not %" PRId64
           ", %" PRId64 ", %d, %d",
           report->beats, report->votes, report->converged, report->stopped, beats, votes,
           converged, stopped);
}

/* The first beat that finds all bags empty is the last one counted, wherever it is in a superstep.
 */
static void test_converges(void)
{
    static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast"};
    int64_t beats = max_tasks() + 1;
    for (int max = 1; max <= 4; max++) {
        halo_loop *loop = make(&(halo_loop_options){.vote = votes[max - 1],
                                                    .sums = SUMS,
                                                    .beats_per_vote = max,
                                                    .converges = true,
                                                    .first_beat = 100});
        bag b = full_bag();
        int64_t world = halo_world_beats(mpi_check_world()), rounds = (beats + max - 1) / max;
        expect_ok(halo_loop_run(loop, &hooks, &b, 0));
        expect_report(loop, 100 + beats, rounds, true, false);
        expect(b.left == 0 && b.supersteps == rounds && b.balanced == rounds &&
                   b.watched == rounds && b.first_left == -1,
               "%" PRId64 " supersteps", b.supersteps);
        expect(halo_world_beats(mpi_check_world()) == world + rounds * max, "beats of the world");
        halo_loop_destroy(&loop);
    }
    EXPECT_AGREED();
}

static void test_ends(void)
{
    int ranks = all_ranks();
    halo_loop *loop = make(&(halo_loop_options){.sums = SUMS, .beats_per_vote = 2});
    bag b = full_bag();
    expect_ok(halo_loop_run(loop, &hooks, &b, 3));
    expect_report(loop, 3, 2, false, false);
    expect(b.done == 3 && b.first_left == 3, "%" PRId64 " tasks", b.done);
    b.enough = 1; /* all bags have a task left */
    expect_ok(halo_loop_run(loop, &hooks, &b, 50));
    expect_report(loop, 5, 3, true, false);
    *halo_loop_get_report(loop) = (halo_beat_report){0};
    expect_ok(halo_loop_run(loop, &(halo_loop_hooks){.superstep = work}, &b, 2));
    expect_report(loop, 2, 1, false, false);
    halo_loop_destroy(&loop);

    loop = make(&(halo_loop_options){.sums = SUMS, .converges = true, .change_threshold = 1});
    b = full_bag();
    expect_ok(halo_loop_run(loop, &hooks, &b, 0));
    expect_report(loop, ranks == 1 ? 1 : max_tasks(), ranks == 1 ? 1 : max_tasks(), true, false);
    halo_loop_destroy(&loop);
    EXPECT_AGREED();
}

/* A request of one rank to stop takes effect with the vote after it, in the next run, too. */
static void test_stops(void)
{
    halo_loop *loop = make(&(halo_loop_options){.sums = SUMS});
    bag b = full_bag();
    b.asks_to_stop = is_last() ? 2 : 0;
    expect_ok(halo_loop_run(loop, &hooks, &b, 9));
    expect_report(loop, 3, 3, false, true);
    b.asks_to_stop = 0; /* but it has asked again at the third beat */
    expect_ok(halo_loop_run(loop, &hooks, &b, 9));
    expect_report(loop, 4, 4, false, true);
    if (is_last()) {
        halo_loop_stop(loop);
    }
    expect_ok(halo_loop_run(loop, &hooks, &b, 9));
    expect_report(loop, 5, 5, false, true);
    expect_ok(halo_loop_run(loop, &hooks, &b, 2));
    expect_report(loop, 7, 7, false, false);
    halo_loop_destroy(&loop);
    EXPECT_AGREED();
}

/* One rank fails; all leave together, and may go on. */
static void test_fails(void)
{
    halo_loop *loop = make(&(halo_loop_options){.sums = SUMS});
    bag b = full_bag();
    b.fails_at = is_last() ? 2 : -1;
    expect(halo_loop_run(loop, &hooks, &b, 9) == HALO_FILE, "not failed");
    expect(strstr(halo_last_message(), "the bag has a hole") != NULL, "%s", halo_last_message());
    expect(b.supersteps == 3 && b.watched == 2, "%" PRId64 " supersteps", b.supersteps);
    b.fails_at = -1;
    b.cannot_balance = true;
    expect(halo_loop_run(loop, &hooks, &b, 9) == HALO_RANKS && b.supersteps == 3,
           "a superstep after balancing has failed");
    b.cannot_balance = false;
    expect(halo_loop_run(loop, &hooks, &b, 1) == HALO_OK && b.supersteps == 4, "%s",
           halo_last_message());
    halo_loop_destroy(&loop);
    halo_loop_destroy(&loop);
    EXPECT_AGREED();
}

/* ---- votes that are waited for later ----------------------------------------------------------
 */

/* Supersteps until a vote is heard of. */
static int lateness(void)
{
    int rounds = 0;
    while (1 << rounds < all_ranks()) {
        rounds++;
    }
    return rounds;
}

static halo_loop *make_late(bool converges, int beats_per_vote)
{
    return make(&(halo_loop_options){.vote = "pipeline",
                                     .sums = SUMS,
                                     .beats_per_vote = beats_per_vote,
                                     .converges = converges,
                                     .votes_late = true});
}

/* Some supersteps more are done, and not counted. */
static void test_converges_late(void)
{
    int64_t beats = max_tasks() + 1;
    for (int max = 1; max <= 4; max++) {
        halo_loop *loop = make_late(true, max);
        bag b = full_bag();
        int64_t rounds = (beats + max - 1) / max, all = rounds + lateness();
        expect_ok(halo_loop_run(loop, &hooks, &b, 0));
        expect_report(loop, beats, all, true, false);
        expect(b.left == 0 && b.supersteps == all && b.watched == rounds, "%" PRId64 " supersteps",
               b.supersteps);
        halo_loop_destroy(&loop);
    }
    /* No more than were asked for, late or not. */
    halo_loop *loop = make_late(true, 1);
    bag b = full_bag();
    expect_ok(halo_loop_run(loop, &hooks, &b, beats));
    expect_report(loop, beats, beats, true, false);
    halo_loop_destroy(&loop);
    EXPECT_AGREED();
}

/* With any method but the pipeline, votes cannot be late. */
static void test_not_late(void)
{
    static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast", "auto"};
    for (int i = 0; i < 5; i++) {
        halo_loop *loop =
            make(&(halo_loop_options){.vote = votes[i], .sums = SUMS, .votes_late = true});
        bag b = full_bag();
        b.asks_to_stop = is_last() ? 2 : 0;
        expect_ok(halo_loop_run(loop, &hooks, &b, 9));
        expect_report(loop, 3, 3, false, true);
        const char *used = halo_loop_get_report(loop)->vote;
        expect(strcmp(used, i == 4 ? "allreduce" : votes[i]) == 0, "%s is %s", votes[i], used);
        halo_loop_destroy(&loop);
    }
    EXPECT_AGREED();
}

static void test_ends_late(void)
{
    halo_loop *loop = make_late(false, 0);
    bag b = full_bag();
    expect_ok(halo_loop_run(loop, &hooks, &b, 3));
    expect_report(loop, 3, 3, false, false);
    expect(b.watched == 3 && b.done == 3, "%" PRId64 " votes are heard of", b.watched);
    /* The last rank hears of beat 5 after `lateness` more, and all hear of its request after as
     * many again. */
    int64_t last = 5 + 1 + 2 * lateness();
    b.asks_to_stop = is_last() ? 5 : 0;
    expect_ok(halo_loop_run(loop, &hooks, &b, 90));
    expect_report(loop, last, last, false, true);
    expect(b.supersteps == last && b.watched == last, "%" PRId64 " supersteps", b.supersteps);
    halo_loop_destroy(&loop);

    loop = make_late(true, 1);
    b = full_bag();
    b.widened = loop; /* while votes are under way */
    expect_ok(halo_loop_run(loop, &hooks, &b, 0));
    expect(halo_loop_get_report(loop)->beats == max_tasks() + 1 && b.left == 0, "%" PRId64 " beats",
           halo_loop_get_report(loop)->beats);
    halo_loop_destroy(&loop);
    EXPECT_AGREED();
}

static void test_fails_late(void)
{
    halo_loop *loop = make_late(false, 0);
    for (int max = 3; max <= 30; max += 27) { /* in the last superstep, and before it */
        bag b = full_bag();
        int64_t before = halo_loop_get_report(loop)->beats;
        b.fails_at = is_last() ? before + 2 : -1;
        b.stays_failed = true;
        expect_fails(halo_loop_run(loop, &hooks, &b, max), HALO_FILE, "the bag has a hole");
        expect(b.supersteps == (max == 3 ? 3 : 3 + lateness()) && b.watched == 2,
               "%" PRId64 " supersteps", b.supersteps);
        b.fails_at = -1;
        b.cannot_balance = true;
        expect_fails(halo_loop_run(loop, &hooks, &b, 9), HALO_RANKS, "nothing to hold on to");
        b.cannot_balance = false;
        expect_ok(halo_loop_run(loop, &hooks, &b, 2));
    }
    halo_loop_destroy(&loop);
    EXPECT_AGREED();
}

/* Votes that are pending when balancing fails still count, and do not disturb the next run. */
static void test_balancing_fails_late(void)
{
    halo_loop *loop = make_late(false, 0);
    bag b = full_bag();
    b.cannot_balance_at = 4;
    expect_fails(halo_loop_run(loop, &hooks, &b, 90), HALO_RANKS, "nothing to hold on to");
    expect_report(loop, 3, 3, false, false);
    expect(b.supersteps == 3 && b.watched == 3, "%" PRId64 " supersteps", b.supersteps);
    expect_ok(halo_loop_run(loop, &hooks, &b, 2));
    expect_report(loop, 5, 5, false, false);
    halo_loop_destroy(&loop);
    EXPECT_AGREED();
}

/* A rank asks for a plan until it is made: votes that are under way then ask for no other. */
static void test_asks_late(void)
{
    halo_loop *loop = make_late(false, 0);
    bag b = full_bag();
    b.wants_plan = is_last();
    expect_ok(halo_loop_run(loop, &asking_hooks, &b, 30));
    expect(b.plans == 1, "%" PRId64 " plans", b.plans);
    halo_loop_destroy(&loop);
    EXPECT_AGREED();
}

static void test_refused(void)
{
    static const halo_loop_options bad[] = {
        {.vote = "show of hands"},
        {.sums = -1},
        {.beats_per_vote = -1},
        {.change_threshold = -1},
        {.change_threshold = 1, .beats_per_vote = 2, .converges = true},
        {.change_threshold = 1, .converges = true, .votes_late = true}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        halo_loop *loop = NULL;
        expect(halo_loop_create(&loop, mpi_check_world(), &bad[i]) == HALO_ARGUMENT && loop == NULL,
               "case %zu was not refused", i);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("loop", {"ends with the first beat that changes nothing", test_converges},
               {"ends after a number of beats, or when enough is done", test_ends},
               {"stops when one rank asks for it", test_stops},
               {"fails on all ranks together", test_fails},
               {"hears later that nothing changes", test_converges_late},
               {"hears at once of votes that cannot be late", test_not_late},
               {"ends where it should, hearing later", test_ends_late},
               {"fails on all ranks together, hearing later", test_fails_late},
               {"fails to balance, hearing later", test_balancing_fails_late},
               {"is asked for one plan, hearing later", test_asks_late},
               {"options that make no sense are refused", test_refused})
