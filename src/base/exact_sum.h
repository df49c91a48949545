#ifndef HALOBEAT_BASE_EXACT_SUM_H
#define HALOBEAT_BASE_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* Exact sums of numbers, independent of their order: fixed point, with enough words for the type's
 * smallest number and for 2^59 times its largest (U. Kulisch: Computer arithmetic and validity,
 * 2008). Local. */

__extension__ typedef __int128 halo_wide;

/* Format of a sum. words[0] is the least significant; negative sums are in two's complement. */
typedef struct {
    int words;
    int low; /* the least significant bit has the value 2^low */
} halo_sum_format;

enum { HALO_SUM_MAX_WORDS = 35 };

/* For integers of 8 to 64 bits, floats, and doubles. */
static const halo_sum_format halo_sum_of_whole = {2, 0}, halo_sum_of_floats = {6, -149},
                             halo_sum_of_doubles = {34, -1074};

/* The same for their squares; those of doubles that overflow are no numbers. */
static const halo_sum_format halo_sum_of_whole_squares = {4, 0},
                             halo_sum_of_float_squares = {10, -298},
                             halo_sum_of_double_squares = {34, -1074};

/* Adds value * 2^(low + shift). */
void halo_sum_add(uint64_t *sum, int words, halo_wide value, int shift);

/* Adds a finite number that fits the format. */
void halo_sum_add_real(uint64_t *sum, halo_sum_format format, double value);

/* Adds the finite ones of `count` doubles to a sum of doubles. */
void halo_sum_add_doubles(uint64_t *sum, const double *values, int64_t count);

/* Adds another sum. */
void halo_sum_join(uint64_t *sum, const uint64_t *more, int words);

/* The sum divided by `count` (above 0), with rounding errors in the last place. */
double halo_sum_mean(const uint64_t *sum, halo_sum_format format, int64_t count);

/* The standard deviation of `count` numbers (above 0) from their sum and the sum of their squares,
 * computed exactly and rounded at the end. The formats are those of one type. HALO_SUM_MAX_WORDS
 * words at most. */
double halo_sum_deviation(const uint64_t *sum, halo_sum_format format, const uint64_t *squares,
                          halo_sum_format squares_format, int64_t count);

/* True if a sum of integers fits 64 bits; *value is then set. */
bool halo_sum_fits(const uint64_t *sum, int64_t *value);

#endif
