#include "kernels/label/threshold/label_signs.h"
#include "support/images.h"
#include "support/unit_check.h"

/* An image of `rows` rows and the view of it. */
static halo_view view_of(void *samples, int bits, int64_t rows, int64_t width)
{
    return (halo_view){.axes = 2,
                       .cell_bits = bits,
                       .origin = samples,
                       .stride = {width * bits / 8, bits / 8},
                       .owned = {.n = {rows, width, 1}}};
}

static halo_label_look judge(const int64_t *counts, int64_t levels, int64_t first, bool wide,
                             double equal)
{
    int64_t values;
    const halo_label_signs signs = {.pairs = 1000, .equal = (int64_t)(1000 * equal)};
    const halo_label_histogram histogram = {
        .counts = counts, .levels = levels, .first = first, .wide = wide};
    return halo_label_signs_judge(&signs, &histogram, &values);
}

TEST("pairs of neighbours, of all widths of samples")
{
    uint8_t bytes[2][6] = {{0, 0, 1, 1, 2, 2}, {5, 5, 5, 0, 0, 0}};
    uint16_t halves[2][6];
    uint32_t words[2][6];
    uint64_t longs[2][6];
    for (int i = 0; i < 12; i++) { /* what tells values apart is in the highest bytes */
        halves[i / 6][i % 6] = (uint16_t)(bytes[i / 6][i % 6] << 8);
        words[i / 6][i % 6] = (uint32_t)bytes[i / 6][i % 6] << 24;
        longs[i / 6][i % 6] = (uint64_t)bytes[i / 6][i % 6] << 56;
    }
    void *const samples[] = {bytes, halves, words, longs};
    for (int i = 0; i < 4; i++) {
        const halo_view view = view_of(samples[i], 8 << i, 2, 6);
        halo_label_signs signs = {.height = 2};
        halo_label_signs_add(&signs, &view, 0, 2, 0);
        CU_ASSERT_EQUAL(signs.pairs, 4 + 3);
        CU_ASSERT_EQUAL(signs.equal, 2 + 2);
    }
    uint64_t bits[2] = {~UINT64_C(0), 0};
    const halo_view view = view_of(bits, 1, 2, 64);
    halo_label_signs signs = {.height = 2};
    halo_label_signs_add(&signs, &view, 0, 2, 0);
    CU_ASSERT_EQUAL(signs.pairs, 0);
}

TEST("the same rows are looked at, however many come at a time")
{
    enum { ROWS = 5000, WIDTH = 3 };
    static uint8_t samples[ROWS][WIDTH];
    uint64_t random = 7;
    for (int i = 0; i < ROWS * WIDTH; i++) {
        samples[i / WIDTH][i % WIDTH] = (uint8_t)random_below(&random, 3);
    }
    const halo_view all = view_of(samples, 8, ROWS, WIDTH);
    halo_label_signs whole = {.height = ROWS};
    halo_label_signs_add(&whole, &all, 0, ROWS, 0);
    CU_ASSERT(whole.pairs > 400 && whole.pairs < 2 * 512);
    for (int64_t step = 1; step < 1500; step += 77) {
        halo_label_signs parts = {.height = ROWS};
        for (int64_t first = 0; first < ROWS; first += step) {
            int64_t rows = first + step < ROWS ? step : ROWS - first;
            const halo_view band = view_of(samples[first], 8, rows, WIDTH);
            halo_label_signs_add(&parts, &band, 0, rows, first);
        }
        CU_ASSERT_EQUAL(parts.pairs, whole.pairs);
        CU_ASSERT_EQUAL(parts.equal, whole.equal);
    }
}

TEST("masks, segmentations, labels and pictures")
{
    enum { LEVELS = 65536 };
    static int64_t counts[LEVELS];
    counts[0] = counts[255] = 1;
    CU_ASSERT_EQUAL(judge(counts, 256, 0, false, 1), HALO_LOOKS_MASK);
    counts[7] = 1;
    CU_ASSERT_EQUAL(judge(counts, 256, 0, false, .9), HALO_LOOKS_FEW);
    CU_ASSERT_EQUAL(judge(counts, 256, -1, false, .9), HALO_LOOKS_FEW);
    CU_ASSERT_EQUAL(judge(counts, 256, 0, false, .1), HALO_LOOKS_PICTURE); /* photons in the dark */
    for (int v = 0; v < 12; v++) {
        counts[20 * v] = 1;
    }
    CU_ASSERT_EQUAL(judge(counts, 256, 0, false, .9), HALO_LOOKS_PICTURE); /* a drawing */
    for (int v = 0; v < 256; v++) {
        counts[v] = v < 12;
    }
    CU_ASSERT_EQUAL(judge(counts, 256, 0, false, .9), HALO_LOOKS_FEW);
    counts[255] = 1;
    for (int v = 0; v < 100; v++) {
        counts[v] = 1;
    }
    CU_ASSERT_EQUAL(judge(counts, 256, 0, false, .95), HALO_LOOKS_PICTURE); /* one with white */
    counts[255] = 0;
    CU_ASSERT_EQUAL(judge(counts, 256, 0, false, .95), HALO_LOOKS_LABELS);
    CU_ASSERT_EQUAL(judge(counts, 256, 0, false, .5), HALO_LOOKS_PICTURE);
    CU_ASSERT_EQUAL(judge(counts, LEVELS, 1, true, .75), HALO_LOOKS_LABELS);
    CU_ASSERT_EQUAL(judge(counts, LEVELS, 2, true, .75),
                    HALO_LOOKS_PICTURE); /* 2 is no first one */
    CU_ASSERT_EQUAL(judge(counts, LEVELS, -1, true, .95), HALO_LOOKS_PICTURE);
    counts[LEVELS - 1] = 1; /* numbers with large gaps */
    CU_ASSERT_EQUAL(judge(counts, LEVELS, 0, true, .75), HALO_LOOKS_PICTURE);
    CU_ASSERT_EQUAL(judge(counts, LEVELS, 0, true, .85), HALO_LOOKS_LABELS);
    CU_ASSERT_EQUAL(judge(counts, LEVELS, 0, false, .85), HALO_LOOKS_PICTURE);
}
