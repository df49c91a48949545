#ifndef HALOBEAT_BASE_EXACT_SUM_H
#define HALOBEAT_BASE_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* Exact sums of numbers, the same in any order: fixed point, with enough words for the type's
 * smallest number and for 2^59 times its largest (U. Kulisch: Computer arithmetic and validity,
 * 2008). Local. */

__extension__ typedef __int128 halo_wide;

/* words[0] is the lowest; negative sums are complements of two. */
typedef struct {
    int words;
    int low; /* the lowest bit counts 2^low */
} halo_sum_format;

enum { HALO_SUM_MAX_WORDS = 34 };

/* Of whole numbers of 8 to 64 bits, of floats, and of doubles. */
static const halo_sum_format halo_sum_of_whole = {2, 0}, halo_sum_of_floats = {6, -149},
                             halo_sum_of_doubles = {HALO_SUM_MAX_WORDS, -1074};

/* Add value * 2^shift, where a number of the type is added whose lowest bit counts 2^(low + shift),
 * or a sum of such. */
void halo_sum_add(uint64_t *sum, int words, halo_wide value, int shift);

/* Add a finite number that the format has room for. */
void halo_sum_add_real(uint64_t *sum, halo_sum_format format, double value);

/* Add another sum. */
void halo_sum_join(uint64_t *sum, const uint64_t *more, int words);

/* The sum over `count` (above 0), with roundings in its last place. */
double halo_sum_mean(const uint64_t *sum, halo_sum_format format, int64_t count);

/* Is a sum of whole numbers one of 64 bits? Then that is *value. */
bool halo_sum_fits(const uint64_t *sum, int64_t *value);

#endif
