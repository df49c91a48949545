#include "partition/cuts.h"
#include "partition/steps.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { MAX_PARTS = 12, MAX_CELLS = 60 };

/* Every cell comes from the same part or one beside it, and no boundary could have gone further. */
static bool is_step(const int64_t *from, const int64_t *to, int parts, const int64_t *next)
{
    for (int64_t cell = 0; cell < from[parts]; cell++) {
        int was = halo_cuts_find(from, parts, cell), is = halo_cuts_find(next, parts, cell);
        if (abs(was - is) > 1) {
            return false;
        }
    }
    for (int i = 1; i < parts; i++) {
        bool stopped = next[i] == from[to[i] > from[i] ? i + 1 : i - 1];
        bool towards = to[i] > from[i] ? next[i] >= from[i] && next[i] <= to[i]
                                       : next[i] <= from[i] && next[i] >= to[i];
        if (!towards || (next[i] != to[i] && !stopped)) {
            return false;
        }
    }
    return true;
}

/* Goes from one to the other; returns the steps it took. */
static int check_steps(const int64_t *from, const int64_t *to, int parts)
{
    int64_t now[MAX_PARTS + 1], next[MAX_PARTS + 1];
    size_t bytes = ((size_t)parts + 1) * sizeof(int64_t);
    memcpy(now, from, bytes);
    int steps = 0;
    for (; memcmp(now, to, bytes) != 0 && steps < parts; steps++) {
        if (!check(halo_cuts_steps(now, to, parts) == halo_cuts_steps(from, to, parts) - steps,
                   "%d of %d steps are left after %d", halo_cuts_steps(now, to, parts),
                   halo_cuts_steps(from, to, parts), steps)) {
            return steps;
        }
        halo_cuts_step(now, to, parts, next);
        CU_ASSERT_TRUE(halo_cuts_are_valid(next, parts, from[parts]));
        CU_ASSERT_TRUE(is_step(now, to, parts, next));
        memcpy(now, next, bytes);
    }
    check(memcmp(now, to, bytes) == 0, "%d parts are not there after %d steps", parts, steps);
    return steps;
}

TEST("steps between random cuts")
{
    uint64_t random = 1;
    int max = 0;
    for (int i = 0; i < 20000; i++) {
        int parts = 1 + (int)random_below(&random, MAX_PARTS);
        int64_t n = 1 + random_below(&random, MAX_CELLS);
        int64_t from[MAX_PARTS + 1], to[MAX_PARTS + 1];
        random_cuts(&random, n, parts, 1, from);
        random_cuts(&random, n, parts, 1, to);
        int steps = check_steps(from, to, parts);
        check(steps <= parts - 1, "%d steps among %d parts", steps, parts);
        max = steps > max ? steps : max;
    }
    check(max > 8, "no case took more than %d steps", max);
}

/* The longest way: everything from the last part to the first one and back. */
TEST("through empty parts")
{
    const int64_t last[] = {0, 0, 0, 0, 0, 9}, first[] = {0, 9, 9, 9, 9, 9};
    CU_ASSERT_EQUAL(check_steps(last, first, 5), 4);
    CU_ASSERT_EQUAL(check_steps(first, last, 5), 4);
    CU_ASSERT_EQUAL(check_steps(first, first, 5), 0);
    int64_t next[6];
    halo_cuts_step(last, first, 5, next);
    CU_ASSERT_EQUAL(memcmp(next, (const int64_t[]){0, 0, 0, 0, 9, 9}, sizeof next), 0);
}

TEST("a single part")
{
    const int64_t cuts[] = {0, 7};
    int64_t next[2] = {-1, -1};
    halo_cuts_step(cuts, cuts, 1, next);
    CU_ASSERT_TRUE(next[0] == 0 && next[1] == 7);
    CU_ASSERT_EQUAL(halo_cuts_steps(cuts, cuts, 1), 0);
    CU_ASSERT_FALSE(halo_cuts_steps_pay(cuts, cuts, 1, 1));
}

/* The documented price of one hand-over, counted cell by cell. */
static double price(const int64_t *from, const int64_t *to, int parts, double bytes)
{
    double max = 0;
    for (int part = 0; part < parts; part++) {
        int64_t cells[2][MAX_PARTS] = {{0}}; /* out, in */
        for (int64_t cell = 0; cell < from[parts]; cell++) {
            int was = halo_cuts_find(from, parts, cell), is = halo_cuts_find(to, parts, cell);
            cells[0][is] += was == part && is != part;
            cells[1][was] += is == part && was != part;
        }
        double sum = 0;
        for (int other = 0; other < parts; other++) {
            double contact = abs(other - part) == 1 ? 16384 : 1048576;
            for (int way = 0; way < 2; way++) {
                sum += cells[way][other] > 0 ? contact + (double)cells[way][other] * bytes : 0;
            }
        }
        max = sum > max ? sum : max;
    }
    return max;
}

TEST("predictions as documented")
{
    uint64_t random = 2;
    int pays = 0, cases = 4000;
    for (int i = 0; i < cases; i++) {
        int parts = 1 + (int)random_below(&random, MAX_PARTS);
        int64_t n = 1 + random_below(&random, MAX_CELLS);
        int64_t from[MAX_PARTS + 1], to[MAX_PARTS + 1], now[MAX_PARTS + 1];
        random_cuts(&random, n, parts, 1, from);
        random_cuts(&random, n, parts, 1, to);
        double bytes = (double)((int64_t)1 << random_below(&random, 24)), stepwise = 0;
        memcpy(now, from, sizeof now);
        int steps = halo_cuts_steps(from, to, parts);
        for (int step = 0; step < steps; step++) {
            int64_t next[MAX_PARTS + 1];
            halo_cuts_step(now, to, parts, next);
            stepwise += price(now, next, parts, bytes);
            memcpy(now, next, sizeof now);
        }
        bool expected = steps > 1 && stepwise < price(from, to, parts, bytes);
        check(halo_cuts_steps_pay(from, to, parts, bytes) == expected,
              "case %d: %d steps of %g bytes for %g bytes at once", i, steps, stepwise,
              price(from, to, parts, bytes));
        pays += expected;
    }
    check(pays > cases / 20 && pays < cases * 19 / 20, "%d of %d are cheaper in steps", pays,
          cases);
}
