#ifndef HALOBEAT_LIFE_SOUP_H
#define HALOBEAT_LIFE_SOUP_H

#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

/* Random cells from a counter-based generator: every word can be computed by itself, so that every
 * rank computes its own rows and no result depends on the number of ranks.
 *
 * Numbers are those of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom
 * number generators, OOPSLA 2014). Row y of a soup has a generator of its own, seeded with number y
 * (from 0) of the generator seeded with the soup's seed. Its numbers 32 w to 32 w + 31 belong to
 * word w of the row, cells 64 w to 64 w + 63: their bits b are, most significant first, the binary
 * fraction of cell 64 w + b, 32 digits long. A cell is alive if its fraction is less than the
 * chance. A wider or higher soup thus contains the cells of a smaller one with the same seed. */

/* Local. Writes one plain row of `width` cells (at least 1; bit x % 64 of word x / 64), row number
 * `row` of the soup, to `out`, by the variant for `instructions`, "avx512", "avx2" or "plain"
 * (NULL: the best). Bits past the width are 0. False, with nothing done, if this machine or this
 * build does not have them. */
bool life_soup_row(const char *instructions, uint64_t seed, uint64_t chance, int64_t row,
                   int64_t width, uint64_t *out);

#endif
