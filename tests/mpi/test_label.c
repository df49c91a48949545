/* Labelling under every policy of waiting and vote, the beats that it takes, pixels on their way to
 * where they are labelled, measures of samples, and what is refused; images are for
 * test_same_bytes.c. */

#include "core/balance/balancing.h"
#include "core/world/collect.h"
#include "kernels/label/measure/region_samples.h"
#include "partition/cuts.h"
#include "support/blocks.h"
#include "support/label_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- beats ----------------------------------------------------------------------------------- */

/* A winding region is the worst case of relaxing: sweeps follow its whole path, settled strips
 * follow it from border to border: strips of one row have more borders than the region has turns.
 * Beats of sweeps are as many by any vote, wait and exchange. */
static void check_beats(const char *method, int64_t beats)
{
    bool sweeps = strcmp(method, "sweep") == 0;
    int64_t most = all_ranks() < 33 ? 2 + 2 * 33 + 2 : 200;
    expect(!sweeps || beats > 200, "%" PRId64 " sweeps", beats);
    expect(strcmp(method, "settle") != 0 || (all_ranks() == 1 ? beats == 2 : beats <= most),
           "%" PRId64 " settled beats", beats);
}

static void test_spiral(void)
{
    static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast"};
    static const char *const waits[] = {"spin", "yield", "sleep"};
    static const char *const methods[] = {"union", "settle", "sweep"};
    image made = image_make(IMAGE_wide_spiral, 33, 33, 0);
    oracle flood = oracle_make(&made, 4, (bool[2]){false, false});
    int64_t *cuts = calloc((size_t)all_ranks() + 1, sizeof *cuts), sweeps = 0;
    halo_cuts_even(made.height, all_ranks(), cuts);
    expect(flood.regions == 1, "a spiral of %" PRId64 " regions", flood.regions);
    /* A spinning rank that waits keeps the others from the cores: not where ranks are many. */
    for (int n = all_ranks() > 2 ? 12 : 0; n < 36; n++) {
        const char *method = methods[n % 3];
        label_case c = {.made = &made,
                        .cuts = cuts,
                        .grey_bits = 8,
                        .options = {.connectivity = 4,
                                    .method = method,
                                    .vote = votes[n / 3 % 4],
                                    .exchange = n % 2 == 0 ? "p2p" : "persistent",
                                    .measure = true}};
        expect_ok(halo_world_duplicate(&c.world, mpi_check_world(),
                                       &(halo_world_options){.wait = waits[n / 12]}));
        int64_t beats = label_case_check(&c, "wide_spiral", &flood);
        check_beats(method, beats);
        if (n % 3 == 2) {
            expect(sweeps == 0 || beats == sweeps, "%" PRId64 " sweeps, not %" PRId64, beats,
                   sweeps);
            sweeps = beats;
        }
        halo_world_destroy(&c.world);
    }
    free(cuts);
    oracle_free(&flood);
    image_free(&made);
    EXPECT_AGREED();
}

/* ---- pixels that are distributed ---------------------------------------------------------------
 */

/* Does it move what it says, and what the balancer has planned? */
static void test_moves_are_seen(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world), moved = 0;
    image made = image_make(IMAGE_noise_50, 100, 80, 1);
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    halo_cuts_even(made.height, ranks, cuts);
    for (int i = 0; i < 8; i++) {
        halo_balancing *balancing = NULL;
        const halo_balance_options how = {.balancer = "random"};
        expect_ok(halo_balancing_create(&balancing, world, &how));
        label_case c = {.world = world,
                        .made = &made,
                        .cuts = cuts,
                        .options = {.method = "union", .balancing = balancing}};
        halo_label *label = NULL;
        label_case_make_fields(&c);
        label_case_fill(&c);
        expect(halo_label_create(&label, world, &c.domain, &c.partition, &c.options) == HALO_OK &&
                   halo_label_distribute(label, &c.foreground, &c.grey) == HALO_OK,
               "%s", halo_last_message());
        bool same = halo_partition_equal(&c.partition, halo_label_partition(label));
        expect(same == (halo_balancing_get_report(balancing).moves == 0), "moves are told");
        moved += !same;
        expect(same || halo_label_run(label, halo_field_view(c.foreground), NULL) == HALO_OK, "%s",
               halo_last_message());
        expect(same || halo_balancing_get_report(balancing).move_seconds > 0, "moves take time");
        halo_label_destroy(&label);
        halo_balancing_destroy(&balancing);
        label_case_free_fields(&c);
    }
    expect(ranks == 1 || moved > 0, "nothing has ever moved");
    free(cuts);
    image_free(&made);
    EXPECT_AGREED();
}

/* Pixels that have not been distributed, or lie elsewhere, are not labelled. */
static void test_elsewhere(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    image made = image_make(IMAGE_rings, 64 * ranks, 4 * ranks, 1);
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    halo_cuts_even(made.height, ranks, cuts);
    char columns[32];
    snprintf(columns, sizeof columns, "1x%d", ranks);
    label_case c = {.world = world, .made = &made, .cuts = cuts, .grey_bits = 8};
    c.options.decomposition = columns;
    label_case_make_fields(&c);
    label_case_fill(&c);
    halo_label *label = NULL;
    expect_ok(halo_label_create(&label, world, &c.domain, &c.partition, &c.options));
    halo_status status =
        halo_label_run(label, halo_field_view(c.foreground), halo_field_view(c.grey));
    expect(status == (ranks > 1 ? HALO_ARGUMENT : HALO_OK), "strips labelled as blocks");
    expect(ranks == 1 || strstr(halo_last_message(), "halo_label_distribute") != NULL, "%s",
           halo_last_message());
    expect(halo_label_distribute(label, &c.grey, &c.foreground) == HALO_ARGUMENT &&
               strstr(halo_last_message(), "bit") != NULL,
           "grey pixels taken for foreground ones: %s", halo_last_message());
    expect_ok(halo_label_distribute(label, &c.foreground, &c.grey));
    expect_ok(halo_label_run(label, halo_field_view(c.foreground), halo_field_view(c.grey)));
    halo_label_destroy(&label);
    c.options.decomposition = "diamonds";
    expect(halo_label_create(&label, world, &c.domain, &c.partition, &c.options) == HALO_ARGUMENT &&
               label == NULL,
           "diamonds");
    label_case_free_fields(&c);
    free(cuts);
    image_free(&made);
    EXPECT_AGREED();
}

/* ---- measures of samples -----------------------------------------------------------------------
 */

typedef struct {
    const label_case *c;
    int64_t passes;
} passed_strips;

/* A halo_label_pass: the strips that were labelled are those that are asked for. */
static halo_status pass_strips(void *context, const int64_t *cuts, halo_rows_take *take,
                               void *taken_by)
{
    passed_strips *of = context;
    const halo_view *view = halo_field_view(of->c->grey);
    int rank = halo_world_rank(of->c->world);
    int64_t rows = cuts[rank + 1] - cuts[rank];
    expect(rows == view->owned.n[0] && (rows == 0 || cuts[rank] == view->owned.lo[0]), "cuts");
    of->passes++;
    return halo_agree(of->c->world, rows == 0 ? HALO_OK
                                              : take(taken_by, cuts[rank], rows, view->origin,
                                                     (size_t)view->stride[0]));
}

static void check_intensities(const halo_label *label, const halo_region_measures *found)
{
    int64_t count;
    const halo_region *regions = halo_label_regions(label, &count);
    expect(found->fits && found->channels == NULL, "samples are small, and have no colours");
    for (int64_t i = 0; i < count; i++) {
        const halo_region *r = &regions[i];
        const halo_intensity *of = &found->intensities[i];
        const halo_median *median = &found->medians[i];
        expect(of->numbers == r->area && of->sum == r->grey_sum && of->min == r->grey_min &&
                   of->max == r->grey_max,
               "region %" PRId64 " has other samples", r->number);
        expect(median->numbers == r->area && median->low >= of->min &&
                   median->low <= median->high && median->high <= of->max,
               "the median of region %" PRId64, r->number);
    }
}

/* The standard deviation of each region's greys by its definition. */
static void check_deviations(const label_case *c, const halo_label *label,
                             const halo_moments *moments)
{
    oracle flood = oracle_make(c->made, 4, (bool[2]){false, false});
    label_truth truth = label_truth_make(c->made, &flood, 0, c->grey_bits);
    double *squares = calloc((size_t)truth.regions + 1, sizeof *squares);
    int64_t count, width = c->made->width;
    const halo_region *regions = halo_label_regions(label, &count);
    for (int64_t i = 0; i < c->made->height * width; i++) {
        int64_t region = truth.scan[i] - 1;
        if (region >= 0) {
            const halo_region *r = &truth.region[region];
            double off = (double)grey_at(c->grey_bits, i / width, i % width) -
                         (double)r->grey_sum / (double)r->area;
            squares[region] += off * off;
        }
    }
    for (int64_t i = 0; i < count; i++) {
        double should = sqrt(squares[regions[i].number - 1] / (double)regions[i].area);
        expect(fabs(moments[i].deviation - should) <= 1e-9 * should, "%g and not %g",
               moments[i].deviation, should);
    }
    free(squares);
    label_truth_free(&truth);
    oracle_free(&flood);
}

/* What a program that was built with 1.0 has and calls. */
typedef struct {
    halo_intensity *intensities;
    bool fits;
    halo_moments *moments;
    halo_median *medians;
    halo_channels *channels;
    void *behind;
} earlier_measures;

halo_status(halo_label_measure)(halo_label *label, unsigned measures,
                                const halo_region_samples *samples, halo_region_measures *out);
void(halo_region_measures_free)(halo_region_measures *measures);

static void check_earlier(halo_label *label, unsigned all, const halo_region_samples *samples,
                          const halo_region_measures *now, int64_t count)
{
    earlier_measures old = {.behind = &old};
    halo_region_measures *given = (void *)&old;
    expect_ok((halo_label_measure)(label, all, samples, given));
    expect(old.behind == &old &&
               memcmp(old.medians, now->medians, (size_t)count * sizeof *old.medians) == 0,
           "measures of 1.0 are others, or more");
    (halo_region_measures_free)(given);
    expect(old.behind == &old && old.medians == NULL, "measures of 1.0 are freed otherwise");
}

/* Samples in memory and samples that are passed have the same measures, which share the passes. */
static void check_measures(label_case *c, halo_label *label)
{
    enum { MOST_PASSES = 3 /* of medians: two bytes, and the next sample */ };
    const unsigned all = HALO_MEASURE_INTENSITIES | HALO_MEASURE_MOMENTS | HALO_MEASURE_MEDIANS;
    passed_strips of = {.c = c};
    halo_region_samples here = {.type = HALO_SAMPLE_U16, .view = halo_field_view(c->grey)};
    const halo_region_samples passed = {
        .type = HALO_SAMPLE_U16, .pass = pass_strips, .context = &of};
    halo_region_measures one, other;
    int64_t count;
    halo_label_regions(label, &count);
    expect_ok(halo_label_measure(label, all, &here, &one));
    expect_ok(halo_label_measure(label, all, &passed, &other));
    expect(of.passes > 1 && of.passes <= MOST_PASSES, "%" PRId64 " passes", of.passes);
    check_intensities(label, &one);
    check_intensities(label, &other);
    check_deviations(c, label, one.moments);
    expect(memcmp(one.moments, other.moments, (size_t)count * sizeof *one.moments) == 0 &&
               memcmp(one.medians, other.medians, (size_t)count * sizeof *one.medians) == 0,
           "samples that are passed have other measures");
    check_earlier(label, all, &here, &one, count);
    halo_region_measures_free(&one);
    halo_region_measures_free(&other);
    expect(halo_label_measure(label, 0, &passed, &one) == HALO_OK && one.moments == NULL, "none");
    here.type = HALO_SAMPLE_I16;
    expect(halo_label_measure(label, HALO_MEASURE_CHANNELS, &here, &one) == HALO_ARGUMENT &&
               strstr(halo_last_message(), "8 or 16 bits") != NULL,
           "channels below 0: %s", halo_last_message());
}

static void test_samples(void)
{
    halo_world *world = mpi_check_world();
    image made = image_make(IMAGE_noise_50, 90, 70, 1);
    int64_t *cuts = malloc(((size_t)halo_world_ranks(world) + 1) * sizeof *cuts);
    halo_cuts_even(made.height, halo_world_ranks(world), cuts);
    label_case c = {.world = world, .made = &made, .cuts = cuts, .grey_bits = 16};
    label_case_make_fields(&c);
    label_case_fill(&c);
    const halo_region_samples samples = {.type = HALO_SAMPLE_U16, .view = halo_field_view(c.grey)};
    for (int measure = 0; measure < 2; measure++) {
        halo_label *label;
        halo_region_measures none;
        c.options.measure = measure > 0;
        expect_ok(halo_label_create(&label, world, &c.domain, &c.partition, &c.options));
        expect_ok(halo_label_run(label, halo_field_view(c.foreground), halo_field_view(c.grey)));
        if (measure > 0) {
            check_measures(&c, label);
        } else {
            expect(halo_label_measure(label, HALO_MEASURE_MOMENTS, &samples, &none) ==
                           HALO_ARGUMENT &&
                       none.moments == NULL,
                   "regions are not measured");
        }
        halo_label_destroy(&label);
    }
    label_case_free_fields(&c);
    free(cuts);
    image_free(&made);
    EXPECT_AGREED();
}

/* ---- what is refused ----------------------------------------------------------------------- */

static void test_many_regions(void)
{
    halo_world *world = mpi_check_world();
    image made = image_make(IMAGE_dots, 520, 520, 0);
    int64_t *cuts = malloc(((size_t)halo_world_ranks(world) + 1) * sizeof *cuts);
    halo_cuts_even(made.height, halo_world_ranks(world), cuts);
    label_case c = {.world = world, .made = &made, .cuts = cuts, .options = {.connectivity = 4}};
    label_case_make_fields(&c);
    label_case_fill(&c);
    halo_label *label;
    uint16_t row[520];
    int32_t wide_row[520];
    expect_ok(halo_label_create(&label, world, &c.domain, &c.partition, &c.options));
    expect_ok(halo_label_run(label, halo_field_view(c.foreground), NULL));
    expect(halo_label_total(label) == 260 * 260, "%" PRId64 " dots", halo_label_total(label));
    expect(halo_label_paint_rows(label, HALO_LABEL_U16, 0, 1, row, sizeof row) == HALO_ARGUMENT &&
               strstr(halo_last_message(), "67600") != NULL,
           "16 bits: %s", halo_last_message());
    halo_box owned = halo_field_view(c.foreground)->owned;
    for (int64_t y = 0; y < owned.n[0]; y++) {
        int64_t global = owned.lo[0] + y;
        expect(halo_label_paint_rows(label, HALO_LABEL_I32, y, 1, wide_row, sizeof wide_row) ==
                   HALO_OK,
               "32 bits");
        expect(wide_row[518] == (global % 2 == 0 ? global / 2 * 260 + 260 : 0),
               "row %" PRId64 ": %" PRId32, global, wide_row[518]);
    }
    halo_label_destroy(&label);
    label_case_free_fields(&c);
    free(cuts);
    image_free(&made);
    EXPECT_AGREED();
}

static void test_bad_options(void)
{
    halo_world *world = mpi_check_world();
    halo_domain domain = {.axes = 2, .n = {8, 8, 1}}, deep = {.axes = 3, .n = {8, 8, 8}};
    halo_domain line = {.axes = 1, .n = {8, 1, 1}};
    halo_partition strips[2];
    const halo_balance_options how = {.balancer = "chain"};
    struct halo_balancing *balancing;
    expect_ok(halo_balancing_create(&balancing, world, &how));
    for (int i = 0; i < 2; i++) {
        expect_ok(
            halo_partition_strips(&strips[i], i == 0 ? &domain : &deep, halo_world_ranks(world)));
    }
    const struct {
        halo_domain *domain;
        halo_label_options options;
        const char *names;
    } bad[] = {
        {&domain, {.connectivity = 6}, "6"},
        {&domain, {.method = "magic"}, "magic"},
        {&domain, {.vote = "lottery"}, "lottery"},
        {&domain, {.instructions = "abacus"}, "abacus"},
        {&domain, {.filter = {.min_area = -1}}, "negative"},
        {&domain, {.near = {.type = HALO_SAMPLE_U8}, .method = "settle"}, "only the method union"},
        {&domain, {.near = {.sets_foreground = true}}, "without a type of values"},
        {&domain,
         {.near = {.type = HALO_SAMPLE_U8, .sets_foreground = true}, .balancing = balancing},
         "halo_foreground_of_values"},
        {&deep, {.connectivity = 4}, "6, 18 or 26"},
        {&deep, {.connectivity = 5}, "5"},
        {&line, {0}, "2 or 3 axes"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        halo_label *label = NULL;
        expect(halo_label_create(&label, world, bad[i].domain, &strips[bad[i].domain == &deep],
                                 &bad[i].options) == HALO_ARGUMENT &&
                   strstr(halo_last_message(), bad[i].names) != NULL && label == NULL,
               "%s: %s", bad[i].names, halo_last_message());
        halo_label_destroy(&label);
    }
    halo_label *label = NULL;
    halo_label_options good = {0};
    strips[0].cuts[0][halo_world_ranks(world)] = 7;
    expect(halo_label_create(&label, world, &domain, &strips[0], &good) == HALO_ARGUMENT &&
               strstr(halo_last_message(), "8 x 8") != NULL && label == NULL,
           "cuts that end too early: %s", halo_last_message());
    strips[0].cuts[0][halo_world_ranks(world)] = 8;
    expect(halo_label_create(&label, world, &domain, &strips[1], &good) == HALO_ARGUMENT,
           "another domain's partition");
    halo_partition_free(&strips[0]);
    halo_partition_free(&strips[1]);
    halo_balancing_destroy(&balancing);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("label", {"every method, vote and wait on a spiral", test_spiral},
               {"moves are seen", test_moves_are_seen},
               {"pixels that lie elsewhere", test_elsewhere}, {"measures of samples", test_samples},
               {"more regions than 16 bits hold", test_many_regions},
               {"bad options are refused", test_bad_options})
