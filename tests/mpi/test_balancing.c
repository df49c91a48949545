/* Boundaries that are moved at random before every beat change no result of any kernel: not while
 * ranks are emptied and get rows again, either. */

#include "kernels/synthetic/synthetic.h"
#include "support/balance_watch.h"
#include "support/images.h"
#include "support/label_case.h"
#include "support/life_case.h"
#include "support/mixer.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const ways[] = {NULL, "neighbour", "direct"};
enum { WAYS = 3, NAME_SIZE = 40 };

/* What several runs have come to. */
typedef struct {
    int64_t plans, moves, refilled;
} tally;

/* Of so many cases: many ranks share few cores, and take their time. */
static int cases(int all)
{
    return halo_world_ranks(mpi_check_world()) > 4 ? all * 5 / 8 : all;
}

/* Every second case leaves no strip empty. */
static void name_balancer(char *name, int n)
{
    snprintf(name, NAME_SIZE, "random:seed=%d%s", 7 + n, n % 2 == 0 ? "" : ",empty=0");
}

static void start(balance_watch *watch, int n)
{
    char name[NAME_SIZE];
    name_balancer(name, n);
    balance_watch_start(watch, mpi_check_world(), name, 1, ways[n % WAYS]);
}

static void end(balance_watch *watch, tally *all)
{
    balance_watch_end(watch);
    all->plans += watch->plans;
    all->moves += watch->moves;
    all->refilled += watch->refilled;
}

/* Otherwise the test has shown nothing. */
static void expect_moves(const tally *all, int64_t moves)
{
    int ranks = halo_world_ranks(mpi_check_world());
    expect(ranks == 1 || all->moves >= moves, "only %" PRId64 " moves in %" PRId64 " plans",
           all->moves, all->plans);
    expect(ranks == 1 || all->refilled >= ranks,
           "only %" PRId64 " times did a rank without rows get some", all->refilled);
}

/* ---- two copies of two fields -----------------------------------------------------------------
 */

/* With several beats an exchange, in which a strip must be as high as the halo is deep. */
static void mix(int n, tally *all)
{
    enum { BEATS = 14 };
    char text[64];
    balance_watch watch = {.text = text, .least_rows = 1 + n % 3};
    halo_beat_options options = {.beats_per_exchange = 1 + n % 3,
                                 .exchange = n % 4 < 2 ? "p2p" : "persistent"};
    bool periodic = n % 5 < 2;
    int64_t rows = n % 7 == 6 ? 3 : 37;
    snprintf(text, sizeof text, "mixer, case %d", n);
    if (rows < halo_world_ranks(mpi_check_world()) * options.beats_per_exchange) {
        options.beats_per_exchange = 1;
        watch.least_rows = 1;
    }
    halo_beat *still = mixer_start(&mixer, mpi_check_world(), rows, periodic, &options);
    start(&watch, n);
    options.balancing = watch.balancing;
    options.watch = balance_watch_strip;
    options.context = &watch;
    halo_beat *moving = mixer_start(&mixer, mpi_check_world(), rows, periodic, &options);
    watch.beat = moving;
    expect(halo_beat_run(still, BEATS) == HALO_OK, "%s", halo_last_message());
    expect(halo_beat_run(moving, BEATS / 2) == HALO_OK, "%s", halo_last_message());
    expect(halo_beat_run(moving, BEATS - BEATS / 2) == HALO_OK, "%s", halo_last_message());
    expect(mixer_digest(watch.world, still) == mixer_digest(watch.world, moving), "%s: other cells",
           text);
    expect(halo_beat_reported(moving).beats == BEATS, "%s: other beats", text);
    halo_beat_destroy(&still);
    halo_beat_destroy(&moving);
    end(&watch, all);
}

static void test_mixer(void)
{
    tally all = {0};
    for (int n = 0; n < cases(24); n++) {
        mix(n, &all);
    }
    expect_moves(&all, 50);
    EXPECT_AGREED();
}

/* ---- labelling --------------------------------------------------------------------------------
 */

static void check_label(image_shape shape, const char *method, bool periodic, int n, tally *all)
{
    int ranks = halo_world_ranks(mpi_check_world()), connectivity = n % 4 < 2 ? 4 : 8;
    uint64_t random = (uint64_t)n;
    int64_t height = 9 + random_below(&random, 22);
    image made = image_make(shape, 1 + random_below(&random, 70), height, (uint64_t)n);
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    random_cuts(&random, height, ranks, 1, cuts);
    oracle flood = oracle_make(&made, connectivity, (bool[2]){periodic, periodic});
    balance_watch watch = {.text = method, .least_rows = 1};
    start(&watch, n);
    label_case c = {.world = mpi_check_world(),
                    .made = &made,
                    .periodic = periodic,
                    .cuts = cuts,
                    .options = {.connectivity = connectivity,
                                .method = method,
                                .vote = n % 3 == 0 ? "tree" : "allreduce",
                                .measure = true,
                                .balancing = watch.balancing}};
    label_case_check(&c, image_shape_name(shape), &flood);
    end(&watch, all);
    oracle_free(&flood);
    free(cuts);
    image_free(&made);
}

static void test_labelling(void)
{
    static const char *const methods[] = {"settle", "sweep", "union"};
    static const image_shape shapes[] = {IMAGE_noise_60, IMAGE_wide_spiral, IMAGE_blobs,
                                         IMAGE_comb_up};
    enum { SHAPES = sizeof shapes / sizeof shapes[0] };
    tally all = {0};
    for (int n = 0; n < cases(24); n++) {
        check_label(shapes[n % SHAPES], methods[n % 5 < 3 ? n % 2 : n % 3], n % 8 >= 5, n, &all);
    }
    expect_moves(&all, 50);
    EXPECT_AGREED();
}

/* ---- Life, in place ---------------------------------------------------------------------------
 */

static void live(int n, uint64_t *random, tally *all)
{
    static const char *const rules[] = {"B3/S23", "B36/S23", "345/2/4", "B0123/S045"};
    bool grows = n % 4 < 3 && n % 8 >= 4;
    life_case c = {.world = mpi_check_world(),
                   .seed = random_next(random),
                   .live = 20 + (int)random_below(random, 30),
                   .generations = 40};
    balance_watch watch = {.text = c.text};
    start(&watch, n / 2);
    expect(halo_life_rule_parse(rules[n % 4], &c.options.rule, NULL) == HALO_OK, "%s",
           halo_last_message());
    life_case_shape(&c, random, grows);
    if (grows && n % 3 == 0) {
        c.options.beats_per_exchange = 1;
    }
    c.options.balancing = watch.balancing;
    if (life_case_start(&c)) {
        watch.least_rows = grows ? 1 : halo_life_report_of(c.life).beats_per_exchange;
        for (int part = 0; part < 3; part++) {
            life_case_run(&c, 1 + random_below(random, 12));
        }
    }
    life_case_end(&c);
    end(&watch, all);
}

static void test_life(void)
{
    uint64_t random = 5;
    tally all = {0};
    for (int n = 0; n < cases(32); n++) {
        live(n, &random, &all);
    }
    expect_moves(&all, 40);
    EXPECT_AGREED();
}

/* ---- the synthetic kernel ---------------------------------------------------------------------
 */

static void test_synthetic(void)
{
    static const char *const profiles[] = {NULL, "linear:ratio=4", "hot:ratio=6", "random"};
    tally all = {0};
    for (int n = 0; n < 8; n++) {
        balance_watch watch = {.text = "synthetic", .least_rows = 1 + n % 2};
        start(&watch, n);
        halo_synthetic_options options = {
            .rows = 41, .columns = 9, .work = 20, .profile = profiles[n % 4]};
        halo_beat_options how = {.beats_per_exchange = 1 + n % 2, .balancing = watch.balancing};
        halo_synthetic *synthetic = NULL;
        expect(halo_synthetic_create(&synthetic, watch.world, &options, NULL, &how) == HALO_OK,
               "%s", halo_last_message());
        expect(halo_synthetic_run(synthetic, 20) == HALO_OK, "%s", halo_last_message());
        halo_synthetic_verdict verdict = {0};
        expect(halo_synthetic_check(synthetic, &verdict) == HALO_OK && verdict.holds,
               "case %d: %" PRId64 " wrong cells", n, verdict.wrong_cells);
        halo_synthetic_destroy(&synthetic);
        end(&watch, &all);
    }
    expect_moves(&all, 40);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"two copies of two fields", test_mixer},
        {"labelling", test_labelling},
        {"Life, in place", test_life},
        {"the synthetic kernel", test_synthetic},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "boundaries moved at random every beat", tests);
}
