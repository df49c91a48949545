/* The synthetic kernel as a library has it, and that what is wrong is found. That cells and digest
 * are what they must be however the rows are shared out is for test_same_bytes.c. */

#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/synthetic.h"
#include "support/blocks.h"
#include "support/mpi_check.h"

#include <inttypes.h>

/* Row by row, with plain steps: nothing of the kernel but the cost of a row. */
static uint64_t plain_digest(const halo_synthetic_options *options, int64_t beats)
{
    uint64_t digest = 0;
    for (int64_t row = 0; row < options->rows; row++) {
        for (int64_t beat = 0; beat < beats; beat++) {
            int64_t steps = 0;
            expect_ok(halo_synthetic_row_steps(options, row, beat, &steps));
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
    expect_ok(halo_synthetic_check(synthetic, &verdict));
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

static halo_synthetic *start(const halo_synthetic_options *options)
{
    halo_synthetic *synthetic = NULL;
    expect_ok(halo_synthetic_create(&synthetic, mpi_check_world(), options, NULL, NULL));
    return synthetic;
}

/* Blocks, or only strips, at random, with room for halos of `depth` beats. */
static halo_partition any_partition(uint64_t *random, const halo_synthetic_options *options,
                                    int depth, bool blocks)
{
    halo_domain domain = {.axes = 2, .n = {options->rows, options->columns, 1}};
    int ranks = all_ranks(), strips[HALO_AXES] = {ranks, 1, 1};
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
    expect_ok(halo_synthetic_run(synthetic, beats));
}

static void test_even_strips(void)
{
    halo_synthetic_options options = {.rows = 37, .columns = 20, .work = 9};
    halo_synthetic *synthetic = start(&options);
    int64_t rows = halo_synthetic_view(synthetic)->owned.n[0];
    int ranks = all_ranks();
    expect(rows >= 37 / ranks && rows <= 37 / ranks + 1, "%" PRId64 " rows of 37", rows);
    run(synthetic, 5);
    expect_right("even strips", synthetic, &options, 5);
    uint64_t random = 11;
    halo_partition other = any_partition(&random, &options, 1, false);
    expect_ok(halo_synthetic_move(synthetic, other.cuts[0]));
    halo_partition_free(&other);
    run(synthetic, 2);
    expect_right("other strips", synthetic, &options, 7);
    other = any_partition(&random, &options, 1, true);
    expect_ok(halo_synthetic_repartition(synthetic, &other));
    halo_partition_free(&other);
    run(synthetic, 1);
    expect_right("blocks", synthetic, &options, 8);
    halo_synthetic_destroy(&synthetic);
    expect(synthetic == NULL, "not destroyed");
    halo_synthetic_destroy(&synthetic);
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
    expect_ok(halo_synthetic_check(synthetic, &verdict));
    return verdict;
}

static void test_wrong_cells(void)
{
    halo_synthetic_options options = {.rows = 24, .columns = 7, .work = 3};
    halo_synthetic *synthetic = start(&options);
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
    halo_synthetic *synthetic = start(&options);
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
    halo_beat *beat = NULL;
    halo_partition strips = even_strips(&domain);
    expect_ok(halo_beat_create(&beat, mpi_check_world(), &domain, &strips, kernel, &how));
    expect_ok(halo_beat_run(beat, 5));
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
    synthetic = start(&options);
    expect(halo_synthetic_run(synthetic, 0) == HALO_ARGUMENT, "no beats");
    halo_synthetic_destroy(&synthetic);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("synthetic", {"strips, moved by hand", test_even_strips},
               {"wrong cells are found", test_wrong_cells},
               {"a stale row is found", test_stale_row},
               {"a row done twice is found", test_row_done_twice},
               {"what will not do", test_refused})
