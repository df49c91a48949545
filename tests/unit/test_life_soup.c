/* Soups against a plain implementation that makes one cell at a time. */

#include "kernels/life/soup.h"
#include "support/unit_check.h"

static const char *const sets[] = {"avx512", "avx2", "plain"};
enum { SETS = 3, MAX_WORDS = 100 };

/* Number `n` (from 0) of the SplitMix64 generator with this seed. */
static uint64_t split_mix(uint64_t seed, uint64_t n)
{
    uint64_t z = seed;
    for (uint64_t step = 0; step <= n; step++) {
        z += UINT64_C(0x9E3779B97F4A7C15);
    }
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static bool cell_lives(uint64_t row_seed, uint64_t chance, int64_t x)
{
    uint64_t fraction = 0;
    for (uint64_t digit = 0; digit < 32; digit++) {
        uint64_t number = split_mix(row_seed, 32 * (uint64_t)(x / 64) + digit);
        fraction = 2 * fraction + (number >> (x % 64) & 1);
    }
    return fraction < chance;
}

static void check_row(uint64_t seed, uint64_t chance, int64_t row, int64_t width)
{
    uint64_t wanted[MAX_WORDS] = {0}, found[MAX_WORDS + 1];
    int64_t words = (width + 63) / 64;
    uint64_t row_seed = split_mix(seed, (uint64_t)row);
    for (int64_t x = 0; x < width; x++) {
        wanted[x / 64] |= (uint64_t)cell_lives(row_seed, chance, x) << (x % 64);
    }
    for (int s = 0; s < SETS; s++) {
        memset(found, 0x5A, sizeof found);
        if (life_soup_row(sets[s], seed, chance, row, width, found)) {
            check(memcmp(found, wanted, (size_t)words * sizeof *found) == 0,
                  "%s: row %" PRId64 " of %" PRId64 " cells, chance %" PRIx64, sets[s], row, width,
                  chance);
            check(found[words] == UINT64_C(0x5A5A5A5A5A5A5A5A), "%s writes behind the row",
                  sets[s]);
        }
    }
    life_soup_row(NULL, seed, chance, row, width, found);
    check(memcmp(found, wanted, (size_t)words * sizeof *found) == 0, "the best set");
}

TEST("SplitMix64's published numbers")
{
    /* The first numbers of SplitMix64 with seed 1234567, as published with the generator. */
    CU_ASSERT_EQUAL(split_mix(1234567, 0), UINT64_C(6457827717110365317));
    CU_ASSERT_EQUAL(split_mix(1234567, 1), UINT64_C(3203168211198807973));
    CU_ASSERT_EQUAL(split_mix(1234567, 2), UINT64_C(9817491932198370423));
}

TEST("rows cell by cell, every instruction set")
{
    static const int64_t widths[] = {1,   2,   63,   64,   65,   127,  128, 129,
                                     511, 512, 2047, 2048, 2049, 2111, 2112};
    static const uint64_t chances[] = {
        0,          1,          2,          0x80000000, 0x7FFFFFFF,
        0x80000001, 0xFFFFFFFF, 0x59999999, 0x12345678, UINT64_C(1) << 32};
    for (size_t w = 0; w < COUNT(widths); w++) {
        for (size_t c = 0; c < COUNT(chances); c++) {
            check_row(w + 7 * c, chances[c], (int64_t)(w * c), widths[w]);
        }
    }
}

/* A cell is dead at a chance equal to its own fraction and alive at the next one: every digit
 * counts, the last one too. */
TEST("every digit of the chance counts")
{
    uint64_t row[2];
    for (int64_t n = 0; n < 300; n++) {
        int64_t x = n * 37 % 128;
        uint64_t fraction = 0, row_seed = split_mix(21, (uint64_t)n);
        for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1) {
            fraction += cell_lives(row_seed, fraction + bit, x) ? 0 : bit;
        }
        for (int s = 0; s < SETS; s++) {
            if (life_soup_row(sets[s], 21, fraction, n, 128, row)) {
                check((row[x / 64] >> (x % 64) & 1) == 0, "%s: alive at its fraction", sets[s]);
                life_soup_row(sets[s], 21, fraction + 1, n, 128, row);
                check((row[x / 64] >> (x % 64) & 1) == 1, "%s: dead above it", sets[s]);
            }
        }
    }
}

/* Far rows, negative seeds and neighbouring seeds give other cells. */
TEST("seeds and rows differ")
{
    static const uint64_t seeds[] = {0, 1, 2, UINT64_MAX, UINT64_C(1) << 63};
    static const int64_t places[] = {0, 1, 2, INT64_C(1) << 31, INT64_C(1) << 32, INT64_MAX};
    enum { ROWS = 30 };
    uint64_t rows[ROWS];
    for (int n = 0; n < ROWS; n++) {
        life_soup_row(NULL, seeds[n / 6], UINT64_C(1) << 31, places[n % 6], 64, &rows[n]);
        for (int m = 0; m < n; m++) {
            check(rows[n] != rows[m], "rows %d and %d are the same", m, n);
        }
    }
}

TEST("an instruction set that there is not")
{
    uint64_t row[2] = {7, 8};
    CU_ASSERT_FALSE(life_soup_row("none", 1, 1, 1, 100, row));
    CU_ASSERT_EQUAL(row[0], 7);
    CU_ASSERT_TRUE(life_soup_row("plain", 1, 0, 1, 100, row));
    CU_ASSERT_EQUAL(row[0], 0);
}
