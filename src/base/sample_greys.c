#include "base/sample_greys.h"

#include <math.h>
#include <string.h>

enum { MOST = 65535, WORD = 64 };

/* ---- ranges ---------------------------------------------------------------------------------- */

static bool scan_range(const char *text, halo_sample_range *range)
{
    enum { NUMBER = 64 };
    static const char between[] = "..";
    char low[NUMBER];
    const char *found = strstr(text, between), *at = low;
    size_t length = found != NULL ? (size_t)(found - text) : NUMBER;
    if (length >= NUMBER) {
        return false;
    }
    memcpy(low, text, length); /* a number may end in a point */
    low[length] = '\0';
    text = found + strlen(between);
    *range = (halo_sample_range){.given = true};
    return halo_scan_exact(&at, -HUGE_VAL, HUGE_VAL, &range->low) && *at == '\0' &&
           halo_scan_exact(&text, -HUGE_VAL, HUGE_VAL, &range->high) && *text == '\0' &&
           isfinite(range->low.value) && isfinite(range->high.value) &&
           range->low.value <= range->high.value;
}

halo_status halo_sample_range_parse(const char *text, void *into)
{
    halo_sample_range *range = into;
    *range = (halo_sample_range){.given = false};
    return strcmp(text, "auto") == 0 || scan_range(text, range) ? HALO_OK : HALO_ARGUMENT;
}

halo_sample_range halo_sample_range_of(const halo_sample_extremes *of)
{
    const halo_number none = halo_number_of(0);
    return (halo_sample_range){.given = true,
                               .low = of->finite > 0 ? halo_sample_number(of->type, of->min) : none,
                               .high =
                                   of->finite > 0 ? halo_sample_number(of->type, of->max) : none};
}

bool halo_sample_are_greys(const halo_sample_extremes *of)
{
    enum { MAXIMUM = 65535 };
    const halo_sample_range range = halo_sample_range_of(of);
    return !halo_sample_types[of->type].real && !range.low.negative &&
           range.high.magnitude <= MAXIMUM && !range.high.negative;
}

/* ---- preparing ------------------------------------------------------------------------------- */

static halo_sample_wide wide_of(const halo_number *number)
{
    halo_sample_wide magnitude = number->magnitude;
    return number->negative ? -magnitude : magnitude;
}

static bool prepare_whole(halo_sample_greys *greys, const halo_sample_range *range)
{
    if (!range->low.whole || !range->high.whole) {
        return false;
    }
    greys->low = wide_of(&range->low);
    greys->high = wide_of(&range->high);
    halo_sample_wide span = greys->high - greys->low;
    if (range->steps && span >= 0 && span <= greys->top) {
        greys->top = (uint16_t)span;
        greys->step = 1;
        return true;
    }
    greys->step = span > 0 ? greys->top / (double)span : 0;
    return span >= 0;
}

/* Products of a range that is too large for that are computed in a smaller unit. */
static bool prepare_real(halo_sample_greys *greys, const halo_sample_range *range)
{
    const double most = 0x1p1000, small = 0x1p-40;
    double low = range->low.value, high = range->high.value;
    greys->unit = high - low < most ? 1 : small;
    greys->real_low = low * greys->unit;
    greys->real_high = high * greys->unit;
    greys->step = high > low ? greys->top / (greys->real_high - greys->real_low) * greys->unit : 0;
    return isfinite(low) && isfinite(high) && low <= high;
}

bool halo_sample_greys_prepare(halo_sample_greys *greys, halo_sample_type type,
                               const halo_sample_range *range, bool can_miss)
{
    *greys = (halo_sample_greys){.type = type, .top = can_miss ? MOST - 1 : MOST, .missing = MOST};
    return halo_sample_types[type].real ? prepare_real(greys, range) : prepare_whole(greys, range);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static inline uint16_t grey_of_whole(const halo_sample_greys *g, halo_sample_wide value)
{
    halo_sample_wide span = g->high - g->low, above = value - g->low;
    if (above <= 0) {
        return 0;
    }
    return (uint16_t)(above >= span ? g->top : (above * g->top + span / 2) / span);
}

/* The same, where all samples of the type and the range are far from the ends of 64 bits. */
static inline uint16_t grey_of_short(int64_t low, int64_t span, int64_t top, int64_t value)
{
    int64_t above = value - low;
    if (above <= 0) {
        return 0;
    }
    return (uint16_t)(above >= span ? top : top == span ? above : (above * top + span / 2) / span);
}

static inline uint16_t grey_of_real(const halo_sample_greys *g, double value)
{
    const double half = .5;
    value *= g->unit;
    return value <= g->real_low    ? 0
           : value >= g->real_high ? g->top
           : isnan(value)
               ? g->missing
               : (uint16_t)((value - g->real_low) * g->top / (g->real_high - g->real_low) + half);
}

/* Products of 16 bits and a range of these stay below 2^63. */
static bool is_short(const halo_sample_greys *g)
{
    const int64_t most = INT64_C(1) << 40;
    return g->type != HALO_SAMPLE_U64 && g->type != HALO_SAMPLE_I64 && g->low >= -most &&
           g->high <= most;
}

#define ROW_WHOLE(type)                                                                   \
    if (is_short(g)) {                                                                    \
        const int64_t low = (int64_t)g->low, span = (int64_t)g->high - low, top = g->top; \
        for (int64_t x = 0; x < width; x++) {                                             \
            out[x] = grey_of_short(low, span, top, (int64_t)row[x]);                      \
        }                                                                                 \
        return;                                                                           \
    }                                                                                     \
    for (int64_t x = 0; x < width; x++) {                                                 \
        out[x] = grey_of_whole(g, row[x]);                                                \
    }
#define ROW_UNSIGNED(type) ROW_WHOLE(type)
#define ROW_SIGNED(type)   ROW_WHOLE(type)
#define ROW_REAL(type)                            \
    for (int64_t x = 0; x < width; x++) {         \
        out[x] = grey_of_real(g, (double)row[x]); \
    }

#define DEFINE_ROW(code, type, kind, ...)                                                    \
    static void greys_##code(const halo_sample_greys *g, const void *samples, int64_t width, \
                             uint16_t *out)                                                  \
    {                                                                                        \
        const type *row = samples;                                                           \
        ROW_##kind(type)                                                                     \
    }
HALO_SAMPLE_VALUE_LIST(DEFINE_ROW)

static void greys_BIT(const halo_sample_greys *g, const void *samples, int64_t width, uint16_t *out)
{
    const uint64_t *words = samples;
    const uint16_t greys[] = {grey_of_whole(g, 0), grey_of_whole(g, 1)};
    for (int64_t x = 0; x < width; x++) {
        out[x] = greys[words[x / WORD] >> (x % WORD) & 1];
    }
}

void halo_sample_greys_row(const halo_sample_greys *greys, const void *samples, int64_t width,
                           uint16_t *out)
{
    static void (*const rows[])(const halo_sample_greys *, const void *, int64_t, uint16_t *) = {
#define ROW_ENTRY(code, ...) greys_##code,
        HALO_SAMPLE_TYPE_LIST(ROW_ENTRY)
#undef ROW_ENTRY
    };
    rows[greys->type](greys, samples, width, out);
}
