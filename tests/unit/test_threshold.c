#include "kernels/label/threshold/threshold.h"
#include "support/images.h"
#include "support/unit_check.h"

__extension__ typedef unsigned __int128 wide;

/* ---- Otsu by its definition ---------------------------------------------------------------- */

/* The difference between the means of the pixels on either side of a split, times the pixels on
 * both: the variance between the classes is apart^2 / sides, without a rounding. */
typedef struct {
    wide apart, sides;
} split;

static split split_after(const int64_t *counts, int64_t levels, int64_t last)
{
    int64_t pixels[2] = {0}, sums[2] = {0};
    for (int64_t v = 0; v < levels; v++) {
        pixels[v > last] += counts[v];
        sums[v > last] += v * counts[v];
    }
    wide upper = (wide)sums[1] * (wide)pixels[0], lower = (wide)sums[0] * (wide)pixels[1];
    return (split){upper - lower, (wide)pixels[0] * (wide)pixels[1]};
}

/* a.apart^2 / a.sides > b.apart^2 / b.sides; the histograms are small enough for 128 bits. */
static bool is_better(const split *a, const split *b)
{
    return b->sides == 0 || a->apart * a->apart * b->sides > b->apart * b->apart * a->sides;
}

static int64_t otsu_by_definition(const int64_t *counts, int64_t levels)
{
    split best = {0, 0};
    int64_t last = -1, values = 0, lowest = -1;
    for (int64_t v = 0; v < levels; v++) {
        if (counts[v] == 0) {
            continue;
        }
        lowest = values++ == 0 ? v : lowest;
        split now = split_after(counts, levels, v);
        if (now.sides > 0 && is_better(&now, &best)) {
            best = now;
            last = v;
        }
    }
    if (values == 1) {
        return lowest == 0 ? 1 : lowest;
    }
    int64_t next = last + 1;
    while (counts[next] == 0) {
        next++;
    }
    return (last + next + 1) / 2;
}

static void check_otsu(const int64_t *counts, int64_t levels, const char *name)
{
    int64_t found = halo_otsu(counts, levels), wanted = otsu_by_definition(counts, levels);
    check(found == wanted, "%s of %" PRId64 " levels: %" PRId64 ", not %" PRId64, name, levels,
          found, wanted);
}

TEST("Otsu against its definition")
{
    static int64_t counts[65536];
    uint64_t random = 1;
    for (int round = 0; round < 20000; round++) {
        int64_t levels = 2 + random_below(&random, 15), max = 1 + random_below(&random, 40);
        int64_t sum = 0;
        for (int64_t v = 0; v < levels; v++) {
            counts[v] = random_below(&random, 3) == 0 ? 0 : random_below(&random, max);
            sum += counts[v];
        }
        counts[random_below(&random, levels)] += sum == 0;
        check_otsu(counts, levels, "a few values");
    }
    for (int round = 0; round < 500; round++) { /* many values, or 30 of very many */
        int64_t levels = round < 300 ? 256 : 65536, values = round < 300 ? 256 : 30;
        memset(counts, 0, sizeof counts);
        for (int64_t i = 0; i < values; i++) {
            int64_t v = values == levels ? i : random_below(&random, levels);
            counts[v] = random_below(&random, 1 + random_below(&random, 40));
        }
        counts[random_below(&random, levels)]++;
        check_otsu(counts, levels, "many values");
    }
}

/* Many pixels with the same shares have the same threshold. */
TEST("Otsu with more pixels than 32 bits count")
{
    static int64_t counts[256];
    uint64_t random = 6;
    for (int round = 0; round < 2000; round++) {
        int64_t levels = 3 + random_below(&random, 200);
        for (int64_t v = 0; v < (levels + 1) / 2; v++) {
            counts[v] = counts[levels - 1 - v] = 1 + random_below(&random, 9);
        }
        int64_t wanted = otsu_by_definition(counts, levels);
        for (int64_t v = 0; v < levels; v++) {
            counts[v] *= INT64_C(12345678901);
        }
        int64_t found = halo_otsu(counts, levels);
        check(found == wanted, "many pixels: %" PRId64 ", not %" PRId64, found, wanted);
    }
}

TEST("Otsu with one or two values")
{
    static int64_t counts[65536];
    static const int64_t sizes[] = {2, 256, 65536};
    uint64_t random = 3;
    for (int s = 0; s < 3; s++) {
        int64_t levels = sizes[s];
        memset(counts, 0, sizeof counts);
        counts[0] = 17;
        CU_ASSERT_EQUAL(halo_otsu(counts, levels), 1); /* nothing is foreground */
        counts[0] = 0;
        counts[levels - 1] = 3;
        CU_ASSERT_EQUAL(halo_otsu(counts, levels), levels - 1); /* everything is */
        counts[0] = INT64_C(1) << 40;
        CU_ASSERT_EQUAL(halo_otsu(counts, levels), levels / 2);
        for (int round = 0; round < 100; round++) {
            memset(counts, 0, sizeof counts);
            int64_t one = random_below(&random, levels), other = random_below(&random, levels);
            counts[one] = 1 + random_below(&random, INT64_C(1) << 40);
            counts[other] += 1 + random_below(&random, 1000);
            int64_t found = halo_otsu(counts, levels);
            int64_t low = one < other ? one : other, high = one < other ? other : one;
            int64_t wanted = low == high ? low + (low == 0) : (low + high + 1) / 2;
            check(found == wanted, "%" PRId64 " and %" PRId64 ": %" PRId64, one, other, found);
            check(low == high || (found > low && found <= high), "not between the values");
        }
    }
}

/* ---- histograms and foreground pixels of rows ----------------------------------------------- */

typedef struct {
    halo_field *grey, *foreground;
    int64_t height, width, levels;
} picture;

static int64_t sample(const picture *p, int64_t y, int64_t x)
{
    const void *row = halo_row(halo_field_view(p->grey), y);
    switch (p->levels) {
    case 2:
        return ((const uint64_t *)row)[x / 64] >> (x % 64) & 1;
    case 256:
        return ((const uint8_t *)row)[x];
    default:
        return ((const uint16_t *)row)[x];
    }
}

static halo_sample_type type_of(const picture *p)
{
    return p->levels == 2 ? HALO_SAMPLE_BIT : p->levels == 256 ? HALO_SAMPLE_U8 : HALO_SAMPLE_U16;
}

static picture make_picture(int bits, int64_t height, int64_t width, uint64_t *random)
{
    picture p = {.height = height, .width = width, .levels = INT64_C(1) << bits};
    halo_domain domain = {.axes = 2, .n = {height + 3, width, 1}};
    halo_box owned = {.lo = {2}, .n = {height, width, 1}};
    if (halo_field_create(&p.grey, &domain, &owned, bits, 0) != HALO_OK ||
        halo_field_create(&p.foreground, &domain, &owned, HALO_BIT, 0) != HALO_OK) {
        abort();
    }
    for (int64_t y = 0; y < height; y++) {
        unsigned char *row = halo_row(halo_field_view(p.grey), y);
        for (int64_t x = 0; x < width * bits; x += 8) { /* bits beyond the last stay 0 */
            int mask = width * bits - x < 8 ? (1 << (width * bits - x)) - 1 : 255;
            row[x / 8] = (unsigned char)(random_next(random) & (unsigned)mask);
        }
    }
    return p;
}

static void free_picture(picture *p)
{
    halo_field_destroy(&p->grey);
    halo_field_destroy(&p->foreground);
}

static void check_threshold(const picture *p, int64_t threshold, int64_t max, bool invert,
                            const char *set)
{
    const halo_view *grey = halo_field_view(p->grey), *foreground = halo_field_view(p->foreground);
    int64_t set_pixels = 0, wrong = 0;
    const halo_key_range range = {threshold, max, invert};
    halo_threshold(grey, type_of(p), &range, foreground, set);
    for (int64_t y = 0; y < p->height; y++) {
        const uint64_t *row = halo_row(foreground, y);
        for (int64_t x = 0; x < (p->width + 63) / 64 * 64; x++) {
            int64_t grey_here = sample(p, y, x < p->width ? x : 0);
            bool wanted = x < p->width && (grey_here >= threshold && grey_here <= max) != invert;
            wrong += ((row[x / 64] >> (x % 64) & 1) != 0) != wanted;
            set_pixels += wanted;
        }
    }
    check(wrong == 0,
          "%s, %" PRId64 " levels at %" PRId64 "%s: %" PRId64 " of %" PRId64 " x %" PRId64
          " pixels are wrong",
          set, p->levels, threshold, invert ? ", inverted" : "", wrong, p->height, p->width);
    check(halo_foreground_count(foreground) == set_pixels,
          "%" PRId64 " foreground pixels, not %" PRId64, halo_foreground_count(foreground),
          set_pixels);
}

static void check_histogram(const picture *p)
{
    static int64_t counts[65536], wanted[65536];
    size_t bytes = (size_t)p->levels * sizeof *counts;
    memset(counts, 0, sizeof counts);
    memset(wanted, 0, sizeof wanted);
    counts[0] = wanted[0] = 5; /* it adds to what is there */
    const halo_sample_extremes of = halo_sample_type_extremes(type_of(p));
    const halo_sample_bins bins = halo_sample_bins_of(&of);
    CU_ASSERT_EQUAL(bins.count, p->levels);
    halo_histogram_add(&bins, halo_field_view(p->grey), counts);
    for (int64_t y = 0; y < p->height; y++) {
        for (int64_t x = 0; x < p->width; x++) {
            wanted[sample(p, y, x)]++;
        }
    }
    check(memcmp(counts, wanted, bytes) == 0, "a histogram of %" PRId64 " levels, width %" PRId64,
          p->levels, p->width);
}

static void check_picture(int bits, int64_t width, uint64_t *random)
{
    /* The best of this machine are used in place of those it lacks. */
    static const char *const sets[] = {"avx512", "avx2", "plain"};
    picture p = make_picture(bits, 1 + random_below(random, 6), width, random);
    const int64_t thresholds[] = {0, 1, p.levels / 2, p.levels - 1, p.levels, p.levels + 7, -3};
    check_histogram(&p);
    for (int s = 0; s < 3; s++) {
        for (size_t t = 0; t < COUNT(thresholds); t++) {
            const int64_t maxima[] = {INT64_MAX, thresholds[(t + 1) % COUNT(thresholds)]};
            for (int m = 0; m < 2; m++) {
                check_threshold(&p, thresholds[t], maxima[m], false, sets[s]);
                check_threshold(&p, thresholds[t], maxima[m], true, sets[s]);
            }
        }
    }
    free_picture(&p);
}

TEST("histograms, foreground pixels and their number")
{
    uint64_t random = 5;
    for (int64_t width = 1; width <= 135; width++) {
        check_picture(1, width, &random);
        check_picture(8, width, &random);
        check_picture(16, width, &random);
    }
    /* It is halo_label_create that refuses instructions that there are not. */
    picture p = make_picture(8, 3, 100, &random);
    check_threshold(&p, p.levels / 2, INT64_MAX, false, "none that there are");
    free_picture(&p);
}

TEST("a strip without rows")
{
    halo_domain domain = {.axes = 2, .n = {4, 100, 1}};
    halo_box nothing = {.lo = {4}, .n = {0, 100, 1}};
    halo_field *foreground;
    SUCCEEDS(halo_field_create(&foreground, &domain, &nothing, HALO_BIT, 0));
    CU_ASSERT_EQUAL(halo_foreground_count(halo_field_view(foreground)), 0);
    halo_field_destroy(&foreground);
}
