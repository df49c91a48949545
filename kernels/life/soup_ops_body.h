/* The loops of soups, compiled once for each ISA (halobeat_isa_body); compilers vectorise them. No
 * include guard on purpose. */

#include "kernels/life/soup_ops.h"

#include <string.h>

/* Words decided together: enough to fill vector registers, few enough to end early. */
enum { TOGETHER = 32 };

/* Decides cells from the bits of their fractions, most significant first, which are the random
 * words: a cell lives if its fraction is less than the chance, which the first bit that differs
 * decides. Soon no cell is undecided, and no fraction can be below the chance when its remaining
 * bits are 0. */
static inline __attribute__((always_inline)) void decide(uint64_t first, uint32_t chance,
                                                         uint64_t *out)
{
    uint64_t draw[TOGETHER], undecided[TOGETHER], alive[TOGETHER] = {0}, open = 1;
    for (int w = 0; w < TOGETHER; w++) {
        draw[w] = first + (uint64_t)w * (LIFE_SOUP_PLANES * LIFE_SOUP_STEP);
        undecided[w] = ~UINT64_C(0);
    }
    for (; chance != 0 && open != 0; chance <<= 1) {
        uint64_t lower =
            chance >> (LIFE_SOUP_PLANES - 1) != 0 ? ~UINT64_C(0) : 0; /* bits 0 are below */
        open = 0;
        for (int w = 0; w < TOGETHER; w++) {
            uint64_t bits = life_soup_mixed(draw[w] += LIFE_SOUP_STEP);
            alive[w] |= undecided[w] & ~bits & lower;
            undecided[w] &= ~(bits ^ lower);
            open |= undecided[w];
        }
    }
    memcpy(out, alive, sizeof alive);
}

static void fill(uint64_t start, uint32_t chance, int64_t words, uint64_t *out)
{
    uint64_t last[TOGETHER];
    int64_t w = 0;
    for (; w + TOGETHER <= words; w += TOGETHER) {
        decide(start + (uint64_t)w * (LIFE_SOUP_PLANES * LIFE_SOUP_STEP), chance, out + w);
    }
    if (w < words) {
        decide(start + (uint64_t)w * (LIFE_SOUP_PLANES * LIFE_SOUP_STEP), chance, last);
        memcpy(out + w, last, (size_t)(words - w) * sizeof *out);
    }
}

const life_soup_ops HALO_ISA_OPS(life_soup_ops) = {fill};
