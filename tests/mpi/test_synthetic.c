/* The synthetic kernel: cells and digest are what they must be however the rows are shared out, and
 * what is wrong is found. */

#include "core/balance/balancing.h"
#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/synthetic.h"
#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_RANKS = 64 };

static const char *const profiles[] = {NULL, "linear:ratio=4", "step:at=.6",
                                       "hot:width=.15,speed=2.5,ratio=6", "random:seed=8"};
enum { PROFILES = sizeof profiles / sizeof profiles[0] };

/* Row by row, with plain steps: nothing of the kernel but the cost of a row. */
static uint64_t plain_digest(const halo_synthetic_options *options, int64_t beats)
{
    uint64_t digest = 0;
    for (int64_t row = 0; row < options->rows; row++) {
        for (int64_t beat = 0; beat < beats; beat++) {
            int64_t steps = 0;
            expect(halo_synthetic_row_steps(options, row, beat, &steps) == HALO_OK, "%s",
                   halo_last_message());
            digest += synthetic_chains_work(row, beat, steps);
        }
    }
    return digest;
}

static bool cells_are(const halo_synthetic *synthetic, int64_t beats)
{
    const halo_view *view = halo_synthetic_view(synthetic);
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        const uint64_t *row = halo_row(view, y);
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            if (row[x] !=
                halo_synthetic_cell(view->owned.lo[0] + y, view->owned.lo[1] + x, beats)) {
                return false;
            }
        }
    }
    return true;
}

static void expect_right(const char *text, const halo_synthetic *synthetic,
                         const halo_synthetic_options *options, int64_t beats)
{
    halo_synthetic_verdict verdict = {0};
    expect(halo_synthetic_check(synthetic, &verdict) == HALO_OK, "%s", halo_last_message());
    expect(verdict.holds && verdict.wrong_cells == 0 && verdict.row == -1 && verdict.column == -1,
           "%s: %" PRId64 " wrong cells, digest %" PRIx64 " for %" PRIx64, text,
           verdict.wrong_cells, verdict.digest, verdict.expected);
    expect(cells_are(synthetic, beats), "%s: other cells", text);
    uint64_t digest = plain_digest(options, beats);
    expect(halo_synthetic_digest(synthetic) == digest, "%s: digest %" PRIx64 ", not %" PRIx64, text,
           halo_synthetic_digest(synthetic), digest);
    expect(halo_synthetic_report_of(synthetic).beats == beats, "%s: not %" PRId64 " beats", text,
           beats);
}

static halo_synthetic *start(const halo_synthetic_options *options, const halo_partition *partition,
                             const halo_beat_options *run)
{
    halo_synthetic *synthetic = NULL;
    expect(halo_synthetic_create(&synthetic, mpi_check_world(), options, partition, run) == HALO_OK,
           "%s", halo_last_message());
    return synthetic;
}

/* Blocks, or only strips, at random, with room for halos of `depth` beats. */
static halo_partition any_partition(uint64_t *random, const halo_synthetic_options *options,
                                    int depth, bool blocks)
{
    halo_domain domain = {.axes = 2, .n = {options->rows, options->columns, 1}};
    int ranks = halo_world_ranks(mpi_check_world()), strips[HALO_AXES] = {ranks, 1, 1};
    halo_partition partition;
    if (blocks) {
        random_blocks(random, &domain, ranks, depth > 0 ? depth : 1, &partition);
    } else {
        random_block_cuts(random, &domain, strips, depth > 0 ? depth : 1, &partition);
    }
    return partition;
}

static void run(halo_synthetic *synthetic, int64_t beats)
{
    expect(halo_synthetic_run(synthetic, beats) == HALO_OK, "%s", halo_last_message());
}

/* Sizes down to a single row or column, where cells lack neighbours. */
static halo_synthetic_options any_size(uint64_t *random, int n)
{
    return (halo_synthetic_options){.rows = 1 + random_below(random, n % 5 == 0 ? 4 : 45),
                                    .columns = 1 + random_below(random, n % 3 == 0 ? 4 : 40),
                                    .profile = profiles[n % PROFILES],
                                    .work = 1 + random_below(random, 30)};
}

/* ---- any cuts, depth, exchange and vote --------------------------------------------------- */

static void test_results(void)
{
    static const char *const votes[] = {NULL, "tree", "coordinator", "broadcast"};
    uint64_t random = 7;
    for (int n = 0; n < 120; n++) {
        halo_synthetic_options options = any_size(&random, n);
        halo_beat_options how = {.beats_per_exchange = n / 2 % 4,
                                 .exchange = n % 2 == 0 ? "p2p" : "persistent",
                                 .vote = votes[n / 8 % 4]};
        int64_t beats = 1 + random_below(&random, 12);
        halo_partition partition =
            any_partition(&random, &options, how.beats_per_exchange, n % 3 != 0);
        char text[96];
        snprintf(text, sizeof text, "case %d in %dx%d, %" PRId64 " beats, depth %d", n,
                 partition.parts[0], partition.parts[1], beats, how.beats_per_exchange);
        halo_synthetic *synthetic = start(&options, &partition, &how);
        if (synthetic != NULL) {
            expect_right(text, synthetic, &options, 0);
            run(synthetic, beats);
            expect_right(text, synthetic, &options, beats);
        }
        halo_synthetic_destroy(&synthetic);
        halo_partition_free(&partition);
    }
    EXPECT_AGREED();
}

static void test_even_strips(void)
{
    halo_synthetic_options options = {.rows = 37, .columns = 20, .work = 9};
    halo_synthetic *synthetic = start(&options, NULL, NULL);
    int64_t rows = halo_synthetic_view(synthetic)->owned.n[0];
    int ranks = halo_world_ranks(mpi_check_world());
    expect(rows >= 37 / ranks && rows <= 37 / ranks + 1, "%" PRId64 " rows of 37", rows);
    run(synthetic, 5);
    expect_right("even strips", synthetic, &options, 5);
    halo_synthetic_destroy(&synthetic);
    expect(synthetic == NULL, "not destroyed");
    halo_synthetic_destroy(&synthetic);
    EXPECT_AGREED();
}

/* ---- boundaries that move ----------------------------------------------------------------- */

static void test_moves(void)
{
    int ranks = halo_world_ranks(mpi_check_world());
    uint64_t random = 11;
    for (int n = 0; n < 30; n++) {
        halo_synthetic_options options = any_size(&random, n);
        halo_beat_options how = {.beats_per_exchange = 1 + n % 3,
                                 .exchange = n % 2 == 0 ? "p2p" : "persistent"};
        int64_t cuts[MOST_RANKS + 1], beats = 0;
        halo_partition strips = any_partition(&random, &options, how.beats_per_exchange, false);
        halo_synthetic *synthetic = start(&options, &strips, &how);
        halo_partition_free(&strips);
        for (int part = 0; synthetic != NULL && part < 8; part++) {
            int64_t some = 1 + random_below(&random, 4);
            random_cuts(&random, options.rows, ranks, how.beats_per_exchange, cuts);
            expect(halo_synthetic_move(synthetic, cuts) == HALO_OK, "%s", halo_last_message());
            run(synthetic, some);
            beats += some;
        }
        char text[64];
        snprintf(text, sizeof text, "case %d, %" PRId64 " beats, depth %d", n, beats,
                 how.beats_per_exchange);
        expect_right(text, synthetic, &options, beats);
        halo_synthetic_destroy(&synthetic);
    }
    EXPECT_AGREED();
}

/* From any blocks to any others. */
static void test_repartitions(void)
{
    uint64_t random = 19;
    for (int n = 0; n < 30; n++) {
        halo_synthetic_options options = any_size(&random, n);
        halo_beat_options how = {.beats_per_exchange = 1 + n % 3,
                                 .exchange = n % 2 == 0 ? "p2p" : "persistent"};
        halo_partition partition =
            any_partition(&random, &options, how.beats_per_exchange, n % 2 == 0);
        halo_synthetic *synthetic = start(&options, &partition, &how);
        int64_t beats = 0;
        for (int part = 0; synthetic != NULL && part < 6; part++) {
            int64_t some = 1 + random_below(&random, 4);
            halo_partition_free(&partition);
            partition = any_partition(&random, &options, how.beats_per_exchange, part % 3 != 2);
            expect(halo_synthetic_repartition(synthetic, &partition) == HALO_OK, "%s",
                   halo_last_message());
            run(synthetic, some);
            beats += some;
        }
        char text[64];
        snprintf(text, sizeof text, "case %d, %" PRId64 " beats, depth %d", n, beats,
                 how.beats_per_exchange);
        expect_right(text, synthetic, &options, beats);
        halo_synthetic_destroy(&synthetic);
        halo_partition_free(&partition);
    }
    EXPECT_AGREED();
}

/* While it runs, at random every beat and by what rows cost; some ranks own nothing for a while. */
static void test_balanced(void)
{
    static const char *const balancers[] = {"random", "random:seed=3", "chain", "lb1", "diffusion"};
    static const char *const ways[] = {"auto", "neighbour", "direct"};
    uint64_t random = 13;
    int64_t moves = 0;
    for (int n = 0; n < 30; n++) {
        halo_synthetic_options options = any_size(&random, n);
        options.rows += 20;
        halo_balance_options balance = {
            .balancer = balancers[n % 5], .every = 1 + n % 2, .migrate = ways[n % 3]};
        halo_balancing *balancing = NULL;
        expect(halo_balancing_create(&balancing, mpi_check_world(), &balance) == HALO_OK, "%s",
               halo_last_message());
        halo_beat_options how = {.beats_per_exchange = 1 + n % 2, .balancing = balancing};
        int64_t beats = 8 + random_below(&random, 25);
        halo_partition partition =
            any_partition(&random, &options, how.beats_per_exchange, n % 3 == 1);
        halo_synthetic *synthetic = start(&options, &partition, &how);
        halo_partition_free(&partition);
        if (synthetic != NULL) {
            run(synthetic, beats);
            char text[64];
            snprintf(text, sizeof text, "case %d, %s, %s", n, balance.balancer, balance.migrate);
            expect_right(text, synthetic, &options, beats);
        }
        moves += halo_balancing_report(balancing).moves;
        halo_synthetic_destroy(&synthetic);
        halo_balancing_destroy(&balancing);
    }
    expect(moves > 100 || halo_world_ranks(mpi_check_world()) == 1, "only %" PRId64 " moves",
           moves);
    EXPECT_AGREED();
}

/* ---- the check finds what is wrong -------------------------------------------------------- */

/* Global row `row` of the rank that owns it; NULL on the others. */
static uint64_t *own_row(const halo_synthetic *synthetic, int64_t row)
{
    const halo_view *view = halo_synthetic_view(synthetic);
    int64_t y = row - view->owned.lo[0];
    return y >= 0 && y < view->owned.n[0] ? halo_row(view, y) : NULL;
}

static halo_synthetic_verdict verdict_of(const halo_synthetic *synthetic)
{
    halo_synthetic_verdict verdict = {.holds = true};
    expect(halo_synthetic_check(synthetic, &verdict) == HALO_OK, "%s", halo_last_message());
    return verdict;
}

static void test_wrong_cells(void)
{
    halo_synthetic_options options = {.rows = 24, .columns = 7, .work = 3};
    halo_synthetic *synthetic = start(&options, NULL, NULL);
    run(synthetic, 3);
    uint64_t *row = own_row(synthetic, 20);
    if (row != NULL) {
        row[6]++;
    }
    halo_synthetic_verdict verdict = verdict_of(synthetic);
    expect(!verdict.holds && verdict.wrong_cells == 1 && verdict.row == 20 && verdict.column == 6,
           "%" PRId64 " wrong cells, the first in row %" PRId64 ", column %" PRId64,
           verdict.wrong_cells, verdict.row, verdict.column);
    row = own_row(synthetic, 9);
    if (row != NULL) {
        row[2]--;
        row[5] = 0;
    }
    verdict = verdict_of(synthetic);
    expect(!verdict.holds && verdict.wrong_cells == 3 && verdict.row == 9 && verdict.column == 2,
           "%" PRId64 " wrong cells, the first in row %" PRId64 ", column %" PRId64,
           verdict.wrong_cells, verdict.row, verdict.column);
    expect(verdict.digest == verdict.expected, "the digest is wrong, too");
    /* It does not heal: one wrong cell, as from a wrong halo, is wrong for good and spreads. */
    run(synthetic, 2);
    verdict = verdict_of(synthetic);
    expect(!verdict.holds && verdict.wrong_cells > 20, "only %" PRId64 " wrong cells",
           verdict.wrong_cells);
    halo_synthetic_destroy(&synthetic);
    EXPECT_AGREED();
}

/* A halo that is one beat old, here the whole of one row, is found. */
static void test_stale_row(void)
{
    halo_synthetic_options options = {.rows = 24, .columns = 7, .work = 3};
    halo_synthetic *synthetic = start(&options, NULL, NULL);
    run(synthetic, 3);
    uint64_t *row = own_row(synthetic, 12);
    for (int64_t x = 0; row != NULL && x < options.columns; x++) {
        row[x] = halo_synthetic_cell(12, x, 2);
    }
    run(synthetic, 1);
    halo_synthetic_verdict verdict = verdict_of(synthetic);
    expect(!verdict.holds && verdict.wrong_cells == 3 * 7 && verdict.row == 11 &&
               verdict.column == 0,
           "%" PRId64 " wrong cells, the first in row %" PRId64, verdict.wrong_cells, verdict.row);
    halo_synthetic_destroy(&synthetic);
    EXPECT_AGREED();
}

/* The kernel by itself, with a row that is done twice: through halo_beat, whose digest is where the
 * options say. */
static halo_status twice(halo_step *step)
{
    HALO_TRY(halo_synthetic_kernel.step(step));
    int64_t fifth = 5 - step->in->owned.lo[0];
    if (step->todo.lo[0] <= fifth && step->todo.lo[0] + step->todo.n[0] > fifth) {
        halo_step again = *step;
        again.todo.lo[0] = fifth;
        again.todo.n[0] = 1;
        HALO_TRY(halo_synthetic_kernel.step(&again));
    }
    return HALO_OK;
}

static uint64_t digest_by(const halo_kernel *kernel, const halo_synthetic_options *options)
{
    uint64_t digest = 0;
    halo_synthetic_options told = *options;
    told.digest = &digest;
    halo_domain domain = {.axes = 2, .n = {options->rows, options->columns, 1}};
    halo_beat_options how = {.kernel_options = &told, .beats_per_exchange = 2};
    halo_partition strips = {0};
    halo_beat *beat = NULL;
    expect(halo_partition_strips(&strips, &domain, halo_world_ranks(mpi_check_world())) == HALO_OK,
           "%s", halo_last_message());
    expect(halo_beat_create(&beat, mpi_check_world(), &domain, &strips, kernel, &how) == HALO_OK,
           "%s", halo_last_message());
    expect(halo_beat_run(beat, 5) == HALO_OK, "%s", halo_last_message());
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
    return digest;
}

static void test_row_done_twice(void)
{
    halo_synthetic_options options = {
        .rows = 24, .columns = 7, .work = 3, .profile = "hot:width=.3"};
    halo_kernel wrong = halo_synthetic_kernel;
    wrong.step = twice;
    uint64_t expected = plain_digest(&options, 5);
    expect(digest_by(&halo_synthetic_kernel, &options) == expected, "the kernel's own digest");
    expect(digest_by(&wrong, &options) != expected, "a row done twice is not found");
    EXPECT_AGREED();
}

/* ---- what will not do --------------------------------------------------------------------- */

static void test_refused(void)
{
    halo_world *world = mpi_check_world();
    halo_synthetic *synthetic = NULL;
    halo_synthetic_options options = {.rows = 0, .columns = 5};
    expect(halo_synthetic_create(&synthetic, world, &options, NULL, NULL) == HALO_ARGUMENT &&
               synthetic == NULL,
           "no rows");
    options = (halo_synthetic_options){.rows = 5, .columns = 5, .profile = "cubic"};
    expect(halo_synthetic_create(&synthetic, world, &options, NULL, NULL) == HALO_ARGUMENT &&
               synthetic == NULL,
           "a profile that there is not");
    options.profile = NULL;
    halo_beat_options how = {.exchange = "pigeon"};
    expect(halo_synthetic_create(&synthetic, world, &options, NULL, &how) == HALO_ARGUMENT &&
               synthetic == NULL,
           "an exchange that there is not");
    halo_partition partition =
        any_partition(&(uint64_t){1}, &(halo_synthetic_options){.rows = 6, .columns = 5}, 1, true);
    expect(halo_synthetic_create(&synthetic, world, &options, &partition, NULL) == HALO_ARGUMENT &&
               synthetic == NULL,
           "a partition of another domain");
    halo_partition_free(&partition);
    options.rows = INT32_MAX;
    options.columns = INT32_MAX;
    expect(halo_synthetic_create(&synthetic, world, &options, NULL, NULL) == HALO_MEMORY &&
               synthetic == NULL,
           "more cells than any memory holds");
    options = (halo_synthetic_options){.rows = 50, .columns = 2};
    synthetic = start(&options, NULL, NULL);
    expect(halo_synthetic_run(synthetic, 0) == HALO_ARGUMENT, "no beats");
    halo_synthetic_destroy(&synthetic);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"any cuts, depth, exchange and vote", test_results},
        {"even strips", test_even_strips},
        {"boundaries that move", test_moves},
        {"blocks that become others", test_repartitions},
        {"boundaries that move while it runs", test_balanced},
        {"wrong cells are found", test_wrong_cells},
        {"a stale row is found", test_stale_row},
        {"a row done twice is found", test_row_done_twice},
        {"what will not do", test_refused},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "synthetic", tests);
}
