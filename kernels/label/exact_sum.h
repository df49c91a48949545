#ifndef HALOBEAT_LABEL_EXACT_SUM_H
#define HALOBEAT_LABEL_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* Exact sums of numbers, the same in any order: fixed point, with enough words for the type's
 * smallest number and for 2^59 times its largest (U. Kulisch: Computer arithmetic and validity,
 * 2008). Local; internal to the label kernel. */

__extension__ typedef __int128 label_wide;

/* words[0] is the lowest; negative sums are complements of two. */
typedef struct {
    int words;
    int low; /* the lowest bit counts 2^low */
} label_sum_format;

enum { LABEL_SUM_MAX_WORDS = 34 };

/* Of whole numbers of 8 to 64 bits, of floats, and of doubles. */
static const label_sum_format label_sum_of_whole = {2, 0}, label_sum_of_floats = {6, -149},
                              label_sum_of_doubles = {LABEL_SUM_MAX_WORDS, -1074};

/* Add value * 2^shift, where a number of the type is added whose lowest bit counts 2^(low + shift),
 * or a sum of such. */
void label_sum_add(uint64_t *sum, int words, label_wide value, int shift);

/* Add a finite number that the format has room for. */
void label_sum_add_real(uint64_t *sum, label_sum_format format, double value);

/* Add another sum. */
void label_sum_join(uint64_t *sum, const uint64_t *more, int words);

/* The sum over `count` (above 0), with roundings in its last place. */
double label_sum_mean(const uint64_t *sum, label_sum_format format, int64_t count);

/* Is a sum of whole numbers one of 64 bits? Then that is *value. */
bool label_sum_fits(const uint64_t *sum, int64_t *value);

#endif
