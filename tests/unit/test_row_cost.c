/* The costs of rows: the arithmetic of measuring, with a clock that the test turns. */

#include "core/balance/row_cost.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "support/unit_check.h"

/* A clock has no argument for these: the seconds that a reading takes, and how many times as slow a
 * rank is. */
static double now, reading, slowness;

/* The linker sends the library's readings here (--wrap). */
double __wrap_halo_seconds(void);
double __wrap_halo_seconds(void)
{
    return now += reading;
}

bool __wrap_halo_world_inject_slowdown(const halo_world *world, double seconds);
bool __wrap_halo_world_inject_slowdown(const halo_world *world, double seconds)
{
    (void)world;
    now += slowness > 1 ? (slowness - 1) * seconds : 0;
    return slowness > 1;
}

static halo_row_cost *start(int64_t rows)
{
    halo_row_cost *row_cost;
    now = 0;
    slowness = 1;
    SUCCEEDS(halo_row_cost_create(&row_cost, NULL));
    halo_row_cost_set_rows(row_cost, rows);
    return row_cost;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)); /* costs of rows are floats */
}

/* A superstep of one beat in a single stretch, which takes so long. */
static void superstep(halo_row_cost *row_cost, int64_t rows, double seconds)
{
    halo_row_cost_begin_superstep(row_cost, 1);
    halo_row_cost_begin(row_cost, 0, rows, 0, 1);
    now += seconds;
    halo_row_cost_end(row_cost);
    halo_row_cost_end_superstep(row_cost, 0);
}

/* The first superstep counts for nothing once others follow. */
static halo_row_cost *start_warm(int64_t rows)
{
    halo_row_cost *row_cost = start(rows);
    superstep(row_cost, rows, 1000);
    return row_cost;
}

static halo_measured take(halo_row_cost *row_cost, int64_t supersteps, int64_t beats,
                          double seconds)
{
    halo_measured m;
    halo_row_cost_take(row_cost, &m);
    check(m.supersteps == supersteps && m.beats == beats,
          "%" PRId64 " supersteps, %" PRId64 " beats, not %" PRId64 " and %" PRId64, m.supersteps,
          m.beats, supersteps, beats);
    check(near(m.compute_seconds, seconds), "%g s a beat, not %g", m.compute_seconds, seconds);
    return m;
}

/* ---- whole supersteps ------------------------------------------------------------------------ */

TEST("supersteps, taken")
{
    halo_row_cost *row_cost = start(10);
    check(!halo_row_cost_has_measured(row_cost), "measured before the first superstep");
    halo_measured m = take(row_cost, 0, 0, 0);
    CU_ASSERT_EQUAL(m.blocks, 0);
    superstep(row_cost, 10, 9);
    check(!halo_row_cost_has_measured(row_cost), "the first superstep is enough");
    superstep(row_cost, 10, 2);
    check(halo_row_cost_has_measured(row_cost), "the second superstep is not enough");
    m = take(row_cost, 1, 1, 2);
    check(m.rows == 10 && m.noise_seconds == 0 && m.extra_seconds == 0, "rows, noise, halo");
    check(!halo_row_cost_has_measured(row_cost), "still measured after taking");
    superstep(row_cost, 10, 3);
    check(halo_row_cost_has_measured(row_cost), "a later superstep is not enough");
    take(row_cost, 1, 1, 3);
    halo_row_cost_destroy(&row_cost);
    CU_ASSERT_PTR_NULL(row_cost);
    halo_row_cost_destroy(&row_cost);
}

/* The standard error of 2, 4, 6, 8: the mean is 5, the variance 20 / 3. */
TEST("standard error")
{
    halo_row_cost *row_cost = start_warm(7);
    for (int i = 1; i <= 4; i++) {
        superstep(row_cost, 7, 2 * i);
    }
    halo_measured m = take(row_cost, 4, 4, 5);
    NEAR(m.noise_seconds, sqrt(20. / 3 / 4), 1e-6);
    for (int i = 0; i < 3; i++) {
        superstep(row_cost, 7, .5);
    }
    m = take(row_cost, 3, 3, .5);
    NEAR(m.noise_seconds, 0, 1e-7);
    halo_row_cost_destroy(&row_cost);
}

/* 3 beats of 10 rows and 6 rows more in 72 s are 2 s a row. */
TEST("halo rows of several beats")
{
    halo_row_cost *row_cost = start_warm(10);
    halo_row_cost_begin_superstep(row_cost, 3);
    halo_row_cost_begin(row_cost, -2, 12, 0, 3);
    now += 72;
    halo_row_cost_end(row_cost);
    halo_row_cost_end_superstep(row_cost, 6);
    halo_measured m = take(row_cost, 1, 3, 20);
    NEAR(m.extra_seconds, 4, 1e-6);
    halo_row_cost_destroy(&row_cost);
}

TEST("a slow rank")
{
    halo_row_cost *row_cost = start_warm(10);
    slowness = 2.5;
    superstep(row_cost, 10, 4);
    halo_measured m = take(row_cost, 1, 1, 10);
    NEAR((double)m.row_cost[3], 1, 1e-6);
    halo_row_cost_destroy(&row_cost);
}

/* ---- blocks of rows -------------------------------------------------------------------------- */

/* Return the cost of row `y` in these tests. */
static double cost(int64_t y)
{
    return 1 + (double)(y * y % 17);
}

static double cost_of(int64_t lo, int64_t hi)
{
    double sum = 0;
    for (int64_t y = lo; y < hi; y++) {
        sum += cost(y);
    }
    return sum;
}

static void expect_blocks(const halo_measured *m, int64_t rows)
{
    int64_t block_rows = (rows + HALO_ROW_COST_BLOCKS - 1) / HALO_ROW_COST_BLOCKS;
    check(m->block_rows == block_rows && m->blocks == (rows + block_rows - 1) / block_rows,
          "%d blocks of %" PRId64 " of %" PRId64 " rows", m->blocks, m->block_rows, rows);
    bool good = true;
    for (int i = 0; i < m->blocks && good; i++) {
        int64_t lo = i * block_rows, hi = lo + block_rows < rows ? lo + block_rows : rows;
        double wanted = cost_of(lo, hi) / (double)(hi - lo);
        check(near((double)m->row_cost[i], wanted),
              "%" PRId64 " rows, block %d: %g s a row, not %g", rows, i, (double)m->row_cost[i],
              wanted);
    }
}

/* As the heartbeat does it for a kernel that is given its box in pieces: the middle, then the ends,
 * `edge` rows each. Returns the pieces. */
static int step(halo_row_cost *row_cost, int64_t lo, int64_t end)
{
    int pieces = 0;
    halo_row_cost_begin(row_cost, lo, end, 0, 1);
    for (int64_t hi; lo < end; lo = hi) {
        hi = halo_row_cost_piece_end(row_cost, lo, end);
        check(hi > lo && hi <= end, "a piece from %" PRId64 " to %" PRId64, lo, hi);
        now += cost_of(lo, hi);
        if (hi < end) {
            halo_row_cost_mark(row_cost, lo, hi);
        }
        pieces++;
    }
    halo_row_cost_end(row_cost);
    return pieces;
}

TEST("pieces")
{
    static const int64_t rows[] = {1, 2, 63, 64, 65, 100, 128, 129, 1000};
    for (size_t n = 0; n < COUNT(rows); n++) {
        halo_row_cost *row_cost = start_warm(rows[n]);
        int64_t edge = rows[n] > 4 ? 2 : 0;
        for (int i = 0; i < 3; i++) {
            halo_row_cost_begin_superstep(row_cost, 1);
            step(row_cost, edge, rows[n] - edge);
            step(row_cost, 0, edge);
            step(row_cost, rows[n] - edge, rows[n]);
            halo_row_cost_end_superstep(row_cost, 0);
        }
        halo_measured m = take(row_cost, 3, 3, cost_of(0, rows[n]));
        expect_blocks(&m, rows[n]);
        halo_row_cost_destroy(&row_cost);
    }
}

/* As a kernel does that takes its strip at once, halo rows and rows in no order included. */
TEST("marks")
{
    enum { ROWS = 300 };
    halo_row_cost *row_cost = start_warm(ROWS);
    halo_row_cost_begin_superstep(row_cost, 2);
    halo_row_cost_begin(row_cost, 0, ROWS, 0, 2);
    for (int64_t y = 299; y >= 0; y--) {
        now += 2 * cost(y);
        halo_row_cost_mark(row_cost, y, y + 1);
        halo_row_cost_mark(row_cost, y, y);
    }
    halo_row_cost_end(row_cost);
    halo_row_cost_end_superstep(row_cost, 0);
    halo_measured m = take(row_cost, 1, 2, cost_of(0, ROWS));
    expect_blocks(&m, ROWS);
    halo_row_cost_mark(NULL, 0, 1); /* a kernel that is called without a row_cost */
    halo_row_cost_destroy(&row_cost);
}

/* A stretch of rows -2 to 11, the first 7 of them marked: what is left are rows 5 to 11. */
TEST("rows outside the strip")
{
    halo_row_cost *row_cost = start_warm(10);
    halo_row_cost_begin_superstep(row_cost, 1);
    halo_row_cost_begin(row_cost, -2, 12, 0, 1);
    now += 7;
    halo_row_cost_mark(row_cost, -2, 5);
    now += 70;
    halo_row_cost_end(row_cost);
    halo_row_cost_end_superstep(row_cost, 4);
    halo_measured m = take(row_cost, 1, 1, 77 * 10. / 14);
    for (int i = 0; i < 10; i++) {
        NEAR((double)m.row_cost[i], i < 5 ? 1 : 10, 1e-5);
    }
    halo_row_cost_destroy(&row_cost);
}

TEST("no rows")
{
    halo_row_cost *row_cost = start(0);
    for (int i = 0; i < 3; i++) {
        halo_row_cost_begin_superstep(row_cost, 2);
        check(halo_row_cost_piece_end(row_cost, 0, 5) == 5, "pieces of no rows");
        halo_row_cost_end_superstep(row_cost, 0);
    }
    check(halo_row_cost_has_measured(row_cost), "who has no rows takes part in plans");
    halo_measured m = take(row_cost, 2, 4, 0);
    check(m.rows == 0 && m.blocks == 0 && m.noise_seconds == 0, "%d blocks", m.blocks);
    halo_row_cost_destroy(&row_cost);
}

/* Other rows: nothing of the former ones is left, and the first superstep counts. */
TEST("other rows")
{
    halo_row_cost *row_cost = start_warm(100);
    superstep(row_cost, 100, 5000);
    halo_row_cost_set_rows(row_cost, 70);
    check(!halo_row_cost_has_measured(row_cost), "measured with other rows");
    halo_row_cost_begin_superstep(row_cost, 1);
    step(row_cost, 0, 70);
    halo_row_cost_end_superstep(row_cost, 0);
    check(halo_row_cost_has_measured(row_cost), "not measured since rows moved");
    halo_measured m = take(row_cost, 1, 1, cost_of(0, 70));
    expect_blocks(&m, 70);
    halo_row_cost_destroy(&row_cost);
}

/* ---- how often blocks are looked at ---------------------------------------------------------- */

/* Supersteps of 1000 s, 64 blocks: 65 readings may cost 2 s of all supersteps in between. */
TEST("how often blocks are looked at")
{
    enum { ROWS = 64, SUPERSTEPS = 500 };
    static const double readings[] = {0, .01, .1, .4};
    for (int n = 0; n < 4; n++) {
        reading = readings[n];
        halo_row_cost *row_cost = start(ROWS);
        double every = fmax(1, ceil(65 * reading / 2));
        int looks = 0;
        for (int i = 0; i < SUPERSTEPS; i++) {
            halo_row_cost_begin_superstep(row_cost, 1);
            halo_row_cost_begin(row_cost, 0, ROWS, 0, 1);
            looks += halo_row_cost_piece_end(row_cost, 0, ROWS) == 1;
            now += 1000;
            halo_row_cost_end(row_cost);
            halo_row_cost_end_superstep(row_cost, 0);
        }
        /* The first two are looked at in any case. */
        double wanted = SUPERSTEPS / every;
        check(looks >= wanted - 1 && looks <= wanted + 2,
              "%d looks in %d supersteps when a reading takes %g s", looks, SUPERSTEPS, reading);
        halo_measured m;
        halo_row_cost_take(row_cost, &m);
        CU_ASSERT_EQUAL(m.supersteps, SUPERSTEPS - 1);
        NEAR((double)m.row_cost[0] * ROWS / 1000, 1, .01);
        halo_row_cost_destroy(&row_cost);
        reading = 0;
    }
}

/* The last known costs are returned again until there are new ones. */
TEST("blocks that are known")
{
    enum { ROWS = 64 };
    halo_measured m;
    reading = 1;
    halo_row_cost *row_cost = start_warm(ROWS);
    superstep(row_cost, ROWS, 2000); /* looked at, and so are none of those that follow */
    for (int i = 0; i < 2; i++) {
        halo_row_cost_take(row_cost, &m);
        CU_ASSERT_EQUAL(m.blocks, i == 0 ? ROWS : 0);
        NEAR(i == 0 ? (double)m.row_cost[5] * ROWS / 2000 : 1, 1, .01);
        superstep(row_cost, ROWS, 10);
    }
    reading = 0;
    halo_row_cost_destroy(&row_cost);
}

TEST("without blocks")
{
    halo_row_cost *row_cost = start(64);
    halo_row_cost_ignore_blocks(row_cost);
    superstep(row_cost, 64, 1000);
    halo_row_cost_begin_superstep(row_cost, 1);
    check(step(row_cost, 0, 64) == 1, "in pieces");
    halo_row_cost_end_superstep(row_cost, 0);
    halo_measured m = take(row_cost, 1, 1, cost_of(0, 64));
    CU_ASSERT_EQUAL(m.blocks, 0);
    halo_row_cost_destroy(&row_cost);
}
