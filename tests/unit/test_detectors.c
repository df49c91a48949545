/* Termination detectors on virtual ranks: those that are sound are never early and never miss the
 * end, whatever is under way; the rings are early where their conditions do not hold, and only
 * there. */

#include "core/quiescence/detector.h"
#include "support/unit_check.h"
#include "support/virtual_ranks.h"

enum { RUNS = 10000 };

typedef struct {
    int outcomes[VIRTUAL_MISSED + 1];
    int64_t renewals;
} tally;

/* Check the number of a detector's messages in a run that ended. */
static void check_counts(const virtual_run *run, const virtual_result *result)
{
    const halo_detector_counts *c = &result->counts;
    const char *name = run->detector;
    int64_t others = run->ranks - 1;
    bool ring = strstr(name, "ring") != NULL || strcmp(name, "safra") == 0, right = true;
    if (ring) {
        right = c->control == (others > 0 ? c->rounds * run->ranks : 0);
    } else if (strcmp(name, "ack-tree") == 0) {
        right = c->control == c->basic + others;
    } else {
        right = c->control <= c->basic + others;
    }
    if (strcmp(name, "single-ring") == 0) {
        right = right && c->rounds == (others > 0);
    }
    check(right && c->announcements == others && result->delay >= 0 &&
              result->all_know >= result->delay,
          "%s, %d ranks, seed %" PRIu64 ": %" PRId64 " basic, %" PRId64 " control, %" PRId64
          " announcements, %" PRId64 " rounds, delays %g and %g",
          name, run->ranks, run->seed, c->basic, c->control, c->announcements, c->rounds,
          result->delay, result->all_know);
}

/* 10 000 runs on 1 to 12 ranks, half of them with messages that overtake each other. */
static tally run_many(virtual_run run, int runs)
{
    tally all = {.renewals = 0};
    int messages = run.messages;
    for (int i = 0; i < runs; i++) {
        run.seed = (uint64_t)i;
        run.ranks = 1 + i % VIRTUAL_RANKS;
        run.messages = messages * (1 + i / VIRTUAL_RANKS % 10) / 10;
        run.fifo = i / 2 % 2 == 0;
        virtual_result result;
        virtual_outcome outcome = virtual_run_once(&run, &result);
        all.outcomes[outcome]++;
        all.renewals += result.counts.renewals;
        if (outcome == VIRTUAL_RIGHT) {
            check_counts(&run, &result);
        }
    }
    printf("    %s%s%s: early %d, missed %d of %d\n", run.detector,
           run.program == VIRTUAL_EXPECTED ? ", nobody active again" : "",
           run.synchronous ? ", synchronous sends" : "", all.outcomes[VIRTUAL_EARLY],
           all.outcomes[VIRTUAL_MISSED], runs);
    return all;
}

static void check_right(const virtual_run *run, int runs)
{
    const tally all = run_many(*run, runs);
    check(all.outcomes[VIRTUAL_RIGHT] == runs, "%s: early %d, missed %d of %d runs", run->detector,
          all.outcomes[VIRTUAL_EARLY], all.outcomes[VIRTUAL_MISSED], runs);
}

TEST("sound detectors are never early and never miss the end")
{
    int sound = 0;
    for (int i = 0; halo_detector_list(i) != NULL; i++) {
        const halo_detector_entry *entry = halo_detector_list(i);
        sound += entry->sound;
        if (entry->sound) {
            check_right(&(virtual_run){.detector = entry->name, .messages = 100}, RUNS);
            check_right(&(virtual_run){.detector = entry->name,
                                       .program = VIRTUAL_EXPECTED,
                                       .messages = 60},
                        RUNS / 10);
        }
    }
    CU_ASSERT_EQUAL(sound, 3);
}

TEST("rings are early where their conditions do not hold")
{
    static const struct {
        virtual_run run;
        int least; /* of 10 000 runs that are early; far below what there are */
    } cases[] = {
        {{.detector = "single-ring", .messages = 100}, RUNS / 10},
        {{.detector = "single-ring", .messages = 100, .synchronous = true}, RUNS / 10},
        {{.detector = "dual-ring", .messages = 100}, RUNS / 10},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const tally all = run_many(cases[i].run, RUNS);
        check(all.outcomes[VIRTUAL_EARLY] >= cases[i].least, "%s: only %d are early",
              cases[i].run.detector, all.outcomes[VIRTUAL_EARLY]);
        check(all.outcomes[VIRTUAL_MISSED] == 0, "%s misses the end", cases[i].run.detector);
    }
}

TEST("rings are right where their conditions hold")
{
    check_right(
        &(virtual_run){.detector = "single-ring", .program = VIRTUAL_EXPECTED, .messages = 60},
        RUNS);
    check_right(&(virtual_run){.detector = "dual-ring", .messages = 100, .synchronous = true},
                RUNS);
}

/* Energy is halved with each message of a chain, and runs out again and again. */
TEST("energy that runs out is made anew")
{
    const virtual_run run = {
        .detector = "fixed-energy", .program = VIRTUAL_CHAIN, .messages = 2000};
    const tally all = run_many(run, 240);
    CU_ASSERT_EQUAL(all.outcomes[VIRTUAL_RIGHT], 240);
    check(all.renewals > 100 * 240, "only %" PRId64 " renewals", all.renewals);
}

TEST("one rank, many ranks, and names")
{
    halo_detector *detector;
    halo_detector_outbox out;
    FAILS(HALO_ARGUMENT, "use safra, ack-tree, fixed-energy, dual-ring or single-ring",
          halo_detector_create(&detector, "sonar", 0, 1));
    CU_ASSERT_PTR_NULL(detector);
    FAILS(HALO_ARGUMENT, "rank 3 of 3", halo_detector_create(&detector, NULL, 3, 3));
    FAILS(HALO_ARGUMENT, "rank 0 of 0", halo_detector_create(&detector, NULL, 0, 0));
    SUCCEEDS(halo_detector_create(&detector, NULL, 0, 1));
    CU_ASSERT_STRING_EQUAL(halo_detector_get_entry(detector)->name, "safra");
    CU_ASSERT_FALSE(halo_detector_has_ended(detector));
    halo_detector_rest(detector, &out);
    CU_ASSERT_TRUE(out.count == 0 && halo_detector_has_ended(detector));
    halo_detector_destroy(&detector);
    halo_detector_destroy(&detector);

    /* The announcement of the end of as many ranks as there can be. */
    SUCCEEDS(halo_detector_create(&detector, "single-ring", 0, INT32_MAX));
    halo_detector_rest(detector, &out);
    const halo_detector_note token = out.sent[0].note;
    CU_ASSERT_TRUE(out.count == 1 && out.sent[0].to == 1);
    halo_detector_control(detector, &token, &out);
    CU_ASSERT_EQUAL(out.count, 31);
    CU_ASSERT_EQUAL(out.sent[out.count - 1].to, 1 << 30);
    halo_detector_destroy(&detector);
}
