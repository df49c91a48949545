#include "partition/balance/chains.h"

#include <string.h>

/* The greedy probe takes as many rows as it can. With min_rows that can be wrong: the next
 * rank may then have to begin with a row too costly for it. Here every cut that can be reached is
 * known, not the furthest only. */

/* Mark the cuts after `rank` that can be reached from those before it. Where a rank can begin
 * later it can also end later, so that both ends of the marked range only go up. */
static void advance(const halo_chains *chains, int rank, double seconds, const unsigned char *from,
                    unsigned char *to)
{
    int64_t end = 0, marked = 0; /* all from `lo` + min_rows to `end` are in time; marked up to */
    for (int64_t lo = 0; lo <= chains->rows; lo++) {
        if (!from[lo]) {
            continue;
        }
        end = end < lo ? lo : end;
        while (end < chains->rows &&
               halo_chains_rank_seconds(chains, rank, lo, end + 1) <= seconds) {
            end++;
        }
        int64_t first = lo + chains->min_rows;
        first = first < marked ? marked : first;
        for (int64_t hi = first; hi <= end; hi++) {
            to[hi] = 1;
        }
        marked = end + 1 > marked ? end + 1 : marked;
    }
}

bool halo_chains_few_pack(const halo_chains *chains, double seconds, unsigned char *reached,
                          int64_t *cuts)
{
    size_t width = (size_t)chains->rows + 1;
    int ranks = chains->ranks;
    memset(reached, 0, ((size_t)ranks + 1) * width);
    reached[0] = 1;
    for (int p = 0; p < ranks; p++) {
        advance(chains, p, seconds, reached + (size_t)p * width, reached + ((size_t)p + 1) * width);
    }
    if (!reached[(size_t)ranks * width + width - 1]) {
        return false;
    }
    cuts[ranks] = chains->rows;
    for (int p = ranks - 1; p >= 0; p--) {
        int64_t lo = cuts[p + 1] - chains->min_rows;
        while (!reached[(size_t)p * width + (size_t)lo] ||
               halo_chains_rank_seconds(chains, p, lo, cuts[p + 1]) > seconds) {
            lo--;
        }
        cuts[p] = lo;
    }
    return true;
}
