#include "kernels/life/soup.h"

#include <stddef.h>
#include <string.h>

enum {
    PLANES = 32,  /* bits of a cell's fraction, which is compared with the chance */
    TOGETHER = 32 /* words decided at once: enough to fill vector registers, few enough to end
                   * early */
};

/* Compiled for each instruction set by a function that it is inlined into. */
#define FOR_EACH_SET static inline __attribute__((always_inline))

/* SplitMix64: numbers are `mixed` multiples of an odd step. */
#define STEP UINT64_C(0x9E3779B97F4A7C15)

FOR_EACH_SET uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint64_t life_soup_chance(double density)
{
    return (uint64_t)(density * 4294967296.0 + 0.5);
}

/* Decide cells whose fraction's bits, from the highest down, are those of the draws: a cell lives
 * if the fraction is less than the chance, which the first bit that differs tells. Nothing is
 * undecided soon, and nothing can be below the chance once the rest of its bits are 0. */
FOR_EACH_SET void decide(uint64_t first, uint32_t chance, uint64_t *out)
{
    uint64_t draw[TOGETHER], undecided[TOGETHER], alive[TOGETHER] = {0}, open = 1;
    for (int w = 0; w < TOGETHER; w++) {
        draw[w] = first + (uint64_t)w * (PLANES * STEP);
        undecided[w] = ~UINT64_C(0);
    }
    for (; chance != 0 && open != 0; chance <<= 1) {
        uint64_t lower = chance >> (PLANES - 1) != 0 ? ~UINT64_C(0) : 0; /* bits 0 are below */
        open = 0;
        for (int w = 0; w < TOGETHER; w++) {
            uint64_t bits = mixed(draw[w] += STEP);
            alive[w] |= undecided[w] & ~bits & lower;
            undecided[w] &= ~(bits ^ lower);
            open |= undecided[w];
        }
    }
    memcpy(out, alive, sizeof alive);
}

FOR_EACH_SET void fill(uint64_t start, uint32_t chance, int64_t words, uint64_t *out)
{
    uint64_t last[TOGETHER];
    int64_t w = 0;
    for (; w + TOGETHER <= words; w += TOGETHER) {
        decide(start + (uint64_t)w * (PLANES * STEP), chance, out + w);
    }
    if (w < words) {
        decide(start + (uint64_t)w * (PLANES * STEP), chance, last);
        memcpy(out + w, last, (size_t)(words - w) * sizeof *out);
    }
}

typedef void fill_function(uint64_t start, uint32_t chance, int64_t words, uint64_t *out);

static void fill_plain(uint64_t start, uint32_t chance, int64_t words, uint64_t *out)
{
    fill(start, chance, words, out);
}

static bool has_plain(void)
{
    return true;
}

#ifdef HALOBEAT_X86
__attribute__((target("avx2"))) static void fill_avx2(uint64_t start, uint32_t chance,
                                                      int64_t words, uint64_t *out)
{
    fill(start, chance, words, out);
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

__attribute__((target("avx512f,avx512dq"))) static void fill_avx512(uint64_t start, uint32_t chance,
                                                                    int64_t words, uint64_t *out)
{
    fill(start, chance, words, out);
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}
#endif

/* The best first. */
static const struct {
    const char *name;
    bool (*is_here)(void);
    fill_function *fill;
} sets[] = {
#ifdef HALOBEAT_X86
    {"avx512", has_avx512, fill_avx512},
    {"avx2", has_avx2, fill_avx2},
#endif
    {"plain", has_plain, fill_plain},
};

bool life_soup_row_by(const char *instructions, uint64_t seed, uint64_t chance, int64_t row,
                      int64_t width, uint64_t *out)
{
    const size_t count = sizeof sets / sizeof sets[0];
    size_t s = 0;
    while (s < count && (!sets[s].is_here() ||
                         (instructions != NULL && strcmp(instructions, sets[s].name) != 0))) {
        s++;
    }
    if (s == count) {
        return false;
    }
    int64_t words = (width + 63) / 64;
    if (chance >> PLANES != 0) {
        memset(out, 0xFF, (size_t)words * sizeof *out);
    } else {
        uint64_t start = mixed(seed + ((uint64_t)row + 1) * STEP);
        sets[s].fill(start, (uint32_t)chance, words, out);
    }
    if (width % 64 != 0) {
        out[words - 1] &= (UINT64_C(1) << width % 64) - 1;
    }
    return true;
}

void life_soup_row(uint64_t seed, uint64_t chance, int64_t row, int64_t width, uint64_t *out)
{
    life_soup_row_by(NULL, seed, chance, row, width, out);
}
