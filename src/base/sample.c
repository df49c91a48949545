#include "base/sample.h"

#include "base/minmax.h"

#include <math.h>

enum { WORD = 64 };

static const uint64_t TOP = UINT64_C(1) << 63;

enum { WIDE, GREY }; /* as in halo_sample_types[].grey */

/* Reals are the types that hold a half. */
#define IS_BIT(code)            (HALO_SAMPLE_##code == HALO_SAMPLE_BIT)
#define KEY_BIT(type, value)    (value)
#define KEY_SIGNED(type, value) (value)
#define KEY_UNSIGNED(type, value) \
    (int64_t)((uint64_t)(value) ^ (sizeof(type) == sizeof(int64_t) ? UINT64_C(1) << 63 : 0))
#define KEY_REAL(type, value) ((value) < 0 ? ~KEY_OF_INFINITY : KEY_OF_INFINITY)
#define KEY_OF_INFINITY       INT64_C(0x7ff0000000000000)
#define TYPE_ENTRY(code, type, kind, range, name, numpy, min, max)                          \
    {name,         numpy, IS_BIT(code) ? 0 : sizeof(type), IS_BIT(code) ? 1 : sizeof(type), \
     (type).5 > 0, range, KEY_##kind(type, min),           KEY_##kind(type, max)},
static const halo_sample_type_entry type_entries[] = {HALO_SAMPLE_TYPE_LIST(TYPE_ENTRY)};
const halo_sample_type_entry *const halo_sample_types = type_entries;

bool halo_sample_find_type(const char *name, halo_sample_type *type)
{
    for (int i = 0; i < HALO_SAMPLE_TYPES; i++) {
        if (strcmp(name, halo_sample_types[i].name) == 0 ||
            strcmp(name, halo_sample_types[i].numpy) == 0) {
            *type = (halo_sample_type)i;
            return true;
        }
    }
    return false;
}

/* ---- doubles --------------------------------------------------------------------------------- */

typedef void to_doubles(const void *row, int64_t first, int64_t count, double *out);

#define DEFINE_DOUBLES(code, type, ...)                                                    \
    static void doubles_##code(const void *row, int64_t first, int64_t count, double *out) \
    {                                                                                      \
        const type *samples = (const type *)row + first;                                   \
        for (int64_t i = 0; i < count; i++) {                                              \
            out[i] = (double)samples[i];                                                   \
        }                                                                                  \
    }
HALO_SAMPLE_VALUE_LIST(DEFINE_DOUBLES)
#undef DEFINE_DOUBLES

static void doubles_BIT(const void *row, int64_t first, int64_t count, double *out)
{
    const uint64_t *words = row;
    for (int64_t x = first; x < first + count; x++) {
        out[x - first] = (double)(words[x / WORD] >> (x % WORD) & 1);
    }
}

void halo_sample_to_doubles(halo_sample_type type, const void *row, int64_t first, int64_t count,
                            double *out)
{
    static to_doubles *const converters[] = {
#define CONVERTER(code, ...) doubles_##code,
        HALO_SAMPLE_TYPE_LIST(CONVERTER)
#undef CONVERTER
    };
    converters[type](row, first, count, out);
}

/* ---- keys ------------------------------------------------------------------------------------ */

int64_t halo_sample_whole(halo_sample_type type, int64_t key)
{
    return type == HALO_SAMPLE_U64 ? (int64_t)((uint64_t)key ^ UINT64_C(1) << 63) : key;
}

double halo_sample_real(halo_sample_type type, int64_t key)
{
    if (type == HALO_SAMPLE_U64) {
        return (double)((uint64_t)key ^ UINT64_C(1) << 63);
    }
    if (!halo_sample_types[type].real) {
        return (double)key;
    }
    int64_t bits = key < 0 ? key ^ INT64_MAX : key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool halo_sample_put(halo_sample_type type, const halo_number *value, void *out)
{
    bool negative = false;
    uint64_t magnitude = 0;
    bool whole = halo_number_to_whole(value, false, &negative, &magnitude) &&
                 (value->whole || value->value <= floor(value->value));
    uint64_t bits = negative ? 0 - magnitude : magnitude;
    switch (type) {
#define FITS_UNSIGNED(bits) (whole && !negative && magnitude <= UINT64_MAX >> (64 - (bits)))
#define FITS_SIGNED(bits) \
    (whole && magnitude <= (UINT64_MAX >> (65 - (bits))) + (negative ? UINT64_C(1) : 0))
#define FITS_REAL(bits)        true
#define VALUE_UNSIGNED(c_type) (c_type) bits
#define VALUE_SIGNED(c_type)   (c_type) bits
#define VALUE_REAL(c_type)     (c_type) value->value
#define PUT_CASE(code, c_type, kind, ...)         \
    case HALO_SAMPLE_##code: {                    \
        c_type put = VALUE_##kind(c_type);        \
        memcpy(out, &put, sizeof put);            \
        return FITS_##kind(8 * (int)sizeof(put)); \
    }
        HALO_SAMPLE_VALUE_LIST(PUT_CASE)
#undef PUT_CASE
#undef FITS_UNSIGNED
#undef FITS_SIGNED
#undef FITS_REAL
#undef VALUE_UNSIGNED
#undef VALUE_SIGNED
#undef VALUE_REAL
    default:
        return false;
    }
}

halo_number halo_sample_number(halo_sample_type type, int64_t key)
{
    if (halo_sample_types[type].real) {
        return halo_number_of(halo_sample_real(type, key));
    }
    bool negative = type != HALO_SAMPLE_U64 && key < 0;
    uint64_t whole = (uint64_t)halo_sample_whole(type, key);
    return (halo_number){.value = halo_sample_real(type, key),
                         .whole = true,
                         .negative = negative,
                         .magnitude = negative ? 0 - whole : whole};
}

/* A float that is no less, or no more, than the value. */
static double to_float(double value, bool down)
{
    float near = (float)value;
    if (down ? (double)near > value : (double)near < value) {
        near = nextafterf(near, down ? -HUGE_VALF : HUGE_VALF);
    }
    return (double)near;
}

static bool find_key(halo_sample_type type, const halo_number *number, bool down, int64_t *key)
{
    if (halo_sample_types[type].real) {
        double value = halo_number_to_double(number, down);
        value = type == HALO_SAMPLE_F32 ? to_float(value, down) : value;
        *key = halo_sample_key_of_real(value);
        return true;
    }
    const halo_sample_type cell = type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : type;
    halo_number whole = {.whole = true};
    _Alignas(8) unsigned char value[8];
    if (!halo_number_to_whole(number, down, &whole.negative, &whole.magnitude) ||
        !halo_sample_put(cell, &whole, value)) {
        return false;
    }
    *key = halo_sample_key(cell, value);
    return *key <= halo_sample_types[type].key_max;
}

static void find_key_of(halo_sample_type type, double value, bool down, int64_t *key)
{
    const halo_number number = halo_number_of(value);
    find_key(type, &number, down, key);
}

bool halo_sample_key_from(halo_sample_type type, const halo_number *value, int64_t *key)
{
    return find_key(type, value, false, key);
}

bool halo_sample_key_to(halo_sample_type type, const halo_number *value, int64_t *key)
{
    return find_key(type, value, true, key);
}

#define DEFINE_KEY(code, type, ...)                                        \
    static int64_t key_##code(const void *row, int64_t i)                  \
    {                                                                      \
        return halo_sample_key(HALO_SAMPLE_##code, (const type *)row + i); \
    }
HALO_SAMPLE_VALUE_LIST(DEFINE_KEY)
#undef DEFINE_KEY

static int64_t key_BIT(const void *row, int64_t i)
{
    return (int64_t)(((const uint64_t *)row)[i / WORD] >> (i % WORD) & 1);
}

static int64_t (*const keys[])(const void *row, int64_t i) = {
#define KEY_ENTRY(code, ...) key_##code,
    HALO_SAMPLE_TYPE_LIST(KEY_ENTRY)
#undef KEY_ENTRY
};

int64_t halo_sample_key_of(halo_sample_type type, const void *row, int64_t i)
{
    return keys[type](row, i);
}

static void put_bit(uint64_t *words, int64_t i, bool bit)
{
    words[i / WORD] = (i % WORD > 0 ? words[i / WORD] : 0) | (uint64_t)bit << (i % WORD);
}

int64_t halo_sample_to_whole(halo_sample_type type, const void *row, int64_t count,
                             halo_sample_type to, void *out)
{
    const size_t bytes = halo_sample_types[to].bytes;
    for (int64_t i = 0; i < count; i++) {
        const int64_t key = keys[type](row, i);
        const halo_number number = halo_sample_number(type, key);
        if (to == HALO_SAMPLE_BIT) {
            put_bit(out, i, halo_sample_whole(type, key) != 0);
        } else if (!halo_sample_put(to, &number, (char *)out + (size_t)i * bytes)) {
            return i;
        }
    }
    return count;
}

enum { WHOLE = 100 }; /* percent */

/* Divided at the end: a hundredth of a percentage is mostly rounded, and 14 % of 100 would be more
 * than 14. */
static double real_between(double least, double most, double percent)
{
    bool fits = fmax(fabs(least), fabs(most)) < DBL_MAX / (2 * WHOLE);
    return fits ? (least * (WHOLE - percent) + most * percent) / WHOLE
                : least * (1 - percent / WHOLE) + most * (percent / WHOLE);
}

__extension__ typedef unsigned __int128 wide;

/* percent / 100 * range, rounded to a whole number: exactly where a double cannot hold it. */
static uint64_t steps_to(uint64_t range, double percent, bool down)
{
    enum { DIGITS = 53, LEAST = 128 };
    if (range <= UINT64_C(1) << DIGITS) {
        double steps = percent * (double)range / WHOLE;
        return (uint64_t)(down ? floor(steps) : ceil(steps));
    }
    int exponent;
    double mantissa = frexp(percent, &exponent); /* below 2^7, so that there is much to divide by */
    int shift = DIGITS - exponent;
    wide product = (wide)(uint64_t)ldexp(mantissa, DIGITS) * range, hundredth = product / WHOLE;
    wide whole = shift < LEAST ? hundredth >> shift : 0;
    bool exact = shift < LEAST && whole << shift == hundredth && hundredth * WHOLE == product;
    return (uint64_t)whole + (!down && !exact);
}

int64_t halo_sample_key_at(const halo_sample_extremes *extremes, double percent, bool down)
{
    int64_t key = 0;
    if (percent <= 0 || percent >= WHOLE) {
        return percent <= 0 ? extremes->min : extremes->max;
    }
    if (halo_sample_types[extremes->type].real) {
        double least = halo_sample_real(extremes->type, extremes->min);
        double most = halo_sample_real(extremes->type, extremes->max);
        find_key_of(extremes->type, real_between(least, most, percent), down, &key);
    } else {
        uint64_t steps = steps_to(halo_sample_span(extremes), percent, down);
        key = steps < halo_sample_span(extremes) ? (int64_t)((uint64_t)extremes->min + steps)
                                                 : extremes->max;
    }
    return halo_min(halo_max(key, extremes->min), extremes->max);
}

void halo_sample_of_key(halo_sample_type type, int64_t key, void *out)
{
    uint64_t bits = (uint64_t)key ^ (type == HALO_SAMPLE_U64 ? TOP : 0);
    double real = halo_sample_types[type].real ? halo_sample_real(type, key) : 0;
    switch (type) {
#define PUT_UNSIGNED(c_type) (c_type) bits
#define PUT_SIGNED(c_type)   (c_type) bits
#define PUT_REAL(c_type)     (c_type) real
#define PUT_CASE(code, c_type, kind, ...)  \
    case HALO_SAMPLE_##code: {             \
        c_type value = PUT_##kind(c_type); \
        memcpy(out, &value, sizeof value); \
        break;                             \
    }
        HALO_SAMPLE_VALUE_LIST(PUT_CASE)
#undef PUT_CASE
    default:
        *(unsigned char *)out = key != 0;
    }
}
