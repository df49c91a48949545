#include "partition/balance/chains.h"

#include "base/memory.h"
#include "partition/cuts.h"

#include <stdlib.h>
#include <string.h>

enum {
    BISECTIONS = 60,
    SWEEPS = 24,          /* of clipping; what is left then is little */
    FEW_ROWS = 8,         /* a rank, below which greedy cuts may be far off */
    FEW_CELLS = 1 << 20,  /* cuts * rows that dynamic programming has time for then, */
    SMALL_CELLS = 1 << 13 /* and otherwise */
};

static const double accuracy = 1e-7;

double halo_chains_rank_seconds(const halo_chains *chains, int rank, int64_t lo, int64_t hi)
{
    double work = chains->before[hi] - chains->before[lo];
    return hi > lo ? chains->fixed[rank] + work / chains->speed[rank] : 0;
}

double halo_chains_seconds(const halo_chains *chains, const int64_t *cuts, int *last)
{
    double max = -1;
    for (int p = 0; p < chains->ranks; p++) {
        double seconds = halo_chains_rank_seconds(chains, p, cuts[p], cuts[p + 1]);
        if (seconds > max) {
            max = seconds;
            if (last != NULL) {
                *last = p;
            }
        }
    }
    return max;
}

/* The furthest row that a rank reaches from `lo` in time. */
static int64_t reach(const halo_chains *chains, int rank, int64_t lo, double seconds)
{
    double budget = (seconds - chains->fixed[rank]) * chains->speed[rank];
    if (budget < 0) {
        return lo;
    }
    double end = chains->before[lo] + budget;
    int64_t in = lo, out = chains->rows + 1; /* before[in] <= end < before[out] */
    for (int64_t step = 1; in + step < out; step *= 2) {
        if (chains->before[in + step] <= end) {
            in += step;
        } else {
            out = in + step;
            break;
        }
    }
    while (out - in > 1) {
        int64_t middle = in + (out - in) / 2;
        if (chains->before[middle] <= end) {
            in = middle;
        } else {
            out = middle;
        }
    }
    return in;
}

/* The first row from which a rank reaches `hi` in time. */
static int64_t reach_back(const halo_chains *chains, int rank, int64_t hi, double seconds)
{
    double budget = (seconds - chains->fixed[rank]) * chains->speed[rank];
    if (budget < 0) {
        return hi;
    }
    int64_t out = -1, in = hi;
    while (in - out > 1) {
        int64_t middle = out + (in - out) / 2;
        if (chains->before[hi] <= chains->before[middle] + budget) {
            in = middle;
        } else {
            out = middle;
        }
    }
    return in;
}

/* Packs greedily: each rank takes rows while it finishes within `seconds`, and at least min_rows.
 * False if not all rows are placed in time. With min_rows above 0 and few rows per rank, a packing
 * may exist that this does not find. `cuts` [ranks + 1] is always written. */
static bool probe(const halo_chains *chains, double seconds, int64_t *cuts)
{
    bool good = true;
    cuts[0] = 0;
    for (int p = 0; p < chains->ranks; p++) {
        int64_t max = chains->rows - (chains->ranks - 1 - p) * chains->min_rows;
        int64_t next = reach(chains, p, cuts[p], seconds);
        int64_t needed = cuts[p] + chains->min_rows;
        good = good && next >= needed;
        next = next < needed ? needed : next;
        cuts[p + 1] = next < max ? next : max;
    }
    good = good && cuts[chains->ranks] == chains->rows;
    cuts[chains->ranks] = chains->rows;
    return good;
}

static bool pack(const halo_chains *chains, double seconds, unsigned char *reached, int64_t *cuts)
{
    return reached != NULL ? halo_chains_few_pack(chains, seconds, reached, cuts)
                           : probe(chains, seconds, cuts);
}

/* No plan ends before all the work shared by all the speed. */
static double lower_bound(const halo_chains *chains)
{
    double speeds = 0;
    for (int p = 0; p < chains->ranks; p++) {
        speeds += chains->speed[p];
    }
    return chains->before[chains->rows] / speeds;
}

static bool has_min(const halo_chains *chains, const int64_t *cuts)
{
    for (int p = 0; p < chains->ranks; p++) {
        if (cuts[p + 1] - cuts[p] < chains->min_rows) {
            return false;
        }
    }
    return true;
}

static void bisect(const halo_chains *chains, unsigned char *reached, int64_t *trial, int64_t *cuts,
                   double *seconds)
{
    size_t bytes = ((size_t)chains->ranks + 1) * sizeof *cuts;
    double low = lower_bound(chains), high = *seconds;
    for (int i = 0; i < BISECTIONS && high - low > accuracy * high; i++) {
        double middle = low + (high - low) / 2;
        if (!pack(chains, middle, reached, trial)) {
            low = middle;
            continue;
        }
        double found = halo_chains_seconds(chains, trial, NULL);
        memcpy(cuts, trial, bytes);
        high = found < middle ? found : middle;
        *seconds = found;
    }
}

/* Could other cuts be better than greedy ones, and is there time to look at all? Without min_rows
 * the greedy ones are the best, and no others end before those. */
static bool wants_all(const halo_chains *chains, double seconds, int64_t *trial)
{
    int64_t rows = chains->rows, ranks = chains->ranks;
    int64_t max = rows < FEW_ROWS * ranks ? FEW_CELLS : SMALL_CELLS;
    halo_chains relaxed = *chains;
    relaxed.min_rows = 0;
    return chains->min_rows > 0 && (rows + 1) * (ranks + 1) <= max &&
           probe(&relaxed, seconds * (1 - 1e-6), trial);
}

static void cut_evenly(const halo_chains *chains, int64_t *cuts)
{
    int64_t spare = chains->rows - chains->ranks * chains->min_rows;
    halo_cuts_even(spare, chains->ranks, cuts);
    for (int p = 0; p <= chains->ranks; p++) {
        cuts[p] += p * chains->min_rows;
    }
}

halo_status halo_chains_solve(const halo_chains *chains, int64_t *cuts, double *seconds)
{
    size_t ranks = (size_t)chains->ranks, rows = (size_t)chains->rows;
    halo_status status = HALO_OK;
    unsigned char *reached = NULL;
    int64_t *trial;
    HALO_TRY(HALO_ALLOCATE(trial, ranks + 1, "planned cuts"));
    if (!has_min(chains, cuts)) {
        cut_evenly(chains, cuts);
    }
    *seconds = halo_chains_seconds(chains, cuts, NULL);
    bisect(chains, NULL, trial, cuts, seconds);
    if (wants_all(chains, *seconds, trial)) {
        HALO_TRY_OR(done, HALO_ALLOCATE(reached, (ranks + 1) * (rows + 1), "cuts in reach"));
        bisect(chains, reached, trial, cuts, seconds);
    }
done:
    free(reached);
    free(trial);
    return status;
}

/* Move one cut towards its old place as far as both its neighbours allow. */
static bool clip_one(const halo_chains *chains, double seconds, const int64_t *old, int p,
                     int64_t *cuts)
{
    int64_t max = cuts[p + 1] - chains->min_rows, min = cuts[p - 1] + chains->min_rows, to = old[p];
    if (to > cuts[p]) {
        int64_t last = reach(chains, p - 1, cuts[p - 1], seconds);
        last = last < max ? last : max;
        to = to < last ? to : last;
        to = to > cuts[p] ? to : cuts[p];
    } else if (to < cuts[p]) {
        int64_t first = reach_back(chains, p, cuts[p + 1], seconds);
        first = first > min ? first : min;
        to = to > first ? to : first;
        to = to < cuts[p] ? to : cuts[p];
    }
    bool moved = to != cuts[p];
    cuts[p] = to;
    return moved;
}

void halo_chains_clip(const halo_chains *chains, double seconds, const int64_t *old, int64_t *cuts)
{
    bool moved = true;
    for (int sweep = 0; moved && sweep < SWEEPS; sweep++) {
        moved = false;
        for (int i = 1; i < chains->ranks; i++) {
            int p = sweep % 2 == 0 ? i : chains->ranks - i;
            moved = clip_one(chains, seconds, old, p, cuts) || moved;
        }
    }
}
