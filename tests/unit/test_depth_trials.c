#include "core/beat/depth_trials.h"
#include "support/unit_check.h"

/* A run on a machine that the test makes up: after each look at its beats the next depth is chosen,
 * as core/beat/depth.c does. */

enum { LOOKS = 12, PLANE = 64, PLANES = 128, RANKS = 4, MIN = 4, MAX = 32 };

/* How the machine differs from what the model assumes. */
typedef struct {
    double message_seconds, cell_seconds; /* in truth, where the model has others */
    double large_seconds;                 /* more for an exchange of more than 8 layers */
    double sharing;                       /* times as long is everything: cores are shared */
} truth;

static const halo_workload WORKLOAD = {
    .domain = {.axes = 3, .n = {PLANES, PLANE, PLANE}}, .cell_bytes = 8, .depth = 1};
static const int PARTS[HALO_AXES] = {RANKS, 1, 1};
static const halo_machine MODEL = {
    .cell_seconds = 1e-9, .message_seconds = 1e-3, .byte_seconds = 1e-10, .vote_seconds = 1e-4};

static const halo_depth_range RANGE = {
    .machine = &MODEL, .workload = &WORKLOAD, .parts = PARTS, .min = MIN, .max = MAX};

static double beat_seconds(const truth *t, int beats)
{
    halo_machine machine = MODEL;
    halo_workload workload = WORKLOAD;
    machine.message_seconds = t->message_seconds;
    machine.cell_seconds = t->cell_seconds;
    workload.beats = beats;
    double more = beats > 8 ? t->large_seconds / beats : 0;
    return t->sharing * (halo_model_predict(&machine, &workload, PARTS).seconds + more);
}

static double best_seconds(const truth *t)
{
    double best = INFINITY;
    for (int beats = MIN; beats <= MAX; beats++) {
        best = fmin(best, beat_seconds(t, beats));
    }
    return best;
}

/* The depth after some looks; *changes is how often it changed. */
static int settle(halo_depth_trials *trials, const truth *t, int beats, int *changes)
{
    *changes = 0;
    for (int look = 0; look < LOOKS; look++) {
        halo_depth_trials_note(trials, beats, beat_seconds(t, beats));
        int next = halo_depth_trials_choose(trials, &RANGE, beats);
        check(next >= MIN && next <= MAX, "%d beats an exchange of %d to %d", next, MIN, MAX);
        *changes += next != beats;
        beats = next;
    }
    return beats;
}

TEST("near the best depth whatever the model has wrong")
{
    static const double factors[] = {.05, .2, 1, 5, 20}, shared[] = {1, 1.3, 2, 4, 20};
    enum { FACTORS = sizeof factors / sizeof *factors };
    for (int message = 0; message < FACTORS; message++) {
        for (int large = 0; large < FACTORS; large++) {
            for (int sharing = 0; sharing < FACTORS; sharing++) {
                const truth t = {.message_seconds = 1e-3 * factors[message],
                                 .cell_seconds = 1e-9,
                                 .large_seconds = 1e-4 * factors[large],
                                 .sharing = shared[sharing]};
                halo_depth_trials trials = {0};
                int changes, beats = settle(&trials, &t, 8, &changes);
                double ratio = beat_seconds(&t, beats) / best_seconds(&t);
                check(ratio <= 1.3, "depth %d takes %.2f times the best one's time; %d %d %d",
                      beats, ratio, message, large, sharing);
                check(changes <= 6, "%d changes", changes);
            }
        }
    }
}

TEST("nothing is tried where the model is right")
{
    const truth t = {.message_seconds = 1e-3, .cell_seconds = 1e-9, .sharing = 1};
    halo_depth_trials trials = {0};
    int changes, beats = halo_depth_trials_choose(&trials, &RANGE, MIN);
    CU_ASSERT_EQUAL(settle(&trials, &t, beats, &changes), beats);
    CU_ASSERT_EQUAL(changes, 0);
}

/* Half is tried, proves worse and is given up; then twice as much. */
TEST("surprises are looked into once")
{
    const truth slow = {.message_seconds = 1e-3, .cell_seconds = 1e-9, .sharing = 2};
    halo_depth_trials trials = {0};
    int changes, beats = halo_depth_trials_choose(&trials, &RANGE, MIN);
    int last = settle(&trials, &slow, beats, &changes);
    check(changes >= 1, "2 times as slow as predicted, and no other depth is tried");
    int count = trials.count;
    settle(&trials, &slow, last, &changes);
    CU_ASSERT_EQUAL(changes, 0);
    CU_ASSERT_EQUAL(trials.count, count);
}

TEST("what was measured is forgotten when something changes")
{
    halo_depth_trials trials = {0};
    halo_depth_trials_note(&trials, 8, 1e-3);
    halo_depth_trials_note(&trials, 16, 2e-3);
    halo_depth_trials_note(&trials, 8, 1.2e-3);
    CU_ASSERT_EQUAL(trials.count, 2);
    check(halo_depth_trials_expect(&trials, &RANGE, 8) == 1.2e-3, "the last seconds count");
    halo_depth_trials_note(&trials, 8, 2e-3);
    CU_ASSERT_EQUAL(trials.count, 1);
    CU_ASSERT_EQUAL(trials.tried[0].beats, 8);
}

TEST("more depths than there is room for")
{
    halo_depth_trials trials = {0};
    for (int beats = 1; beats <= 2 * HALO_DEPTH_TRIALS; beats++) {
        halo_depth_trials_note(&trials, beats, 1e-3);
    }
    CU_ASSERT_EQUAL(trials.count, HALO_DEPTH_TRIALS);
    CU_ASSERT_EQUAL(trials.tried[0].beats, HALO_DEPTH_TRIALS + 1);
}

/* A change that the beats left do not pay for is not made, nor is anything tried. */
TEST("changes have to pay")
{
    halo_depth_range range = RANGE;
    int best = halo_depth_trials_choose(&(halo_depth_trials){0}, &range, MIN);
    halo_depth_trials trials = {0};
    halo_depth_trials_note(&trials, MIN, 2 * beat_seconds(&(truth){1e-3, 1e-9, 0, 1}, MIN));
    check(best != MIN, "the model says %d", best);
    CU_ASSERT_NOT_EQUAL(halo_depth_trials_choose(&trials, &range, MIN), MIN);
    range.change = 1;
    CU_ASSERT_EQUAL(halo_depth_trials_choose(&trials, &range, MIN), MIN);
}

TEST("a depth outside the range is left")
{
    halo_depth_trials trials = {0};
    halo_depth_trials_note(&trials, 64, 1e-9);
    int beats = halo_depth_trials_choose(&trials, &RANGE, 64);
    check(beats >= MIN && beats <= MAX, "%d beats an exchange", beats);
}
