#include "base/sample_bins.h"

#include "base/minmax.h"

#include <math.h>

static const uint64_t TOP = UINT64_C(1) << 63; /* of keys of unsigned numbers of 64 bits */

/* ---- bins ------------------------------------------------------------------------------------ */

halo_sample_bins halo_sample_bins_of(const halo_sample_extremes *extremes)
{
    /* Powers of 2, which round nothing but numbers that are nearly 0 beside others: ranges become
     * neither infinite nor too small for their reciprocal. */
    const double HALF = 0.5, SMALL = 0x1p-500, MUCH = 0x1p600;
    halo_sample_bins bins = {.of = *extremes, .count = HALO_SAMPLE_BINS, .unit = 1};
    if (halo_sample_types[extremes->type].grey) {
        bins.count = halo_sample_types[extremes->type].key_max + 1;
    }
    if (extremes->finite == 0) {
        return bins;
    }
    if (!halo_sample_types[extremes->type].real) {
        while (halo_sample_span(extremes) >> bins.shift >= HALO_SAMPLE_BINS) {
            bins.shift++;
        }
        return bins;
    }
    double least = halo_sample_real(extremes->type, extremes->min);
    double most = halo_sample_real(extremes->type, extremes->max);
    bins.unit = isinf(most - least) ? HALF : most - least < SMALL ? MUCH : 1;
    bins.low = least * bins.unit;
    double range = most * bins.unit - bins.low;
    bins.scale = range > 0 ? HALO_SAMPLE_BINS / range : 0;
    return bins;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Finds the bin of a sample. False: it has none, since it is not finite, or since the file has
 * changed after its extremes were found. `above`: the sample less the least one. */
static inline bool bin_of_whole(const halo_sample_bins *bins, uint64_t above, int64_t *bin)
{
    *bin = (int64_t)(above >> bins->shift);
    return above >> bins->shift < HALO_SAMPLE_BINS;
}

static inline bool bin_of_real(const halo_sample_bins *bins, double value, int64_t *bin)
{
    double at = (value * bins->unit - bins->low) * bins->scale;
    bool there = at >= 0 && at <= HALO_SAMPLE_BINS;
    *bin = there ? halo_min((int64_t)at, HALO_SAMPLE_BINS - 1) : 0;
    return there;
}

/* Keys of whole numbers are as far apart as these, and those of 64 bits without a sign begin
 * elsewhere. Greys have loops of their own below. */
#define BIN_UNSIGNED(value) bin_of_whole(&local, (uint64_t)(value)-low, &bin)
#define BIN_SIGNED(value)   BIN_UNSIGNED(value)
#define BIN_REAL(value)     bin_of_real(&local, (double)(value), &bin)

#define COUNT_GREY(code, type, kind)
#define COUNT_WIDE(code, type, kind)                                                       \
    static void count_##code(const halo_sample_bins *bins, const void *data, int64_t rows, \
                             ptrdiff_t pitch, int64_t width, int64_t *counts)              \
    {                                                                                      \
        const halo_sample_bins local = *bins;                                              \
        const uint64_t low =                                                               \
            (uint64_t)local.of.min ^ (HALO_SAMPLE_##code == HALO_SAMPLE_U64 ? TOP : 0);    \
        int64_t bin;                                                                       \
        (void)low;                                                                         \
        for (int64_t y = 0; y < rows; y++) {                                               \
            const type *row = (const void *)((const char *)data + y * pitch);              \
            for (int64_t x = 0; x < width; x++) {                                          \
                if (BIN_##kind(row[x])) {                                                  \
                    counts[bin]++;                                                         \
                }                                                                          \
            }                                                                              \
        }                                                                                  \
    }
#define COUNT_ROWS(code, type, kind, range, ...) COUNT_##range(code, type, kind)
HALO_SAMPLE_VALUE_LIST(COUNT_ROWS)

/* Neighbouring pixels often have the same value; counting them in turn in several tables keeps an
 * increment from waiting for the one before. */
enum { TABLES = 4, BYTE_VALUES = 256 };

static void count_bytes(const uint8_t *grey, int64_t width, uint32_t tables[TABLES][BYTE_VALUES])
{
    int64_t x = 0;
    for (; x + TABLES <= width; x += TABLES) {
        for (int i = 0; i < TABLES; i++) {
            tables[i][grey[x + i]]++;
        }
    }
    for (; x < width; x++) {
        tables[0][grey[x]]++;
    }
}

/* Tables are added up when they might overflow: to do so once a row would take longer than to count
 * short rows. */
static void count_U8(const halo_sample_bins *bins, const void *data, int64_t rows, ptrdiff_t pitch,
                     int64_t width, int64_t *counts)
{
    int64_t step = halo_max(UINT32_MAX / halo_max(width, 1), 1);
    (void)bins;
    for (int64_t done = 0; done < rows; done += step) {
        uint32_t tables[TABLES][BYTE_VALUES] = {0};
        for (int64_t y = done; y < halo_min(rows, done + step); y++) {
            count_bytes((const uint8_t *)data + y * pitch, width, tables);
        }
        for (int v = 0; v < BYTE_VALUES; v++) {
            counts[v] += (int64_t)tables[0][v] + tables[1][v] + tables[2][v] + tables[3][v];
        }
    }
}

static void count_U16(const halo_sample_bins *bins, const void *data, int64_t rows, ptrdiff_t pitch,
                      int64_t width, int64_t *counts)
{
    enum { UNROLLED = 4 }; /* a loop of four instructions depends on how it lies in memory */
    (void)bins;
    for (int64_t y = 0; y < rows; y++) {
        const uint16_t *row = (const void *)((const char *)data + y * pitch);
        int64_t x = 0;
        for (; x + UNROLLED <= width; x += UNROLLED) {
            for (int i = 0; i < UNROLLED; i++) {
                counts[row[x + i]]++;
            }
        }
        for (; x < width; x++) {
            counts[row[x]]++;
        }
    }
}

static void count_BIT(const halo_sample_bins *bins, const void *data, int64_t rows, ptrdiff_t pitch,
                      int64_t width, int64_t *counts)
{
    (void)bins;
    for (int64_t y = 0; y < rows; y++) {
        const uint64_t *row = (const void *)((const char *)data + y * pitch);
        int64_t set = 0;
        for (int64_t i = 0; i < (width + 63) / 64; i++) {
            set += __builtin_popcountll(row[i]);
        }
        counts[1] += set;
        counts[0] += width - set;
    }
}

typedef void count_rows(const halo_sample_bins *bins, const void *data, int64_t rows,
                        ptrdiff_t pitch, int64_t width, int64_t *counts);

void halo_sample_bins_add(const halo_sample_bins *bins, const void *data, int64_t rows,
                          ptrdiff_t pitch, int64_t width, int64_t *counts)
{
    static count_rows *const counters[] = {
#define COUNTER(code, ...) count_##code,
        HALO_SAMPLE_TYPE_LIST(COUNTER)
#undef COUNTER
    };
    if (bins->of.finite > 0) {
        counters[bins->of.type](bins, data, rows, pitch, width, counts);
    }
}

/* ---- Otsu ------------------------------------------------------------------------------------ */

/* The smallest value from `value` on that occurs. */
static int64_t next_value(const int64_t *counts, int64_t levels, int64_t value)
{
    while (value < levels && counts[value] == 0) {
        value++;
    }
    return value;
}

__extension__ typedef unsigned __int128 wide;

/* How far apart the two classes of a split are: the variance between them is, but for a factor
 * that all splits share, apart^2 / sides. */
typedef struct {
    wide apart, sides;
} split;

/* A product of three wide numbers, lowest limb first. */
enum { LIMBS = 12, LIMB_BITS = 32, WIDE_LIMBS = 4 };
typedef struct {
    uint32_t limb[LIMBS];
} product;

static void multiply(product *by, wide factor)
{
    product result = {{0}};
    for (int i = 0; i < WIDE_LIMBS; i++) {
        uint64_t part = (uint32_t)(factor >> (LIMB_BITS * i)), carry = 0;
        for (int j = 0; i + j < LIMBS; j++) {
            carry += part * by->limb[j] + result.limb[i + j];
            result.limb[i + j] = (uint32_t)carry;
            carry >>= LIMB_BITS;
        }
    }
    *by = result;
}

/* Rounding must not decide between splits of the same variance: the threshold would depend on the
 * machine. Most ratios are so far from 1 that rounding does not matter. */
static bool is_better(const split *a, const split *b)
{
    if (b->sides == 0) {
        return true;
    }
    long double apart = (long double)a->apart / (long double)b->apart;
    long double ratio = apart * apart * ((long double)b->sides / (long double)a->sides);
    if (ratio < 0.999999L || ratio > 1.000001L) {
        return ratio > 1;
    }
    product left = {{1}}, right = {{1}};
    multiply(&left, a->apart);
    multiply(&left, a->apart);
    multiply(&left, b->sides);
    multiply(&right, b->apart);
    multiply(&right, b->apart);
    multiply(&right, a->sides);
    int i = LIMBS - 1;
    while (i > 0 && left.limb[i] == right.limb[i]) {
        i--;
    }
    return left.limb[i] > right.limb[i];
}

int64_t halo_otsu(const int64_t *counts, int64_t levels)
{
    int64_t pixels = 0, sum = 0;
    for (int64_t v = 0; v < levels; v++) {
        pixels += counts[v];
        sum += v * counts[v];
    }
    int64_t lowest = next_value(counts, levels, 0);
    int64_t best = lowest, below = 0, below_sum = 0;
    split best_split = {0, 0};
    for (int64_t v = lowest; v < levels; v = next_value(counts, levels, v + 1)) {
        below += counts[v];
        below_sum += v * counts[v];
        if (below == pixels) {
            break;
        }
        split here = {.apart = (wide)sum * (wide)below - (wide)below_sum * (wide)pixels,
                      .sides = (wide)below * (wide)(pixels - below)};
        if (is_better(&here, &best_split)) {
            best_split = here;
            best = v;
        }
    }
    if (best_split.sides == 0) {
        return lowest == 0 ? 1 : lowest;
    }
    return (best + next_value(counts, levels, best + 1) + 1) / 2;
}

static int64_t key_from(halo_sample_type type, double value)
{
    const halo_number number = halo_number_of(value);
    int64_t key = 0;
    halo_sample_key_from(type, &number, &key);
    return key;
}

int64_t halo_sample_otsu(const halo_sample_bins *bins, const int64_t *counts)
{
    const halo_sample_extremes *of = &bins->of;
    int64_t zero = key_from(of->type, 0), key = key_from(of->type, 1);
    if (of->finite == 0) {
        return key;
    }
    if (of->min == of->max) {
        return of->min == zero ? key : of->min;
    }
    int64_t bin = halo_otsu(counts, bins->count);
    if (!halo_sample_types[of->type].real) {
        return (int64_t)((uint64_t)of->min + ((uint64_t)bin << bins->shift));
    }
    double most = halo_sample_real(of->type, of->max) * bins->unit;
    double width = (most - bins->low) / HALO_SAMPLE_BINS;
    key = key_from(of->type, (bins->low + (double)bin * width) / bins->unit);
    return halo_min(halo_max(key, of->min), of->max);
}
