#include "base/exact_sum.h"
#include "kernels/label/rows/values.h"
#include "kernels/label/threshold/threshold.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Samples of any type: foreground, extremes and thresholds by instruction set, exact sums. */

static const char *const sets[] = {"avx512", "avx2", "plain"};

/* ---- rows of samples ------------------------------------------------------------------------- */

enum { MOST = 300 };

typedef struct {
    halo_sample_type type;
    int64_t width;
    _Alignas(64) unsigned char row[8 * MOST];
    uint64_t bits[MOST / 64 + 2];
} samples;

static halo_view view_of(const samples *s, const void *data, int cell_bits)
{
    return (halo_view){.axes = 2,
                       .cell_bits = cell_bits,
                       .origin = (void *)data,
                       .stride = {0, cell_bits / 8},
                       .owned = {.n = {1, s->width, 1}}};
}

static halo_view values_of(const samples *s)
{
    return view_of(s, s->row, 8 * (int)halo_sample_types[s->type].bytes);
}

/* Few values, so that some are equal to thresholds, the ends of the type among them. */
static void make(samples *s, uint64_t *random)
{
#define MIDDLE(type) (UINT64_C(1) << (8 * sizeof(type) - 1))
#define MAKE_UNSIGNED(type)                                        \
    ((type)(pick == 0   ? UINT64_MAX                               \
            : pick == 1 ? 0                                        \
            : pick < 6  ? MIDDLE(type) - 1 + (uint64_t)(small % 3) \
                        : (uint64_t)small))
#define MAKE_SIGNED(type) ((type)(pick == 0 ? (type)MIDDLE(type) : pick == 1 ? -small : small))
#define MAKE_REAL(type)             \
    ((type)(pick == 0   ? NAN       \
            : pick == 1 ? HUGE_VAL  \
            : pick == 2 ? -HUGE_VAL \
            : pick == 3 ? -0.0      \
                        : ((double)small - 20) / 4))
    for (int64_t x = 0; x < s->width; x++) {
        int64_t pick = random_below(random, 12), small = random_below(random, 40);
        switch (s->type) {
#define MAKE_CASE(code, c_type, kind, ...)                                \
    case HALO_SAMPLE_##code: {                                            \
        c_type value = MAKE_##kind(c_type);                               \
        memcpy(s->row + x * (int64_t)sizeof value, &value, sizeof value); \
        break;                                                            \
    }
            HALO_SAMPLE_VALUE_LIST(MAKE_CASE)
#undef MAKE_CASE
        default:
            break;
        }
    }
}

static int64_t key_of(const samples *s, int64_t x)
{
    return halo_sample_key(s->type, s->row + x * (int64_t)halo_sample_types[s->type].bytes);
}

static bool is_real(const samples *s)
{
    return halo_sample_types[s->type].real;
}

static double real_of(const samples *s, int64_t x)
{
    return halo_sample_real(s->type, key_of(s, x));
}

static bool is_nan(const samples *s, int64_t x)
{
    return is_real(s) && isnan(real_of(s, x));
}

static void check_within(samples *s, const halo_key_range *range, const char *set)
{
    halo_view values = values_of(s), bits = view_of(s, s->bits, HALO_BIT);
    size_t bytes = (size_t)s->width * halo_sample_types[s->type].bytes;
    int64_t wrong = 0;
    /* A row without slack, so that reading past it shows under a sanitizer. */
    values.origin = malloc(bytes);
    memcpy(values.origin, s->row, bytes);
    memset(s->bits, 0x5a, sizeof s->bits);
    halo_threshold(&values, s->type, range, &bits, set);
    free(values.origin);
    CU_ASSERT_EQUAL(s->bits[(s->width + 63) / 64], UINT64_C(0x5a5a5a5a5a5a5a5a));
    for (int64_t x = 0; x < (s->width + 63) / 64 * 64; x++) {
        bool there = x < s->width, nan = there && is_nan(s, x);
        bool inside = there && !nan && key_of(s, x) >= range->min && key_of(s, x) <= range->max;
        bool wanted = there && !nan && inside != range->invert;
        wrong += ((s->bits[x / 64] >> (x % 64) & 1) != 0) != wanted;
    }
    check(wrong == 0, "type %d, %s%s: %" PRId64 " of %" PRId64 " pixels are wrong", (int)s->type,
          set, range->invert ? ", inverted" : "", wrong, s->width);
}

static void check_extremes(const samples *s, const char *set)
{
    halo_view values = values_of(s);
    halo_sample_extremes is = {.type = s->type}, wanted = {.type = s->type};
    for (int64_t x = 0; x < s->width; x++) {
        if (is_nan(s, x) || (is_real(s) && isinf(real_of(s, x)))) {
            wanted.nans += is_nan(s, x);
            continue;
        }
        int64_t key = key_of(s, x);
        bool first = wanted.finite++ == 0;
        wanted.min = first || key < wanted.min ? key : wanted.min;
        wanted.max = first || key > wanted.max ? key : wanted.max;
    }
    halo_extremes_add(&is, &values, set);
    check(is.finite == wanted.finite && is.nans == wanted.nans && is.min == wanted.min &&
              is.max == wanted.max,
          "type %d, %s: other extremes of %" PRId64 " samples", (int)s->type, set, s->width);
}

TEST("foreground and extremes of samples of any type")
{
    uint64_t random = 11;
    for (int type = HALO_SAMPLE_U8; type <= HALO_SAMPLE_F64; type++) {
        for (int64_t width = 1; width < MOST; width += 1 + width / 9) {
            samples s = {.type = (halo_sample_type)type, .width = width};
            make(&s, &random);
            /* Thresholds that occur, and the largest sample. */
            int64_t low = key_of(&s, random_below(&random, width)),
                    last = halo_sample_types[s.type].key_max;
            int64_t high = key_of(&s, random_below(&random, width));
            if (is_real(&s) &&
                (isnan(halo_sample_real(s.type, low)) || isnan(halo_sample_real(s.type, high)))) {
                low = high = halo_sample_key_of_real(0);
            }
            for (int set = 0; set < 3; set++) {
                for (int invert = 0; invert < 2; invert++) {
                    check_within(&s, &(halo_key_range){low, high, invert == 1}, sets[set]);
                    check_within(&s, &(halo_key_range){low, last, invert == 1}, sets[set]);
                }
                check_extremes(&s, sets[set]);
            }
        }
    }
}

/* ---- thresholds ------------------------------------------------------------------------------ */

static bool key_from(halo_sample_type type, double value, int64_t *key)
{
    const halo_number number = halo_number_of(value);
    return halo_sample_key_from(type, &number, key);
}

static bool key_to(halo_sample_type type, double value, int64_t *key)
{
    const halo_number number = halo_number_of(value);
    return halo_sample_key_to(type, &number, key);
}

TEST("keys of thresholds between samples")
{
    int64_t key;
    CU_ASSERT(key_from(HALO_SAMPLE_I16, -300.5, &key) && key == -300);
    CU_ASSERT(key_to(HALO_SAMPLE_I16, -300.5, &key) && key == -301);
    CU_ASSERT(!key_from(HALO_SAMPLE_I8, 127.5, &key));
    CU_ASSERT(key_to(HALO_SAMPLE_I8, 127.5, &key) && key == 127);
    CU_ASSERT(!key_from(HALO_SAMPLE_U64, 0x1p64, &key));
    CU_ASSERT(!key_to(HALO_SAMPLE_U32, -0.5, &key));
    CU_ASSERT(key_from(HALO_SAMPLE_F32, 0.1, &key));
    CU_ASSERT(halo_sample_real(HALO_SAMPLE_F32, key) >= 0.1);
    CU_ASSERT(key_to(HALO_SAMPLE_F32, 0.1, &key));
    CU_ASSERT(halo_sample_real(HALO_SAMPLE_F32, key) <= 0.1);
    CU_ASSERT(halo_sample_real(HALO_SAMPLE_F32, key) > 0.09999999);
}

/* The threshold of shifted numbers is that of greys, shifted. */
TEST("Otsu of whole numbers that are no greys")
{
    static int64_t counts[HALO_SAMPLE_BINS], greys[HALO_SAMPLE_BINS];
    uint64_t random = 3;
    for (int round = 0; round < 20; round++) {
        int32_t row[200], shift = (int32_t)random_below(&random, 100000) - 90000;
        memset(counts, 0, sizeof counts);
        memset(greys, 0, sizeof greys);
        for (int x = 0; x < 200; x++) {
            int64_t grey = random_below(&random, 2) * 5000 + random_below(&random, 3000);
            grey = x == 0 ? 0 : grey;
            row[x] = (int32_t)grey + shift;
            greys[grey]++;
        }
        samples s = {.type = HALO_SAMPLE_I32, .width = 200};
        memcpy(s.row, row, sizeof row);
        halo_view values = values_of(&s);
        halo_sample_extremes extremes = {.type = s.type};
        halo_extremes_add(&extremes, &values, NULL);
        halo_sample_bins bins = halo_sample_bins_of(&extremes);
        halo_histogram_add(&bins, &values, counts);
        int64_t is = halo_sample_otsu(&bins, counts), wanted = halo_otsu(greys, HALO_SAMPLE_BINS);
        check(is == wanted + shift, "%" PRId64 ", not %" PRId64, is, wanted + shift);
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

static double random_double(uint64_t *random)
{
    double value;
    do {
        uint64_t bits = random_next(random);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

TEST("sums of doubles without a rounding")
{
    enum { COUNT_OF = 200 };
    const halo_sum_format format = halo_sum_of_doubles;
    uint64_t random = 17;
    for (int round = 0; round < 50; round++) {
        double v[COUNT_OF];
        uint64_t forth[HALO_SUM_MAX_WORDS] = {0}, back[HALO_SUM_MAX_WORDS] = {0};
        uint64_t joined[HALO_SUM_MAX_WORDS] = {0}, none[HALO_SUM_MAX_WORDS] = {0};
        for (int i = 0; i < COUNT_OF; i++) {
            v[i] = random_double(&random);
            halo_sum_add_real(forth, format, v[i]);
        }
        for (int i = COUNT_OF - 1; i >= 0; i--) {
            halo_sum_add_real(i % 3 == 0 ? joined : back, format, v[i]);
        }
        halo_sum_join(back, joined, format.words);
        CU_ASSERT(memcmp(forth, back, sizeof forth) == 0);
        /* Taking all but one away leaves that one. */
        for (int i = 1; i < COUNT_OF; i++) {
            halo_sum_add_real(forth, format, -v[i]);
        }
        CU_ASSERT_EQUAL(halo_sum_mean(forth, format, 1), v[0]);
        halo_sum_add_real(forth, format, -v[0]);
        CU_ASSERT(memcmp(forth, none, sizeof forth) == 0);
    }
}

/* Numbers of one size but for a few, or of any size. Those that are not finite do not count. */
TEST("sums of many doubles at once")
{
    enum { MANY = 1500 };
    uint64_t random = 23;
    for (int round = 0; round < 40; round++) {
        double v[MANY];
        uint64_t one[HALO_SUM_MAX_WORDS] = {0}, all[HALO_SUM_MAX_WORDS] = {0};
        for (int i = 0; i < MANY; i++) {
            double any = random_double(&random);
            v[i] = round % 2 == 0 ? any : i % 97 == 0 ? any : (round - i) * (1 + 0x1p-40 * i);
        }
        v[round] = round % 4 < 2 ? INFINITY : 0x1p-1074;
        v[2 * round + 1] = round % 8 < 4 ? (double)NAN : -DBL_MAX;
        for (int i = 0; i < MANY; i++) {
            if (isfinite(v[i])) {
                halo_sum_add_real(one, halo_sum_of_doubles, v[i]);
            }
        }
        halo_sum_add_doubles(all, v, MANY);
        CU_ASSERT(memcmp(one, all, sizeof one) == 0);
    }
}

TEST("means of sums beyond the largest double, and below the smallest")
{
    const halo_sum_format format = halo_sum_of_doubles;
    uint64_t sum[HALO_SUM_MAX_WORDS] = {0};
    for (int i = 0; i < 3; i++) {
        halo_sum_add_real(sum, format, -DBL_MAX);
    }
    CU_ASSERT_EQUAL(halo_sum_mean(sum, format, 3), -DBL_MAX);
    memset(sum, 0, sizeof sum);
    halo_sum_add_real(sum, format, 0x1p-1074);
    CU_ASSERT_EQUAL(halo_sum_mean(sum, format, 1), 0x1p-1074);
    halo_sum_add_real(sum, format, 1);
    CU_ASSERT_EQUAL(halo_sum_mean(sum, format, 1), 1);
}

TEST("sums of floats and of whole numbers")
{
    uint64_t sum[HALO_SUM_MAX_WORDS] = {0}, whole[2] = {0};
    int64_t value;
    halo_sum_add_real(sum, halo_sum_of_floats, (double)FLT_MAX);
    halo_sum_add_real(sum, halo_sum_of_floats, 0x1p-149);
    halo_sum_add_real(sum, halo_sum_of_floats, -(double)FLT_MAX);
    CU_ASSERT_EQUAL(halo_sum_mean(sum, halo_sum_of_floats, 1), 0x1p-149);
    halo_sum_add(whole, 2, -5, 0);
    CU_ASSERT(halo_sum_fits(whole, &value) && value == -5);
    CU_ASSERT_EQUAL(halo_sum_mean(whole, halo_sum_of_whole, 2), -2.5);
    halo_sum_add(whole, 2, (halo_wide)INT64_MIN, 0);
    CU_ASSERT(!halo_sum_fits(whole, &value));
    halo_sum_add(whole, 2, 5, 0);
    CU_ASSERT(halo_sum_fits(whole, &value) && value == INT64_MIN);
}

/* Identifiers beyond 2^53, where doubles are further apart than 1. */
TEST("keys of exact numbers")
{
    static const struct {
        const char *text;
        halo_sample_type type;
        bool from, to; /* are there samples from it on, and up to it? */
        int64_t from_whole, to_whole;
    } cases[] = {
        {"720575940618780783", HALO_SAMPLE_U64, true, true, 720575940618780783, 720575940618780783},
        {"720575940618780783", HALO_SAMPLE_I64, true, true, 720575940618780783, 720575940618780783},
        {"-720575940618780783", HALO_SAMPLE_I64, true, true, -720575940618780783,
         -720575940618780783},
        {"9223372036854775807", HALO_SAMPLE_I64, true, true, INT64_MAX, INT64_MAX},
        {"9223372036854775808", HALO_SAMPLE_I64, false, false, 0, 0},
        {"-9223372036854775808", HALO_SAMPLE_I64, true, true, INT64_MIN, INT64_MIN},
        {"-9223372036854775809", HALO_SAMPLE_I64, false, false, 0, 0},
        {"18446744073709551615", HALO_SAMPLE_U64, true, true, -1, -1},
        {"18446744073709551616", HALO_SAMPLE_U64, false, false, 0, 0},
        {"-1", HALO_SAMPLE_U64, false, false, 0, 0},
        {"-0", HALO_SAMPLE_U64, true, true, 0, 0},
        {"255", HALO_SAMPLE_U8, true, true, 255, 255},
        {"256", HALO_SAMPLE_U8, false, false, 0, 0},
        {"-128", HALO_SAMPLE_I8, true, true, -128, -128},
        {"-129", HALO_SAMPLE_I8, false, false, 0, 0},
        {"2.5", HALO_SAMPLE_U64, true, true, 3, 2},
        {"1e18", HALO_SAMPLE_I64, true, true, 1000000000000000000, 1000000000000000000},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *at = cases[i].text;
        int64_t from = 0, to = 0;
        halo_number number;
        CU_ASSERT_FATAL(halo_scan_exact(&at, -HUGE_VAL, HUGE_VAL, &number) && *at == '\0');
        bool has_from = halo_sample_key_from(cases[i].type, &number, &from);
        bool has_to = halo_sample_key_to(cases[i].type, &number, &to);
        check(has_from == cases[i].from && has_to == cases[i].to, "%s", cases[i].text);
        check(!has_from || halo_sample_whole(cases[i].type, from) == cases[i].from_whole, "from %s",
              cases[i].text);
        check(!has_to || halo_sample_whole(cases[i].type, to) == cases[i].to_whole, "to %s",
              cases[i].text);
    }
    /* 2^53 + 1 is no double: those beside it are. */
    const char *at = "9007199254740993";
    halo_number number;
    int64_t from, to;
    CU_ASSERT(halo_scan_exact(&at, 0, HUGE_VAL, &number));
    CU_ASSERT(halo_sample_key_from(HALO_SAMPLE_F64, &number, &from));
    CU_ASSERT(halo_sample_key_to(HALO_SAMPLE_F64, &number, &to));
    CU_ASSERT(halo_sample_real(HALO_SAMPLE_F64, from) == 9007199254740994.0);
    CU_ASSERT(halo_sample_real(HALO_SAMPLE_F64, to) == 9007199254740992.0);
}
