#ifndef HALOBEAT_LIFE_SOUP_H
#define HALOBEAT_LIFE_SOUP_H

#include <stdint.h>

/* Random cells from a counter-based generator: every word can be made by itself, so every rank
 * makes its own rows and no result depends on the number of ranks.
 *
 * Numbers are SplitMix64's (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number
 * generators, OOPSLA 2014) at the position that cell and draw name. */

/* The probability in units of 2^-32, rounded to nearest; 0 <= density <= 1. 2^32 is certainty. */
uint64_t life_soup_chance(double density);

/* Local. One plain row of `width` cells (bit x % 64 of word x / 64), row number `row` of the soup.
 * Bits beyond the width are 0. */
void life_soup_row(uint64_t seed, uint64_t chance, int64_t row, int64_t width, uint64_t *out);

#endif
