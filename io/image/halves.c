#include "io/image/halves.h"

#include <math.h>
#include <string.h>

enum {
    FRACTION = 10, /* bits; of 32 bits 23 */
    MORE = 23 - FRACTION,
    EXPONENTS = 0x1f,  /* the largest exponent: infinity and NaN */
    BIAS = 15,         /* of 32 bits 127 */
    FRACTIONS = 0x3ff, /* all bits of the fraction */
    INFINITE = 0x7c00,
    NOT_A_NUMBER = 0x7e00
};

uint32_t halo_half_widen(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, fraction = half & FRACTIONS, bits;
    uint32_t exponent = half >> FRACTION & EXPONENTS;
    if (exponent == 0) { /* zero, or below the smallest normal number, in units of 2^-24 */
        float small = (float)fraction * 0x1p-24F;
        memcpy(&bits, &small, sizeof bits);
        return sign | bits;
    }
    exponent = exponent == EXPONENTS ? 0xff : exponent + 127 - BIAS;
    return sign | exponent << 23 | fraction << MORE;
}

uint16_t halo_half_round(double number)
{
    const double beyond = 65520; /* rounds to infinity */
    unsigned sign = signbit(number) ? 0x8000 : 0;
    double size = fabs(number);
    if (isnan(number) || size >= beyond) {
        return (uint16_t)(sign | (isnan(number) ? NOT_A_NUMBER : INFINITE));
    }
    int exponent = 1 - BIAS; /* that of numbers below the smallest normal one, too */
    if (size >= 0x1p-14) {
        frexp(size, &exponent);
        exponent--; /* of 1 to 2, where frexp has .5 to 1 */
    }
    /* With its leading bit, which adds 1 to the exponent of a normal number. */
    unsigned fraction = (unsigned)nearbyint(ldexp(size, FRACTION - exponent));
    return (uint16_t)(sign | (((unsigned)(exponent + BIAS - 1) << FRACTION) + fraction));
}

void halo_halves_widen(int64_t count, const unsigned char *from, bool swapped, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, from + 2 * i, sizeof half);
        if (swapped) {
            half = (uint16_t)(half << 8 | half >> 8);
        }
        uint32_t bits = halo_half_widen(half);
        memcpy(&out[i], &bits, sizeof bits);
    }
}
