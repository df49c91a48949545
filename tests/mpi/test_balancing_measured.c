/* Boundaries that follow measured times change no result, whatever is measured; a rank that is slow
 * gets fewer rows. */

#include "core/world/collect.h"
#include "core/world/slowdown.h"
#include "kernels/label/label.h"
#include "kernels/synthetic/synthetic.h"
#include "partition/balance/balance.h"
#include "support/balance_watch.h"
#include "support/images.h"
#include "support/mixer.h"
#include "support/mpi_check.h"
#include "support/virtual_clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Tests of measurements use a virtual clock, which every look moves by this much. */
static const double LOOK_SECONDS = 1e-6;

/* State that one run has learnt does not disturb the next one, on other rows. */
static void test_one_after_another(void)
{
    static const int64_t rows[] = {40, 90, 9, 41};
    for (int i = 0; halo_balancer_at(i) != NULL; i++) {
        balance_watch watch = {.text = halo_balancer_at(i)->name, .min_rows = 1};
        balance_watch_start(&watch, mpi_check_world(), watch.text, 2, NULL);
        for (int n = 0; n < 4; n++) {
            halo_beat_options options = {.beats_per_exchange = 0};
            halo_beat *still = mixer_start(&mixer, watch.world, rows[n], false, &options);
            options.balancing = watch.balancing;
            halo_beat *moving = mixer_start(&mixer, watch.world, rows[n], false, &options);
            expect_ok(halo_beat_run(still, 9));
            expect_case_ok(watch.text, halo_beat_run(moving, 9));
            expect(mixer_digest(watch.world, still) == mixer_digest(watch.world, moving),
                   "%s: other cells in run %d", watch.text, n);
            halo_beat_destroy(&still);
            halo_beat_destroy(&moving);
        }
        balance_watch_end(&watch);
    }
    EXPECT_AGREED();
}

/* A run of the synthetic kernel, cut like that, whose boundaries follow `watch`. */
static void run_synthetic(balance_watch *watch, halo_synthetic_options options, const int64_t *cuts,
                          int beats_per_exchange)
{
    uint64_t digest = 0;
    options.digest = &digest;
    halo_domain domain = {.axes = 2, .n = {options.rows, options.columns, 1}};
    halo_beat_options how = {.beats_per_exchange = beats_per_exchange,
                             .balancing = watch->balancing,
                             .kernel_options = &options};
    halo_partition strips;
    halo_beat *beat = NULL;
    halo_synthetic_verdict verdict = {0};
    expect_ok(halo_partition_with_cuts(&strips, &domain, all_ranks(), cuts));
    expect_ok(
        halo_beat_create(&beat, watch->world, &domain, &strips, &halo_synthetic_kernel, &how));
    halo_partition_free(&strips);
    halo_synthetic_fill(halo_beat_view(beat, 0));
    expect_case_ok(watch->text, halo_beat_run(beat, 40));
    expect_ok(halo_synthetic_check(watch->world, beat, &options, &verdict));
    expect(verdict.holds, "%s: %" PRId64 " wrong cells", watch->text, verdict.wrong_cells);
    halo_beat_destroy(&beat);
}

/* All rows on one rank, and too few for the others to have as many as a deep halo takes. */
static void test_too_few_rows(void)
{
    for (int i = 0; halo_balancer_at(i) != NULL; i++) {
        balance_watch watch = {.text = halo_balancer_at(i)->name, .min_rows = 4};
        balance_watch_start(&watch, mpi_check_world(), watch.text, 1, NULL);
        halo_synthetic_options options = {.rows = 10, .columns = 5, .work = 50};
        int64_t cuts[BALANCE_WATCH_RANKS + 1] = {0};
        for (int r = 1 + all_ranks() / 2; r <= all_ranks(); r++) {
            cuts[r] = options.rows;
        }
        cuts[all_ranks()] = options.rows;
        run_synthetic(&watch, options, cuts, 4);
        balance_watch_end(&watch);
    }
    EXPECT_AGREED();
}

static void test_refused(void)
{
    static const halo_balance_options bad[] = {
        {.balancer = "magic"},      {.balancer = ""},       {.balancer = "chain:magic=1"},
        {.balancer = "lb1:m=many"}, {.migrate = "on foot"}, {.every = -1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        halo_balancing *balancing = NULL;
        expect(halo_balancing_create(&balancing, mpi_check_world(), &bad[i]) == HALO_ARGUMENT &&
                   balancing == NULL,
               "case %zu was not refused", i);
    }
    halo_balancing *balancing = NULL;
    halo_balance_options none = {0};
    expect_ok(halo_balancing_create(&balancing, mpi_check_world(), &none));
    halo_row_cost *row_cost = NULL;
    halo_measured measured;
    expect_ok(halo_row_cost_create(&row_cost, mpi_check_world()));
    expect(!halo_balancing_take(balancing, true, row_cost, &measured),
           "a plan before the first beat");
    halo_row_cost_destroy(&row_cost);
    halo_balancing_destroy(&balancing);
    halo_balancing_destroy(&balancing);
    EXPECT_AGREED();
}

/* ---- labelling at once ----------------------------------------------------------------------- */

enum { IMAGE_ROWS = 2000, IMAGE_WORDS = 64 };

/* A quarter of the rows, the first or the last, is noise; the others are dark. */
static halo_field *noisy(const int64_t *cuts, bool at_end)
{
    int rank = my_rank();
    halo_domain domain = {.axes = 2, .n = {IMAGE_ROWS, 64 * IMAGE_WORDS, 1}};
    halo_box owned = {.lo = {cuts[rank]}, .n = {cuts[rank + 1] - cuts[rank], 64 * IMAGE_WORDS, 1}};
    halo_field *foreground = NULL;
    expect_ok(halo_field_create(&foreground, &domain, &owned, HALO_BIT, 0));
    uint64_t random = 1;
    for (int64_t y = 0; y < owned.n[0]; y++) {
        int64_t from_there = at_end ? IMAGE_ROWS - 1 - (owned.lo[0] + y) : owned.lo[0] + y;
        uint64_t *row = halo_row(halo_field_view(foreground), y);
        for (int64_t i = 0; i < IMAGE_WORDS; i++) {
            row[i] = from_there < IMAGE_ROWS / 4 ? random_next(&random) : 0;
        }
    }
    return foreground;
}

/* Returns the rows planned for the rank that has the noise. */
static int64_t plan_once(const char *balancer, const int64_t *cuts, bool at_end)
{
    int ranks = all_ranks();
    balance_watch watch = {.text = balancer, .min_rows = 0};
    balance_watch_start(&watch, mpi_check_world(), balancer, 0, NULL);
    halo_field *foreground = noisy(cuts, at_end);
    int64_t first[BALANCE_WATCH_RANKS + 1];
    size_t size = ((size_t)ranks + 1) * sizeof *first;
    halo_label_options options = {.balancing = watch.balancing};
    halo_partition given = {0};
    halo_label *label = NULL;
    watch.every = 0; /* planned at once, and again without a beat between */
    const halo_domain *domain = halo_field_domain(foreground);
    expect(halo_partition_with_cuts(&given, domain, ranks, cuts) == HALO_OK &&
               halo_label_create(&label, watch.world, domain, &given, &options) == HALO_OK &&
               halo_label_distribute(label, &foreground, NULL) == HALO_OK &&
               halo_label_run(label, halo_field_view(foreground), NULL) == HALO_OK,
           "%s: %s", balancer, halo_last_message());
    const int64_t *planned = halo_label_partition(label)->cuts[0];
    memcpy(first, planned, size);
    expect_ok(halo_bcast(watch.world, first, size, 0));
    expect(memcmp(first, planned, size) == 0, "%s: another plan than on rank 0", balancer);
    expect(halo_cuts_are_valid(planned, ranks, IMAGE_ROWS), "%s: no cuts", balancer);
    expect(watch.moves > 0 || memcmp(planned, cuts, size) == 0, "%s: moved unplanned", balancer);
    const double *seconds = halo_label_get_report(label)->clock.seconds;
    expect(ranks == 1 || (seconds[HALO_PHASE_COMPUTE] > 0 && seconds[HALO_PHASE_BALANCE] > 0),
           "%s: takes no time", balancer);
    int64_t rows = at_end ? planned[ranks] - planned[ranks - 1] : planned[1];
    halo_label_destroy(&label);
    halo_partition_free(&given);
    halo_field_destroy(&foreground);
    expect((watch.plans > 0) == (ranks > 1) && watch.plans <= 2, "%s: %" PRId64 " plans", balancer,
           watch.plans);
    balance_watch_end(&watch);
    return rows;
}

/* True if the first plan of a balancer follows the measured times, for the first rank, too: all but
 * those that move nothing, anything, or a part of a difference at a time do. */
static bool follows_at_once(const halo_balancer *balancer)
{
    return balancer != &halo_balancer_none && balancer != &halo_balancer_random &&
           balancer != &halo_balancer_diffusion;
}

static void test_label_plan(void)
{
    int ranks = all_ranks();
    int64_t even[BALANCE_WATCH_RANKS + 1], some[BALANCE_WATCH_RANKS + 1];
    uint64_t random = 2;
    halo_cuts_even(IMAGE_ROWS, ranks, even);
    random_cuts(&random, IMAGE_ROWS, ranks, 1, some);
    for (int n = 0; halo_balancer_at(n / 2) != NULL; n++) {
        const halo_balancer *balancer = halo_balancer_at(n / 2);
        virtual_clock_start(LOOK_SECONDS, 0);
        int64_t share = IMAGE_ROWS / ranks, rows = plan_once(balancer->name, even, n % 2 != 0);
        virtual_clock_stop();
        expect(ranks == 1 || !follows_at_once(balancer) || rows < share,
               "%s: %" PRId64 " rows of noise for one of %d ranks", balancer->name, rows, ranks);
        plan_once(balancer->name, some, n % 2 != 0);
    }
    EXPECT_AGREED();
}

/* ---- a rank that is slow on purpose ---------------------------------------------------------- */

/* A step of work: the 8000 of a row take as long as 80 looks at the clock. Ranks look at it in
 * waits, too. How often depends on the machine, and balancers that measure messages see it. */
static const double STEP_SECONDS = 1e-8;

/* The linker's names for the work of the synthetic kernel, which takes as long as it has steps. */
uint64_t __real_synthetic_chains_share(int64_t row, int64_t beat, int64_t from, int64_t to,
                                       bool jump);
uint64_t __wrap_synthetic_chains_share(int64_t row, int64_t beat, int64_t from, int64_t to,
                                       bool jump);
uint64_t __wrap_synthetic_chains_share(int64_t row, int64_t beat, int64_t from, int64_t to,
                                       bool jump)
{
    virtual_clock_pass(STEP_SECONDS * (double)(to - from));
    return __real_synthetic_chains_share(row, beat, from, to, jump);
}

/* Returns the rows that rank 1 has after the last beat. */
static int64_t run_slowed(halo_world *world, const char *balancer, int64_t rows)
{
    int64_t cuts[BALANCE_WATCH_RANKS + 1];
    balance_watch watch = {.text = balancer, .min_rows = 1};
    balance_watch_start(&watch, world, balancer, 2, NULL);
    halo_cuts_even(rows, all_ranks(), cuts);
    run_synthetic(&watch, (halo_synthetic_options){.rows = rows, .columns = 5, .work = 8000}, cuts,
                  0);
    balance_watch_end(&watch);
    return watch.cuts[0][2] - watch.cuts[0][1];
}

static void test_slow_rank(void)
{
    int64_t share = 24;
    const halo_balancer *balancer;
    for (int b = 0; all_ranks() > 1 && (balancer = halo_balancer_at(b)) != NULL; b++) {
        if (!follows_at_once(balancer)) {
            continue;
        }
        halo_slowdown *slowdown = NULL;
        halo_world *world = NULL;
        expect(halo_slowdown_create(&slowdown) == HALO_OK &&
                   halo_slowdown_add(slowdown, "1:8") == HALO_OK,
               "%s", halo_last_message());
        expect_ok(halo_world_duplicate(&world, mpi_check_world(),
                                       &(halo_world_options){.slowdown = slowdown}));
        virtual_clock_start(LOOK_SECONDS, 0);
        int64_t rows = run_slowed(world, balancer->name, share * all_ranks());
        virtual_clock_stop();
        expect(rows < share, "%s: the slow rank has %" PRId64 " rows, its share is %" PRId64,
               balancer->name, rows, share);
        halo_world_destroy(&world);
        halo_slowdown_destroy(&slowdown);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("boundaries that follow measured times",
               {"one run after another", test_one_after_another},
               {"too few rows for deep halos", test_too_few_rows},
               {"options that are refused", test_refused},
               {"cuts for labelling at once", test_label_plan},
               {"a slow rank gets fewer rows", test_slow_rank})
