/* A rank that fails while boundaries move, or right after: all ranks leave together, with the same
 * status and message, and balancing goes on with the next run. */

#include "core/world/collect.h"
#include "partition/balance/balance.h"
#include "support/balance_watch.h"
#include "support/failing_memory.h"
#include "support/mixer.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 40, BEATS = 6, MESSAGE_SIZE = 256 };

/* ---- a kernel that fails when it is told to -------------------------------------------------- */

typedef struct {
    int64_t moves;    /* so far */
    int64_t fails_at; /* one of them; 0: never */
    bool in_step;     /* in the beat that follows it, not when told of it */
} saboteur;

static halo_status create(void **state, const halo_domain *domain, const void *options)
{
    saboteur *const *given = options;
    (void)domain;
    *state = *given;
    return HALO_OK;
}

static halo_status moved(void *state, const halo_view *fields)
{
    saboteur *s = state;
    s->moves++;
    if (s->moves == s->fails_at && !s->in_step) {
        return halo_fail(HALO_FORMAT, "sabotage of move %" PRId64 " to row %" PRId64, s->moves,
                         fields[0].owned.lo[0]);
    }
    return HALO_OK;
}

static halo_status step(halo_step *step)
{
    const saboteur *s = step->state;
    if (s->fails_at > 0 && s->moves >= s->fails_at && s->in_step) {
        return halo_fail(HALO_FILE, "sabotage of beat %" PRId64, step->beat);
    }
    return mixer.step(step);
}

static halo_kernel sabotaged(void)
{
    halo_kernel kernel = mixer;
    kernel.create = create;
    kernel.moved = moved;
    kernel.step = step;
    return kernel;
}

/* ---- what all ranks must have in common ------------------------------------------------------ */

static void expect_same(halo_status status, const char *text)
{
    struct {
        int status;
        char message[MESSAGE_SIZE];
    } mine = {.status = (int)status}, first;
    if (status != HALO_OK) {
        snprintf(mine.message, sizeof mine.message, "%s", halo_last_message());
    }
    first = mine;
    expect_ok(halo_bcast(mpi_check_world(), &first, sizeof first, 0));
    expect(first.status == mine.status && strcmp(first.message, mine.message) == 0,
           "%s: status %d, \"%s\"; on rank 0 %d, \"%s\"", text, mine.status, mine.message,
           first.status, first.message);
}

static int64_t undisturbed(void)
{
    halo_beat *still = mixer_start(&mixer, mpi_check_world(), ROWS, true, NULL);
    expect_ok(halo_beat_run(still, BEATS));
    int64_t digest = mixer_digest(mpi_check_world(), still);
    halo_beat_destroy(&still);
    return digest;
}

/* Another run, with the balancing of one that failed. */
static void expect_goes_on(balance_watch *watch, int64_t wanted)
{
    halo_beat_options options = {.balancing = watch->balancing};
    halo_beat *beat = mixer_start(&mixer, watch->world, ROWS, true, &options);
    watch->planned[0] = false; /* its cuts do not follow those of the other */
    expect(halo_beat_run(beat, BEATS) == HALO_OK, "%s: after a failure: %s", watch->text,
           halo_last_message());
    expect(mixer_digest(watch->world, beat) == wanted, "%s: other cells after a failure",
           watch->text);
    halo_beat_destroy(&beat);
}

/* ---- sabotage -------------------------------------------------------------------------------- */

static void sabotage(int victim, int64_t fails_at, bool in_step, const char *way, int64_t wanted)
{
    char text[80], culprit[16];
    saboteur state = {.in_step = in_step}, *place = &state;
    halo_kernel kernel = sabotaged();
    snprintf(text, sizeof text, "rank %d fails at move %" PRId64 ", %s, in %s", victim, fails_at,
             way, in_step ? "its step" : "its hook");
    snprintf(culprit, sizeof culprit, "rank %d: ", victim);
    state.fails_at = my_rank() == victim ? fails_at : 0;
    balance_watch watch = {.text = text, .min_rows = 1};
    balance_watch_start(&watch, mpi_check_world(), "random:seed=5,empty=0", 1, way);
    halo_beat_options options = {.balancing = watch.balancing, .kernel_options = &place};
    halo_beat *beat = mixer_start(&kernel, watch.world, ROWS, true, &options);
    halo_status status = halo_beat_run(beat, 10 * BEATS);
    expect(status == (all_ranks() == 1 ? HALO_OK
                      : in_step        ? HALO_FILE
                                       : HALO_FORMAT),
           "%s: status %d", text, (int)status);
    expect(all_ranks() == 1 || strncmp(halo_last_message(), culprit, strlen(culprit)) == 0,
           "%s: %s", text, halo_last_message());
    /* Ranks hear later of a step that failed; until then there may be a move before each. */
    int64_t more = 0;
    while (in_step && 1 << more < all_ranks()) {
        more++;
    }
    expect(all_ranks() == 1 || (state.moves >= fails_at && state.moves <= fails_at + more),
           "%s: %" PRId64 " moves", text, state.moves);
    expect_same(status, text);
    halo_beat_destroy(&beat);
    expect_goes_on(&watch, wanted);
    balance_watch_end(&watch);
}

static void test_sabotage(void)
{
    static const char *const ways[] = {"neighbour", "direct"};
    int64_t wanted = undisturbed();
    for (int n = 0; n < 12; n++) {
        sabotage(n % all_ranks(), 1 + n % 3, n % 4 < 2, ways[n / 4 % 2], wanted);
    }
    EXPECT_AGREED();
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory fails at each allocation of this: a whole run that is balanced. */
static halo_status run_balanced(const char *balancer, bool *watched, int64_t *digest)
{
    halo_world *world = mpi_check_world();
    halo_balance_options balance = {.balancer = balancer, .every = 1};
    halo_balancing *balancing = NULL;
    *watched = false;
    HALO_TRY(halo_balancing_create(&balancing, world, &balance));
    const halo_domain domain = {.axes = 2, .n = {ROWS, MIXER_WIDTH, 1}};
    halo_beat_options options = {.balancing = balancing};
    halo_partition strips = {0};
    halo_beat *beat = NULL;
    halo_status status = halo_agree(world, halo_partition_strips(&strips, &domain, all_ranks()));
    if (status == HALO_OK) {
        status = halo_beat_create(&beat, world, &domain, &strips, &mixer, &options);
    }
    if (status == HALO_OK) {
        status = halo_beat_run(beat, BEATS);
    }
    if (status == HALO_OK) {
        *watched = true;
        *digest = mixer_digest(world, beat);
    }
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
    halo_balancing_destroy(&balancing);
    return status;
}

/* Collective. Returns whether the victim has run out of memory. Without address space that is set
 * aside fields do not move, but others are made, so that the run may go well all the same. */
static bool fail_once(const char *balancer, int victim, int64_t nth, int64_t *wanted)
{
    halo_world *world = mpi_check_world();
    bool is_victim = halo_world_rank(world) == victim, done;
    int64_t digest = 0;
    char text[80];
    snprintf(text, sizeof text, "%s, allocation %" PRId64 " of rank %d", balancer, nth, victim);
    if (is_victim) {
        failing_memory_arm(nth);
    }
    halo_status status = run_balanced(balancer, &done, &digest);
    bool failed = is_victim && failing_memory_disarm();
    expect_same(status, text);
    expect_ok(halo_bcast(world, &failed, sizeof failed, victim));
    expect(status == HALO_OK || (status == HALO_MEMORY && failed), "%s: status %d, %s", text,
           (int)status, halo_last_message());
    expect(!done || *wanted == 0 || digest == *wanted, "%s: other cells", text);
    *wanted = done ? digest : *wanted;
    return failed;
}

static void test_memory(void)
{
    for (int b = 0; halo_balancer_at(b) != NULL; b++) {
        const char *balancer = halo_balancer_at(b)->name;
        int64_t wanted = 0;
        fail_once(balancer, 0, INT64_MAX, &wanted);
        expect(wanted != 0, "%s: no run without failure", balancer);
        int victim = b % 2 == 0 ? all_ranks() - 1 : 0;
        bool failed = true;
        int64_t nth = 0;
        for (; failed; nth++) {
            failed = fail_once(balancer, victim, nth, &wanted);
        }
        expect(nth > 20, "%s: only %" PRId64 " allocations", balancer, nth);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("failures of runs that are balanced",
               {"a kernel fails at or after a move", test_sabotage},
               {"memory runs out", test_memory})
