/* The synthetic kernel's check finds what is wrong. That cells and digest are what they must be
 * however the rows are shared out is for test_same_bytes.c. */

#include "kernels/synthetic/synthetic.h"
#include "support/blocks.h"
#include "support/mpi_check.h"

#include <inttypes.h>

/* A run of the kernel, or of one like it. */
typedef struct {
    halo_synthetic_options options;
    uint64_t digest;
    halo_beat *beat;
} synthetic;

static void start(synthetic *s, const halo_kernel *kernel)
{
    *s = (synthetic){.options = {.rows = 144, .columns = 7, .work = 3, .profile = "hot:width=.3"}};
    s->options.digest = &s->digest;
    halo_domain domain = {.axes = 2, .n = {s->options.rows, s->options.columns, 1}};
    halo_partition strips = even_strips(&domain);
    halo_beat_options options = {.kernel_options = &s->options, .beats_per_exchange = 2};
    expect_ok(halo_beat_create(&s->beat, mpi_check_world(), &domain, &strips, kernel, &options));
    halo_partition_free(&strips);
    halo_synthetic_fill(halo_beat_view(s->beat, 0));
    expect_ok(halo_beat_run(s->beat, 3));
}

/* After so many more beats so many cells are wrong, the first of them there; -1: none. */
static void check(synthetic *s, int64_t beats, int64_t wrong, int64_t row, int64_t column)
{
    halo_synthetic_verdict verdict = {.holds = true};
    if (beats > 0) {
        expect_ok(halo_beat_run(s->beat, beats));
    }
    expect_ok(halo_synthetic_check(mpi_check_world(), s->beat, &s->options, &verdict));
    expect(verdict.holds == (wrong == 0) && verdict.wrong_cells == wrong && verdict.row == row &&
               verdict.column == column,
           "%" PRId64 " wrong cells, the first in row %" PRId64 ", column %" PRId64 ", not %" PRId64
           " from %" PRId64 ", %" PRId64,
           verdict.wrong_cells, verdict.row, verdict.column, wrong, row, column);
    expect(verdict.digest == verdict.expected, "the digest is wrong, too");
}

/* Global row `row` of the rank that owns it; NULL on the others. */
static uint64_t *own_row(const synthetic *s, int64_t row)
{
    const halo_view *view = halo_beat_view(s->beat, 0);
    int64_t y = row - view->owned.lo[0];
    return y >= 0 && y < view->owned.n[0] ? halo_row(view, y) : NULL;
}

static void test_wrong_cells(void)
{
    synthetic s;
    start(&s, &halo_synthetic_kernel);
    check(&s, 0, 0, -1, -1);
    uint64_t *row = own_row(&s, 20);
    if (row != NULL) {
        row[6]++;
    }
    check(&s, 0, 1, 20, 6);
    row = own_row(&s, 9);
    if (row != NULL) {
        row[2]--;
        row[5] = 0;
    }
    check(&s, 0, 3, 9, 2);
    /* It does not heal: one wrong cell, as from a wrong halo, is wrong for good and spreads. */
    halo_synthetic_verdict verdict = {.holds = true};
    expect_ok(halo_beat_run(s.beat, 2));
    expect_ok(halo_synthetic_check(mpi_check_world(), s.beat, &s.options, &verdict));
    expect(!verdict.holds && verdict.wrong_cells > 20, "only %" PRId64 " wrong cells",
           verdict.wrong_cells);
    halo_beat_destroy(&s.beat);
    EXPECT_AGREED();
}

/* A halo that is one beat old, here the whole of one row, is found. */
static void test_stale_row(void)
{
    synthetic s;
    start(&s, &halo_synthetic_kernel);
    uint64_t *row = own_row(&s, 12);
    for (int64_t x = 0; row != NULL && x < s.options.columns; x++) {
        row[x] = halo_synthetic_cell(12, x, 2);
    }
    check(&s, 1, 3 * s.options.columns, 11, 0);
    halo_beat_destroy(&s.beat);
    EXPECT_AGREED();
}

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

/* Cells do not show a row that is done twice, but the digest does. */
static void test_row_done_twice(void)
{
    synthetic s;
    halo_kernel wrong = halo_synthetic_kernel;
    halo_synthetic_verdict verdict = {.holds = true};
    wrong.step = twice;
    start(&s, &wrong);
    expect_ok(halo_synthetic_check(mpi_check_world(), s.beat, &s.options, &verdict));
    expect(!verdict.holds && verdict.wrong_cells == 0 && verdict.digest != verdict.expected,
           "a row done twice is not found");
    halo_beat_destroy(&s.beat);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("synthetic", {"wrong cells are found", test_wrong_cells},
               {"a stale row is found", test_stale_row},
               {"a row done twice is found", test_row_done_twice})
