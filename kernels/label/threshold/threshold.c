#include "kernels/label/threshold/threshold.h"

#include "base/minmax.h"
#include "kernels/label/rows/raster_rows.h"
#include "kernels/label/rows/row_ops.h"

const halo_isa_variant label_row_variants[] = HALO_ISA_VARIANTS(label_row_ops, AVX512_BITS);

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
static void add_byte_rows(const halo_view *grey, int64_t first, int64_t rows, int64_t *counts)
{
    int64_t width = label_view_width(grey), step = halo_max(UINT32_MAX / halo_max(width, 1), 1);
    for (int64_t done = 0; done < rows; done += step) {
        uint32_t tables[TABLES][BYTE_VALUES] = {0};
        int64_t end = first + halo_min(rows, done + step);
        for (int64_t y = first + done; y < end; y++) {
            count_bytes(label_view_row(grey, y), width, tables);
        }
        for (int v = 0; v < BYTE_VALUES; v++) {
            counts[v] += (int64_t)tables[0][v] + tables[1][v] + tables[2][v] + tables[3][v];
        }
    }
}

static int64_t count_bits(const uint64_t *row, int64_t width)
{
    int64_t set = 0;
    for (int64_t i = 0; i < (width + 63) / 64; i++) {
        set += __builtin_popcountll(row[i]);
    }
    return set;
}

void halo_histogram_add(const halo_view *grey, int64_t first, int64_t rows, int64_t *counts)
{
    halo_view all = *grey;
    if (first == 0 && rows == label_view_rows(grey)) {
        all = label_view_joined(grey);
        grey = &all;
        rows = label_view_rows(grey);
    }
    int64_t width = label_view_width(grey);
    if (grey->cell_bits == 8) {
        add_byte_rows(grey, first, rows, counts);
        return;
    }
    for (int64_t y = first; y < first + rows; y++) {
        if (grey->cell_bits == 1) {
            int64_t set = count_bits(label_view_row(grey, y), width);
            counts[1] += set;
            counts[0] += width - set;
            continue;
        }
        const uint16_t *row = label_view_row(grey, y);
        for (int64_t x = 0; x < width; x++) {
            counts[row[x]]++;
        }
    }
}

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

/* Splits with the same variance must not be told apart by a rounding: which of them is the lowest
 * would depend on the machine. Most are far enough from each other for a glance. */
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

/* How rows are compared: from `min` on, and, if they are bounded, below `end`. Either may be one
 * above the largest sample. */
typedef struct {
    const label_row_ops *ops;
    int cell_bits;
    uint32_t min, end;
    bool bounded;
} comparison;

static uint32_t limit_of(int cell_bits, int64_t threshold)
{
    return (uint32_t)halo_min(halo_max(threshold, 0), INT64_C(1) << cell_bits);
}

/* A stretch of a row: bits = grey >= limit. */
static void compare(const comparison *by, const unsigned char *row, int64_t width, uint32_t limit,
                    uint64_t *bits)
{
    if (by->cell_bits == 8) {
        by->ops->pack8(row, width, limit, bits);
    } else if (by->cell_bits == 16) {
        by->ops->pack16((const uint16_t *)(const void *)row, width, limit, bits);
    } else {
        const uint64_t *words = (const uint64_t *)(const void *)row;
        for (int64_t i = 0; i < (width + 63) / 64; i++) {
            bits[i] = limit == 0 ? UINT64_MAX : limit == 1 ? words[i] : 0;
        }
    }
}

/* The same with both bounds; bits beyond the width are left as they come. */
static void compare_range(const comparison *by, const unsigned char *row, int64_t width,
                          uint64_t *bits)
{
    enum { STRETCH = 4096, WORDS = STRETCH / 64 };
    uint64_t above[WORDS];
    if (!by->bounded) {
        compare(by, row, width, by->min, bits);
        return;
    }
    for (int64_t x = 0; x < width; x += STRETCH) {
        int64_t left = halo_min(width - x, STRETCH);
        const unsigned char *from = row + x * by->cell_bits / 8;
        compare(by, from, left, by->min, bits + x / 64);
        compare(by, from, left, by->end, above);
        for (int64_t i = 0; i < (left + 63) / 64; i++) {
            bits[x / 64 + i] &= ~above[i];
        }
    }
}

static void invert_row(const uint64_t *bits, int64_t width, uint64_t *inverse)
{
    for (int64_t i = 0; i < (width + 63) / 64; i++) {
        inverse[i] = ~bits[i];
    }
}

/* Bits past the width are zero. */
static void end_row(uint64_t *bits, int64_t width)
{
    if (width % 64 != 0) {
        bits[width / 64] &= (UINT64_C(1) << (width % 64)) - 1;
    }
}

void halo_threshold(const halo_view *grey, const halo_grey_range *range, int64_t first,
                    int64_t rows, const halo_view *foreground, const char *instructions)
{
    const halo_isa_variant *variant = halo_isa_find(label_row_variants, instructions);
    variant = variant != NULL ? variant : halo_isa_find(label_row_variants, NULL);
    const comparison by = {.ops = variant->ops,
                           .cell_bits = grey->cell_bits,
                           .min = limit_of(grey->cell_bits, range->min),
                           .end = limit_of(grey->cell_bits, halo_min(range->max, UINT32_MAX) + 1),
                           .bounded = range->max < (INT64_C(1) << grey->cell_bits) - 1};
    int64_t width = label_view_width(grey);
    int axis = grey->axes - 2; /* rows of a plane */
    for (int64_t r = first; r < first + rows;) {
        const unsigned char *row = label_view_row(grey, r);
        char *out = label_view_row(foreground, r);
        int64_t end = halo_min(first + rows, (r / grey->owned.n[axis] + 1) * grey->owned.n[axis]);
        for (; r < end; r++) {
            uint64_t *bits = (uint64_t *)(void *)out;
            compare_range(&by, row, width, bits);
            if (range->invert) {
                invert_row(bits, width, bits);
            }
            end_row(bits, width);
            row += grey->stride[axis];
            out += foreground->stride[axis];
        }
    }
}

void halo_foreground_invert(const halo_view *from, const halo_view *to)
{
    int64_t rows = label_view_rows(from), width = label_view_width(from);
    for (int64_t r = 0; r < rows; r++) {
        uint64_t *inverse = label_view_row(to, r);
        invert_row(label_view_row(from, r), width, inverse);
        end_row(inverse, width);
    }
}

void halo_foreground_limit(const halo_view *foreground, const halo_view *where)
{
    int64_t rows = label_view_rows(foreground), width = label_view_width(foreground);
    for (int64_t r = 0; r < rows; r++) {
        uint64_t *bits = label_view_row(foreground, r);
        const uint64_t *limit = label_view_row(where, r);
        for (int64_t i = 0; i < (width + 63) / 64; i++) {
            bits[i] &= limit[i];
        }
    }
}

int64_t halo_foreground_count(const halo_view *foreground)
{
    int64_t set = 0, rows = label_view_rows(foreground);
    for (int64_t r = 0; r < rows; r++) {
        set += count_bits(label_view_row(foreground, r), label_view_width(foreground));
    }
    return set;
}
