#include "base/exact_sum.h"

#include <math.h>
#include <string.h>

enum { WORD_BITS = 64, FRACTION_BITS = 52, EXPONENTS = 0x7ff, LOWEST = -1074 };

__extension__ typedef unsigned __int128 unsigned_wide;

void halo_sum_add(uint64_t *sum, int words, halo_wide value, int shift)
{
    int at = shift / WORD_BITS, by = shift % WORD_BITS;
    uint64_t sign = value < 0 ? UINT64_MAX : 0;
    unsigned_wide low = (unsigned_wide)value << by;
    uint64_t high = by == 0 ? sign : (uint64_t)(value >> (2 * WORD_BITS - by));
    const uint64_t parts[] = {(uint64_t)low, (uint64_t)(low >> WORD_BITS), high};
    uint64_t carry = 0;
    for (int i = 0; at + i < words; i++) {
        uint64_t part = i < 3 ? parts[i] : sign;
        if (i >= 3 && (sign == 0 ? carry == 0 : carry == 1)) {
            break; /* nothing changes any more */
        }
        unsigned_wide now = (unsigned_wide)sum[at + i] + part + carry;
        sum[at + i] = (uint64_t)now;
        carry = (uint64_t)(now >> WORD_BITS);
    }
}

void halo_sum_add_real(uint64_t *sum, halo_sum_format format, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> FRACTION_BITS) & EXPONENTS;
    int64_t fraction = (int64_t)(bits & ((UINT64_C(1) << FRACTION_BITS) - 1));
    fraction |= exponent > 0 ? INT64_C(1) << FRACTION_BITS : 0;
    int shift = (exponent > 0 ? exponent - 1 : 0) + LOWEST - format.low;
    if (shift < 0) { /* a float as a double: the bits that go are 0 */
        fraction >>= shift > -WORD_BITS ? -shift : WORD_BITS - 1;
        shift = 0;
    }
    halo_sum_add(sum, format.words, signbit(value) ? -fraction : fraction, shift);
}

/* A stretch of numbers is added up in 128 bits before its sum is added to the long one: as long as
 * they are no smaller than the largest by 2^WINDOW. */
enum { STRETCH_BITS = 9, STRETCH = 1 << STRETCH_BITS };
enum { WINDOW = 2 * WORD_BITS - 1 - (FRACTION_BITS + 1) - STRETCH_BITS };

static int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void add_stretch(uint64_t *sum, const double *values, int64_t count)
{
    int64_t largest = 0;
    halo_wide all = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t size = bits_of(values[i]) & INT64_MAX;
        largest = size > largest ? size : largest;
    }
    int64_t base = (largest >> FRACTION_BITS) - WINDOW;
    base = base > 1 ? base : 1;
    for (int64_t i = 0; i < count; i++) {
        int64_t bits = bits_of(values[i]), exponent = bits >> FRACTION_BITS & EXPONENTS;
        int64_t fraction = (bits & ((INT64_C(1) << FRACTION_BITS) - 1)) | INT64_C(1)
                                                                              << FRACTION_BITS;
        if (exponent >= base && exponent < EXPONENTS) {
            halo_wide size = (halo_wide)fraction << (exponent - base);
            all += bits < 0 ? -size : size;
        } else if (exponent < base) {
            halo_sum_add_real(sum, halo_sum_of_doubles, values[i]);
        }
    }
    halo_sum_add(sum, halo_sum_of_doubles.words, all, (int)base - 1);
}

void halo_sum_add_doubles(uint64_t *sum, const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i += STRETCH) {
        add_stretch(sum, values + i, count - i < STRETCH ? count - i : STRETCH);
    }
}

void halo_sum_join(uint64_t *sum, const uint64_t *more, int words)
{
    uint64_t carry = 0;
    for (int i = 0; i < words; i++) {
        unsigned_wide now = (unsigned_wide)sum[i] + more[i] + carry;
        sum[i] = (uint64_t)now;
        carry = (uint64_t)(now >> WORD_BITS);
    }
}

static void negate(const uint64_t *sum, uint64_t *out, int words)
{
    uint64_t carry = 1;
    for (int i = 0; i < words; i++) {
        out[i] = ~sum[i] + carry;
        carry = carry == 1 && out[i] == 0 ? 1 : 0;
    }
}

double halo_sum_mean(const uint64_t *sum, halo_sum_format format, int64_t count)
{
    uint64_t size[HALO_SUM_MAX_WORDS];
    int words = format.words, top = words - 1;
    bool negative = sum[top] >> (WORD_BITS - 1) != 0;
    if (negative) {
        negate(sum, size, words);
    } else {
        memcpy(size, sum, (size_t)words * sizeof *sum);
    }
    while (top > 0 && size[top] == 0) {
        top--;
    }
    if (size[top] == 0) {
        return 0;
    }
    /* The highest 64 bits, of which the lowest says whether anything follows: as a double they are
     * rounded as the whole sum would be. */
    int by = __builtin_clzll(size[top]);
    uint64_t below = top > 0 ? size[top - 1] : 0;
    uint64_t bits = size[top] << by | (by > 0 ? below >> (WORD_BITS - by) : 0);
    bool more = by < WORD_BITS && below << by != 0;
    for (int i = 0; i < top - 1; i++) {
        more = more || size[i] != 0;
    }
    double mean = (double)(bits | more) / (double)count;
    return ldexp(negative ? -mean : mean, WORD_BITS * top - by + format.low);
}

/* ---- standard deviation ---------------------------------------------------------------------- */

/* The square of a sum of 34 words, or squares of the same unit times a count. */
enum { WIDE_WORDS = 2 * HALO_SUM_MAX_WORDS + 2 };

/* Adds size * factor * 2^shift to `to`, [WIDE_WORDS]. */
static void add_product(uint64_t *to, const uint64_t *size, int words, uint64_t factor, int shift)
{
    int at = shift / WORD_BITS, by = shift % WORD_BITS;
    for (int i = 0; i < words && factor != 0; i++) {
        unsigned_wide product = (unsigned_wide)size[i] * factor;
        const uint64_t parts[] = {(uint64_t)(product << by), (uint64_t)(product << by >> WORD_BITS),
                                  by > 0 ? (uint64_t)(product >> (2 * WORD_BITS - by)) : 0};
        uint64_t carry = 0;
        for (int k = 0; at + i + k < WIDE_WORDS && (k < 3 || carry != 0); k++) {
            unsigned_wide now = (unsigned_wide)to[at + i + k] + (k < 3 ? parts[k] : 0) + carry;
            to[at + i + k] = (uint64_t)now;
            carry = (uint64_t)(now >> WORD_BITS);
        }
    }
}

/* The variance times count^2 is count * squares - sum^2, in units of the square of the sum's. */
double halo_sum_deviation(const uint64_t *sum, halo_sum_format format, const uint64_t *squares,
                          halo_sum_format squares_format, int64_t count)
{
    uint64_t size[HALO_SUM_MAX_WORDS], square[WIDE_WORDS] = {0}, all[WIDE_WORDS] = {0};
    if (sum[format.words - 1] >> (WORD_BITS - 1) != 0) {
        negate(sum, size, format.words);
    } else {
        memcpy(size, sum, (size_t)format.words * sizeof *sum);
    }
    for (int i = 0; i < format.words; i++) {
        add_product(square, size, format.words, size[i], WORD_BITS * i);
    }
    int unit = 2 * format.low, negative = WIDE_WORDS - 1;
    add_product(all, squares, squares_format.words, (uint64_t)count, squares_format.low - unit);
    negate(square, square, WIDE_WORDS);
    halo_sum_join(all, square, WIDE_WORDS);
    if (all[negative] >> (WORD_BITS - 1) != 0) {
        return 0; /* squares of doubles near the smallest are rounded */
    }
    int top = WIDE_WORDS - 1;
    while (top > 0 && all[top] == 0) {
        top--;
    }
    int scale = WORD_BITS * (top > 0 ? top - 1 : 0) + unit;
    double high = top > 0 ? ldexp((double)all[top], WORD_BITS) : 0;
    double variance = high + (double)all[top > 0 ? top - 1 : 0];
    bool odd = scale % 2 != 0;
    return ldexp(sqrt(odd ? 2 * variance : variance), (odd ? scale - 1 : scale) / 2) /
           (double)count;
}

bool halo_sum_fits(const uint64_t *sum, int64_t *value)
{
    *value = (int64_t)sum[0];
    return sum[1] == (*value < 0 ? UINT64_MAX : 0);
}
