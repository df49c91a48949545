/* Numbers of options and headers, of which whole ones are never rounded. */
#include "base/number.h"
#include "support/unit_check.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *text;
    bool whole, fraction, negative;
    uint64_t magnitude;
} parsed;

TEST("whole numbers are exact, however they are written")
{
    static const parsed cases[] = {
        {"0", true, false, false, 0},
        {"-0.0", true, false, false, 0},
        {"18446744073709551615", true, false, false, UINT64_MAX},
        {"-9223372036854775808", true, false, true, UINT64_C(1) << 63},
        {"720575940618780783.000", true, false, false, 720575940618780783},
        {"7.20575940618780783e17", true, false, false, 720575940618780783},
        {"720575940618780783000E-3", true, false, false, 720575940618780783},
        {".12e2", true, false, false, 12},
        {"0e999999999999", true, false, false, 0},
        {"-2.5", false, true, true, 2},
        {"720575940618780782.5", false, true, false, 720575940618780782},
        {"1e-400", false, true, false, 0},
        {"-.01", false, true, true, 0},
        {"18446744073709551616", false, false, false, 0},
        {"1e300", false, false, false, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const parsed *should = &cases[c];
        const char *text = should->text;
        halo_number number;
        check(halo_scan_exact(&text, -HUGE_VAL, HUGE_VAL, &number) && *text == '\0',
              "%s is refused", should->text);
        check(number.whole == should->whole && number.fraction == should->fraction &&
                  (!(number.whole || number.fraction) ||
                   (number.negative == should->negative && number.magnitude == should->magnitude)),
              "%s is another number", should->text);
    }
}

TEST("whole numbers on either side")
{
    static const struct {
        const char *text;
        bool up_fits, up_negative;
        uint64_t up;
        bool down_fits, down_negative;
        uint64_t down;
    } cases[] = {
        {"7", true, false, 7, true, false, 7},
        {"-7", true, true, 7, true, true, 7},
        {"2.5", true, false, 3, true, false, 2},
        {"-2.5", true, true, 2, true, true, 3},
        {"-.5", true, false, 0, true, true, 1},
        {"720575940618780782.5", true, false, 720575940618780783, true, false, 720575940618780782},
        {"18446744073709551615.5", false, false, 0, true, false, UINT64_MAX},
        {"1e20", false, false, 0, false, false, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const char *text = cases[c].text;
        halo_number number;
        bool negative;
        uint64_t whole;
        halo_scan_exact(&text, -HUGE_VAL, HUGE_VAL, &number);
        bool fits = halo_number_to_whole(&number, false, &negative, &whole);
        check(fits == cases[c].up_fits &&
                  (!fits || (whole == cases[c].up && negative == cases[c].up_negative)),
              "up from %s", cases[c].text);
        fits = halo_number_to_whole(&number, true, &negative, &whole);
        check(fits == cases[c].down_fits &&
                  (!fits || (whole == cases[c].down && negative == cases[c].down_negative)),
              "down from %s", cases[c].text);
    }
}

TEST("a number that is zero-initialised is 0")
{
    const halo_number zero = {.value = 0};
    bool negative = true;
    uint64_t whole = 1;
    check(halo_number_to_whole(&zero, true, &negative, &whole) && whole == 0 && !negative, "0");
    check(halo_number_to_double(&zero, false) <= 0, "0 as a double");
}

TEST("doubles on either side, and equal numbers")
{
    const char *half = "720575940618780782.5", *whole = "720575940618780783.0";
    halo_number a, b;
    halo_scan_exact(&half, -HUGE_VAL, HUGE_VAL, &a);
    halo_scan_exact(&whole, -HUGE_VAL, HUGE_VAL, &b);
    check(a.value >= b.value && a.value <= b.value, "one double for both");
    check(!halo_number_equal(&a, &b), "they are not equal");
    check(halo_number_to_double(&a, true) < 720575940618780782.5L, "below");
    check(halo_number_to_double(&a, false) > 720575940618780782.5L, "above");
    const halo_number third = halo_number_of(1. / 3);
    check(halo_number_to_double(&third, true) >= 1. / 3 &&
              halo_number_to_double(&third, false) <= 1. / 3,
          "a double is itself");
    const halo_number none = halo_number_of((double)NAN);
    check(!halo_number_equal(&none, &none) && !none.whole && !none.fraction, "NaN");
}
