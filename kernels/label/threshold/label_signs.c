#include "kernels/label/threshold/label_signs.h"

#include "kernels/label/rows/raster_rows.h"

#include <stddef.h>

/* ---- neighbours ------------------------------------------------------------------------------ */

#define COUNT_PAIRS(bits)                                                                        \
    static void count_##bits(const void *samples, int64_t width, uint64_t out, int64_t found[2]) \
    {                                                                                            \
        const uint##bits##_t *row = samples, none = (uint##bits##_t)out;                         \
        int64_t pairs = 0, equal = 0;                                                            \
        for (int64_t x = 1; x < width; x++) {                                                    \
            pairs += row[x - 1] != none || row[x] != none;                                       \
            equal += row[x] != none && row[x - 1] == row[x];                                     \
        }                                                                                        \
        found[0] = pairs;                                                                        \
        found[1] = equal;                                                                        \
    }
COUNT_PAIRS(8)
COUNT_PAIRS(16)
COUNT_PAIRS(32)
COUNT_PAIRS(64)
#undef COUNT_PAIRS

typedef void count_pairs(const void *samples, int64_t width, uint64_t out, int64_t found[2]);

void halo_label_signs_add(halo_label_signs *signs, const halo_view *values, int64_t first,
                          int64_t rows, int64_t number)
{
    enum { LOOKED_AT = 512 };
    static count_pairs *const counts[] = {
        [8] = count_8, [16] = count_16, [32] = count_32, [64] = count_64};
    const int64_t every = 1 + signs->height / LOOKED_AT;
    count_pairs *count = counts[values->cell_bits];
    int64_t skipped = (every - number % every) % every;
    for (int64_t r = skipped; r < rows && count != NULL; r += every) {
        int64_t found[2];
        count(label_view_row(values, first + r), label_view_width(values), signs->background,
              found);
        signs->pairs += found[0];
        signs->equal += found[1];
    }
}

/* ---- what they mean -------------------------------------------------------------------------- */

/* Label images that are not noise have 0.8 and more of equal neighbours, photographs less than 0.5,
 * and counts of photons, which have few values when they are dark, less than 0.2. */
static const double EQUAL_OF_FEW = .3, EQUAL_OF_LABELS = .7, EQUAL_OF_WIDE = .8;

halo_label_look halo_label_signs_judge(const halo_label_signs *signs,
                                       const halo_label_histogram *histogram, int64_t *values)
{
    enum { FEW = 8, FEW_IN_ORDER = 16 };
    int64_t found = 0, low = -1, high = 0;
    for (int64_t v = 0; v < histogram->levels; v++) {
        if (histogram->counts[v] > 0) {
            found++;
            low = low < 0 ? v : low;
            high = v;
        }
    }
    *values = found;
    if (found <= 2) {
        return HALO_LOOKS_MASK;
    }
    double equal = signs->pairs > 0 ? (double)signs->equal / (double)signs->pairs : 0;
    /* Numbers of regions begin at 0 or 1, and few are left out; greys that do so reach white. */
    bool counted = histogram->first >= 0 && histogram->first + low <= 1 && 2 * found > high - low &&
                   (histogram->wide || high < histogram->levels - 1);
    if (found <= FEW || (counted && found <= FEW_IN_ORDER)) {
        return equal >= EQUAL_OF_FEW ? HALO_LOOKS_FEW : HALO_LOOKS_PICTURE;
    }
    bool labels = (counted && equal >= EQUAL_OF_LABELS) ||
                  (histogram->wide && histogram->first >= 0 && equal >= EQUAL_OF_WIDE);
    return labels ? HALO_LOOKS_LABELS : HALO_LOOKS_PICTURE;
}
