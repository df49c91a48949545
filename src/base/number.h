#ifndef HALOBEAT_BASE_NUMBER_H
#define HALOBEAT_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* A number as it was written. A double holds whole numbers up to 2^53 exactly; identifiers and
 * labels are often larger, so that whole ones are kept as they are. Zero-initialised: 0. */
typedef struct {
    double value;       /* the nearest double */
    bool whole;         /* it is a whole number from -(2^64 - 1) to 2^64 - 1, */
    bool fraction;      /* or one of those and a fraction: */
    bool negative;      /* of this sign */
    uint64_t magnitude; /* and this magnitude, without the fraction */
} halo_number;

enum { HALO_NUMBER_TEXT = 32 }; /* bytes of the text of a number */

/* Local, pure. The number of a double. */
halo_number halo_number_of(double value);

/* Local. Reads a number from `min` to `max` at *text, and sets *text behind it; false, and *text as
 * it was, if there is none. Whole numbers keep all digits, however they are written: 1e19, 12.0. */
bool halo_scan_exact(const char **text, double min, double max, halo_number *out);

/* Local. Writes the number in decimal: whole ones with all digits, others with six. */
void halo_number_print(const halo_number *number, char text[HALO_NUMBER_TEXT]);

/* Local, pure. Numbers that are equal; NaN is to none. */
bool halo_number_equal(const halo_number *a, const halo_number *b);

/* Local, pure. The least double that is not less than the number, or with `down` the greatest one
 * that is not greater. */
double halo_number_to_double(const halo_number *number, bool down);

/* Local, pure. The least whole number that is not less than the number, or with `down` the greatest
 * one that is not greater: its sign and magnitude. False if it is beyond -(2^64 - 1) to 2^64 - 1.
 */
bool halo_number_to_whole(const halo_number *number, bool down, bool *negative,
                          uint64_t *magnitude);

/* Local, pure. The number as an integer of so many bits, with or without a sign, in the low bits of
 * *out, of which those above are copies of the sign; false if it is none. */
bool halo_number_bits(const halo_number *number, bool is_signed, int bits, uint64_t *out);

#endif
