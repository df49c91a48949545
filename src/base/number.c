#include "base/number.h"

#include "base/scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double BEYOND = 0x1p64; /* the least magnitude that is none of 64 bits */

halo_number halo_number_of(double value)
{
    halo_number number = {.value = value};
    if (fabs(value) < BEYOND) {
        number.whole = !(floor(value) < value);
        number.fraction = !number.whole;
        number.negative = value < 0;
        number.magnitude = (uint64_t)fabs(value);
    }
    return number;
}

/* The digits of a decimal number, and the number of those before its point; with an exponent, that
 * may be below 0 or beyond the last digit. */
typedef struct {
    const char *digits; /* a point may stand among them */
    int64_t count, before;
} decimal;

static decimal read_decimal(const char *text, const char *end)
{
    enum { LONGEST = 1 << 20 };
    decimal d = {.digits = text};
    bool point = false;
    for (; text < end && *text != 'e' && *text != 'E'; text++) {
        point = point || *text == '.';
        d.count += *text != '.';
        d.before += !point;
    }
    if (text < end) {
        long exponent = strtol(text + 1, NULL, 10);
        d.before += exponent > LONGEST ? LONGEST : exponent < -LONGEST ? -LONGEST : exponent;
    }
    return d;
}

/* Sets the magnitude, and whether a fraction is behind it; false for one beyond 64 bits. */
static bool take_decimal(const decimal *d, uint64_t *magnitude, bool *fraction)
{
    enum { TEN = 10 };
    const char *at = d->digits;
    *magnitude = 0;
    *fraction = false;
    for (int64_t i = 0; i < d->count || i < d->before; i++) {
        at += i < d->count && *at == '.';
        uint64_t digit = i < d->count ? (uint64_t)(*at++ - '0') : 0;
        if (i >= d->before) {
            *fraction = *fraction || digit > 0;
        } else if (*magnitude > (UINT64_MAX - digit) / TEN) {
            return false;
        } else {
            *magnitude = TEN * *magnitude + digit;
        }
    }
    return true;
}

bool halo_scan_exact(const char **text, double min, double max, halo_number *out)
{
    const char *begin = *text;
    double value;
    if (!halo_scan_number(text, min, max, &value)) {
        return false;
    }
    *out = halo_number_of(value);
    bool negative = *begin == '-', fraction;
    uint64_t magnitude;
    const decimal d = read_decimal(begin + negative, *text);
    if (take_decimal(&d, &magnitude, &fraction)) {
        out->whole = !fraction;
        out->fraction = fraction;
        out->negative = negative && (magnitude > 0 || fraction);
        out->magnitude = magnitude;
    }
    return true;
}

void halo_number_print(const halo_number *number, char text[HALO_NUMBER_TEXT])
{
    if (number->whole) {
        snprintf(text, HALO_NUMBER_TEXT, "%s%" PRIu64, number->negative ? "-" : "",
                 number->magnitude);
    } else {
        snprintf(text, HALO_NUMBER_TEXT, "%g", number->value);
    }
}

/* -1, 0, 1: the double is less than the number, equal, or greater. Those below 2^53 have no whole
 * doubles beside them that could be nearer. */
static int compare(double value, const halo_number *number)
{
    const double exact = 0x1p53;
    bool negative = value < 0;
    if (!number->whole && (!number->fraction || fabs(value) < exact)) {
        return 0;
    }
    if (fabs(value) >= BEYOND) {
        return negative ? -1 : 1;
    }
    uint64_t magnitude = (uint64_t)fabs(value);
    if (negative != number->negative) {
        return negative ? -1 : 1;
    }
    int larger = (magnitude > number->magnitude) - (magnitude < number->magnitude);
    larger = larger == 0 && number->fraction ? -1 : larger;
    return negative ? -larger : larger;
}

bool halo_number_equal(const halo_number *a, const halo_number *b)
{
    bool same = a->value >= b->value && a->value <= b->value;
    return a->whole && b->whole
               ? a->magnitude == b->magnitude && (a->negative == b->negative || a->magnitude == 0)
               : same && a->whole == b->whole && a->magnitude == b->magnitude;
}

double halo_number_to_double(const halo_number *number, bool down)
{
    double value = number->value;
    int is = compare(value, number);
    return down ? (is > 0 ? nextafter(value, -HUGE_VAL) : value)
                : (is < 0 ? nextafter(value, HUGE_VAL) : value);
}

bool halo_number_to_whole(const halo_number *number, bool down, bool *negative, uint64_t *magnitude)
{
    bool away = number->fraction && down == number->negative; /* from 0 */
    *magnitude = number->magnitude + away;
    *negative = number->negative && *magnitude > 0;
    bool beyond = !number->whole && !number->fraction && !(fabs(number->value) < BEYOND);
    return !beyond && !(away && *magnitude == 0);
}

bool halo_number_bits(const halo_number *number, bool is_signed, int bits, uint64_t *out)
{
    uint64_t most = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    *out = number->negative ? UINT64_C(0) - number->magnitude : number->magnitude;
    return number->whole && number->magnitude <= most + (is_signed && number->negative ? 1 : 0) &&
           (is_signed || !number->negative);
}
