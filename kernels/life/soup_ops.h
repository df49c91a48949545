#ifndef HALOBEAT_LIFE_SOUP_OPS_H
#define HALOBEAT_LIFE_SOUP_OPS_H

#include <stdint.h>

/* The inner loops of soups, compiled from one source for each ISA, all with the same results.
 * Internal to the Life kernel. */

enum { LIFE_SOUP_PLANES = 32 }; /* bits of a cell's fraction, which is compared with the chance */

/* SplitMix64: numbers are hashed multiples of an odd step. */
#define LIFE_SOUP_STEP UINT64_C(0x9E3779B97F4A7C15)

static inline __attribute__((always_inline)) uint64_t life_soup_mixed(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

typedef struct {
    /* `words` words of a row whose generator has the state `start`; the chance is less than 1. */
    void (*fill)(uint64_t start, uint32_t chance, int64_t words, uint64_t *out);
} life_soup_ops;

extern const life_soup_ops life_soup_ops_avx512, life_soup_ops_avx2, life_soup_ops_plain;

#endif
