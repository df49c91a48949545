#include "partition/balance/chains.h"
#include "partition/cuts.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { MAX_RANKS = 7, MAX_ROWS = 30 };

typedef struct {
    double before[MAX_ROWS + 1], fixed[MAX_RANKS], speed[MAX_RANKS];
    halo_chains chains;
} chain_case;

static void make_case(uint64_t *random, int64_t min, chain_case *made)
{
    int ranks = 1 + (int)random_below(random, MAX_RANKS);
    int64_t rows = ranks * min + random_below(random, MAX_ROWS + 1 - ranks * min);
    bool uneven = random_below(random, 2) == 0, paid = random_below(random, 2) == 0;
    made->before[0] = 0;
    for (int64_t y = 0; y < rows; y++) {
        double cost = (double)random_below(random, uneven ? 100 : 2);
        made->before[y + 1] = made->before[y] + cost;
    }
    for (int p = 0; p < ranks; p++) {
        made->fixed[p] = paid ? (double)random_below(random, 60) : 0;
        made->speed[p] = .25 + (double)random_below(random, 16) / 4;
    }
    made->chains = (halo_chains){.rows = rows,
                                 .ranks = ranks,
                                 .before = made->before,
                                 .fixed = made->fixed,
                                 .speed = made->speed,
                                 .min_rows = min};
}

/* Brute force: the earliest end of ranks 0 to p on the first rows, tried with every last strip. */
static double earliest_end(const halo_chains *chains)
{
    double best[MAX_ROWS + 1], next[MAX_ROWS + 1];
    for (int64_t y = 0; y <= chains->rows; y++) {
        best[y] = y == 0 ? 0 : INFINITY;
    }
    for (int p = 0; p < chains->ranks; p++) {
        for (int64_t hi = 0; hi <= chains->rows; hi++) {
            next[hi] = INFINITY;
            for (int64_t lo = 0; lo <= hi - chains->min_rows; lo++) {
                double work = (chains->before[hi] - chains->before[lo]) / chains->speed[p];
                double end = hi > lo ? chains->fixed[p] + work : 0;
                next[hi] = fmin(next[hi], fmax(best[lo], end));
            }
        }
        memcpy(best, next, sizeof best);
    }
    return best[chains->rows];
}

static void check_min(const halo_chains *chains, const int64_t *cuts, int i)
{
    bool good = halo_cuts_are_valid(cuts, chains->ranks, chains->rows);
    for (int p = 0; p < chains->ranks; p++) {
        good = good && cuts[p + 1] - cuts[p] >= chains->min_rows;
    }
    check(good, "case %d: cuts of %d ranks", i, chains->ranks);
}

static void solve_cases(int cases, int64_t max_min)
{
    uint64_t random = 7;
    for (int i = 0; i < cases; i++) {
        chain_case made;
        int64_t cuts[MAX_RANKS + 1];
        double seconds;
        make_case(&random, random_below(&random, max_min + 1), &made);
        const halo_chains *chains = &made.chains;
        random_cuts(&random, chains->rows, chains->ranks, 1, cuts);
        SUCCEEDS(halo_chains_solve(chains, cuts, &seconds));
        check_min(chains, cuts, i);
        double best = earliest_end(chains), found = halo_chains_seconds(chains, cuts, NULL);
        check(found == seconds, "case %d: %.17g said, %.17g found", i, seconds, found);
        check(found <= best * (1 + 1e-6), "case %d: %g, but %g is possible", i, found, best);
    }
}

TEST("as early as brute force, empty strips allowed")
{
    solve_cases(4000, 0);
}

TEST("as early as brute force, with a least width")
{
    solve_cases(4000, 3);
}

/* The greedy probe is far off here: the fast rank's second row leaves the slow one a row too
 * costly for it. */
TEST("a costly row for a slow rank")
{
    const double before[] = {0, 1, 2, 12, 13}, fixed[3] = {0}, speed[] = {2, 1, 10};
    halo_chains chains = {4, 3, before, fixed, speed, 1};
    int64_t cuts[] = {0, 2, 3, 4};
    double seconds;
    SUCCEEDS(halo_chains_solve(&chains, cuts, &seconds));
    CU_ASSERT_TRUE(fabs(seconds - 1.1) < 1e-6 && cuts[1] == 1 && cuts[2] == 2);
}

static int64_t distance(const int64_t *a, const int64_t *b, int ranks)
{
    int64_t sum = 0;
    for (int p = 0; p <= ranks; p++) {
        sum += a[p] < b[p] ? b[p] - a[p] : a[p] - b[p];
    }
    return sum;
}

/* Clipped cuts end in time, keep the least, and are never further from the old ones. */
TEST("clipped towards the old cuts")
{
    uint64_t random = 9;
    for (int i = 0; i < 4000; i++) {
        chain_case made;
        int64_t old[MAX_RANKS + 1], cuts[MAX_RANKS + 1], best[MAX_RANKS + 1];
        double seconds;
        make_case(&random, random_below(&random, 3), &made);
        const halo_chains *chains = &made.chains;
        int ranks = chains->ranks;
        halo_cuts_even(chains->rows, ranks, old);
        memcpy(cuts, old, sizeof cuts);
        SUCCEEDS(halo_chains_solve(chains, cuts, &seconds));
        memcpy(best, cuts, sizeof best);
        double limit = seconds * (1 + (double)random_below(&random, 30) / 100);
        halo_chains_clip(chains, limit, old, cuts);
        check_min(chains, cuts, i);
        check(halo_chains_seconds(chains, cuts, NULL) <= limit * (1 + 1e-12), "case %d: late", i);
        check(distance(cuts, old, ranks) <= distance(best, old, ranks), "case %d: further", i);
        memcpy(cuts, best, sizeof cuts);
        halo_chains_clip(chains, 1e9, old, cuts);
        check(distance(cuts, old, ranks) == 0, "case %d: not all the way back", i);
    }
}
