/* The synthetic kernel: what is wrong is found. That cells and digest are what they must be however
 * the rows are shared out is for test_same_bytes.c. */

#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/profile.h"
#include "support/blocks.h"
#include "support/mpi_check.h"
#include "support/synthetic_run.h"

#include <inttypes.h>

/* Row by row, with plain steps: nothing of the kernel but the cost of a row. */
static uint64_t plain_digest(const halo_synthetic_options *options, int64_t beats)
{
    uint64_t digest = 0;
    synthetic_profile profile;
    expect(synthetic_profile_of(&profile, options) == HALO_OK, "%s", halo_last_message());
    for (int64_t row = 0; row < options->rows; row++) {
        for (int64_t beat = 0; beat < beats; beat++) {
            int64_t steps = synthetic_profile_steps(&profile, row, beat);
            digest += synthetic_chains_share(row, beat, 0, steps, false);
        }
    }
    return digest;
}

static bool cells_are(const synthetic_run *run, int64_t beats)
{
    const halo_view *view = halo_beat_view(run->beat, 0);
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

static void expect_right(const char *text, const synthetic_run *run, int64_t beats)
{
    halo_synthetic_verdict verdict = synthetic_run_check(run);
    expect(verdict.holds && verdict.wrong_cells == 0 && verdict.row == -1 && verdict.column == -1,
           "%s: %" PRId64 " wrong cells, digest %" PRIx64 " for %" PRIx64, text,
           verdict.wrong_cells, verdict.digest, verdict.expected);
    expect(cells_are(run, beats), "%s: other cells", text);
    uint64_t digest = plain_digest(&run->options, beats);
    expect(run->digest == digest, "%s: digest %" PRIx64 ", not %" PRIx64, text, run->digest,
           digest);
    expect(halo_beat_get_report(run->beat).beats == beats, "%s: not %" PRId64 " beats", text,
           beats);
}

static void start(synthetic_run *run)
{
    expect(synthetic_run_create(run, mpi_check_world(), NULL, NULL) == HALO_OK, "%s",
           halo_last_message());
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

static void test_even_strips(void)
{
    synthetic_run run = {.options = {.rows = 37, .columns = 20, .work = 9}};
    start(&run);
    int64_t rows = halo_beat_view(run.beat, 0)->owned.n[0];
    int ranks = halo_world_ranks(mpi_check_world());
    expect(rows >= 37 / ranks && rows <= 37 / ranks + 1, "%" PRId64 " rows of 37", rows);
    synthetic_run_beats(&run, "even strips", 5);
    expect_right("even strips", &run, 5);
    uint64_t random = 11;
    halo_partition other = any_partition(&random, &run.options, 1, false);
    expect(halo_beat_move(run.beat, other.cuts[0]) == HALO_OK, "%s", halo_last_message());
    halo_partition_free(&other);
    synthetic_run_beats(&run, "other strips", 2);
    expect_right("other strips", &run, 7);
    other = any_partition(&random, &run.options, 1, true);
    expect(halo_beat_repartition(run.beat, &other) == HALO_OK, "%s", halo_last_message());
    halo_partition_free(&other);
    synthetic_run_beats(&run, "blocks", 1);
    expect_right("blocks", &run, 8);
    synthetic_run_end(&run);
    EXPECT_AGREED();
}

/* ---- the check finds what is wrong -------------------------------------------------------- */

/* Global row `row` of the rank that owns it; NULL on the others. */
static uint64_t *own_row(const synthetic_run *run, int64_t row)
{
    const halo_view *view = halo_beat_view(run->beat, 0);
    int64_t y = row - view->owned.lo[0];
    return y >= 0 && y < view->owned.n[0] ? halo_row(view, y) : NULL;
}

static void expect_wrong(const synthetic_run *run, int64_t cells, int64_t row, int64_t column)
{
    halo_synthetic_verdict verdict = synthetic_run_check(run);
    expect(!verdict.holds && verdict.wrong_cells == cells && verdict.row == row &&
               verdict.column == column,
           "%" PRId64 " wrong cells, the first in row %" PRId64 ", column %" PRId64,
           verdict.wrong_cells, verdict.row, verdict.column);
    expect(verdict.digest == verdict.expected, "the digest is wrong, too");
}

static void test_wrong_cells(void)
{
    synthetic_run run = {.options = {.rows = 24, .columns = 7, .work = 3}};
    start(&run);
    synthetic_run_beats(&run, "wrong cells", 3);
    uint64_t *row = own_row(&run, 20);
    if (row != NULL) {
        row[6]++;
    }
    expect_wrong(&run, 1, 20, 6);
    row = own_row(&run, 9);
    if (row != NULL) {
        row[2]--;
        row[5] = 0;
    }
    expect_wrong(&run, 3, 9, 2);
    /* It does not heal: one wrong cell, as from a wrong halo, is wrong for good and spreads. */
    synthetic_run_beats(&run, "wrong cells", 2);
    halo_synthetic_verdict verdict = synthetic_run_check(&run);
    expect(!verdict.holds && verdict.wrong_cells > 20, "only %" PRId64 " wrong cells",
           verdict.wrong_cells);
    synthetic_run_end(&run);
    EXPECT_AGREED();
}

/* A halo that is one beat old, here the whole of one row, is found. */
static void test_stale_row(void)
{
    synthetic_run run = {.options = {.rows = 24, .columns = 7, .work = 3}};
    start(&run);
    synthetic_run_beats(&run, "a stale row", 3);
    uint64_t *row = own_row(&run, 12);
    for (int64_t x = 0; row != NULL && x < run.options.columns; x++) {
        row[x] = halo_synthetic_cell(12, x, 2);
    }
    synthetic_run_beats(&run, "a stale row", 1);
    expect_wrong(&run, 3 * 7, 11, 0);
    synthetic_run_end(&run);
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

static void expect_refused(const char *what, halo_synthetic_options options,
                           const halo_beat_options *how, const halo_partition *partition,
                           halo_status wanted)
{
    synthetic_run run = {.options = options};
    expect(synthetic_run_create(&run, mpi_check_world(), partition, how) == wanted &&
               run.beat == NULL,
           "%s", what);
}

static void test_refused(void)
{
    halo_synthetic_options some = {.rows = 5, .columns = 5};
    expect_refused("no rows", (halo_synthetic_options){.columns = 5}, NULL, NULL, HALO_ARGUMENT);
    expect_refused("a profile that there is not",
                   (halo_synthetic_options){.rows = 5, .columns = 5, .profile = "cubic"}, NULL,
                   NULL, HALO_ARGUMENT);
    expect_refused("an exchange that there is not", some,
                   &(halo_beat_options){.exchange = "pigeon"}, NULL, HALO_ARGUMENT);
    halo_partition partition =
        any_partition(&(uint64_t){1}, &(halo_synthetic_options){.rows = 6, .columns = 5}, 1, true);
    expect_refused("a partition of another domain", some, NULL, &partition, HALO_ARGUMENT);
    halo_partition_free(&partition);
    expect_refused("more cells than any memory holds",
                   (halo_synthetic_options){.rows = INT32_MAX, .columns = INT32_MAX}, NULL, NULL,
                   HALO_MEMORY);
    synthetic_run run = {.options = {.rows = 50, .columns = 2}};
    start(&run);
    run.options.digest = NULL;
    halo_synthetic_verdict verdict;
    expect(halo_synthetic_check(run.world, run.beat, &run.options, &verdict) == HALO_ARGUMENT,
           "no digest to check");
    synthetic_run_end(&run);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("synthetic", {"strips, moved by hand", test_even_strips},
               {"wrong cells are found", test_wrong_cells},
               {"a stale row is found", test_stale_row},
               {"a row done twice is found", test_row_done_twice},
               {"what will not do", test_refused})
