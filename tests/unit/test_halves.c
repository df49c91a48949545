#include "io/image/halves.h"
#include "support/unit_check.h"

#include <math.h>
#include <string.h>

static float widened(unsigned half)
{
    uint32_t bits = halo_half_widen((uint16_t)half);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* From the tables of IEEE 754. */
TEST("numbers of 16 bits")
{
    static const struct {
        unsigned half;
        float number;
    } cases[] = {{0, 0},
                 {0x0001, 0x1p-24F},
                 {0x03ff, 0x3ffp-24F},
                 {0x0400, 0x1p-14F},
                 {0x3555, 0x1.554p-2F},
                 {0x3c00, 1},
                 {0xc000, -2},
                 {0x7bff, 65504},
                 {0x7c00, INFINITY},
                 {0xfc00, -INFINITY}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        CU_ASSERT(widened(cases[i].half) == cases[i].number);
    }
    CU_ASSERT(signbit(widened(0x8000)) && widened(0x8000) == 0);
    CU_ASSERT(isnan(widened(0x7e00)));
    CU_ASSERT(isnan(widened(0xfc01)));
}

TEST("every number comes back")
{
    for (unsigned half = 0; half <= UINT16_MAX; half++) {
        float number = widened(half);
        CU_ASSERT(isnan(number) ? isnan(widened(halo_half_round((double)number)))
                                : halo_half_round((double)number) == half);
    }
}

TEST("rounding")
{
    CU_ASSERT_EQUAL(halo_half_round(1 + 0x1p-11), 0x3c00); /* halfway, to the even one */
    CU_ASSERT_EQUAL(halo_half_round(1 + 0x3p-11), 0x3c02);
    CU_ASSERT_EQUAL(halo_half_round(0x1.ffffp0), 0x4000);
    CU_ASSERT_EQUAL(halo_half_round(65519), 0x7bff);
    CU_ASSERT_EQUAL(halo_half_round(-65520), 0xfc00);
    CU_ASSERT_EQUAL(halo_half_round(0x1p-26), 0);
}

TEST("rows in both byte orders")
{
    static const unsigned char bytes[] = {0, 0x3c, 0, 0xc0}, swapped[] = {0x3c, 0, 0xc0, 0};
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    float out[2];
    halo_halves_widen(2, bytes, big, out);
    CU_ASSERT(out[0] == 1 && out[1] == -2);
    halo_halves_widen(2, swapped, !big, out);
    CU_ASSERT(out[0] == 1 && out[1] == -2);
}
