#include "base/number.h"

#include "base/scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double BEYOND = 0x1p64; /* the least magnitude that is none of 64 bits */

halo_number halo_number_of(double value)
{
    halo_number number = {.value = value};
    number.whole = fabs(value) < BEYOND && !(floor(value) < value);
    if (number.whole) {
        number.negative = value < 0;
        number.magnitude = (uint64_t)fabs(value);
    }
    return number;
}

/* The digits at `text`, if they are all of a number of 64 bits that ends at `end`. */
static bool scan_digits(const char *text, const char *end, uint64_t *out)
{
    enum { TEN = 10 };
    *out = 0;
    for (; text < end; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || *out > (UINT64_MAX - digit) / TEN) {
            return false;
        }
        *out = TEN * *out + digit;
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
    bool negative = *begin == '-';
    uint64_t magnitude;
    if (scan_digits(begin + negative, *text, &magnitude)) {
        out->whole = true;
        out->negative = negative && magnitude > 0;
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

/* -1, 0, 1: the double is less than the number, which is whole, equal, or greater. */
static int compare(double value, const halo_number *number)
{
    bool negative = value < 0;
    if (fabs(value) >= BEYOND) {
        return negative ? -1 : 1;
    }
    uint64_t magnitude = (uint64_t)fabs(value);
    if (negative != number->negative) {
        return negative ? -1 : 1;
    }
    int larger = (magnitude > number->magnitude) - (magnitude < number->magnitude);
    return negative ? -larger : larger;
}

bool halo_number_equal(const halo_number *a, const halo_number *b)
{
    bool same = a->value >= b->value && a->value <= b->value;
    return a->whole && b->whole
               ? a->magnitude == b->magnitude && (a->negative == b->negative || a->magnitude == 0)
               : same && a->whole == b->whole;
}

double halo_number_to_double(const halo_number *number, bool down)
{
    double value = number->value;
    int is = number->whole ? compare(value, number) : 0;
    return down ? (is > 0 ? nextafter(value, -HUGE_VAL) : value)
                : (is < 0 ? nextafter(value, HUGE_VAL) : value);
}

bool halo_number_to_whole(const halo_number *number, bool down, bool *negative, uint64_t *magnitude)
{
    if (number->whole) {
        *negative = number->negative;
        *magnitude = number->magnitude;
        return true;
    }
    double whole = down ? floor(number->value) : ceil(number->value);
    *negative = whole < 0;
    *magnitude = fabs(whole) < BEYOND ? (uint64_t)fabs(whole) : 0;
    return fabs(whole) < BEYOND;
}
