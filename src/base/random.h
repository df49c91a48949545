#ifndef HALOBEAT_BASE_RANDOM_H
#define HALOBEAT_BASE_RANDOM_H

#include <stdint.h>

/* A counter-based random number generator for kernels: a number is a function of its purpose (a
 * seed, a beat, a cell), not of the numbers drawn before, so that results do not depend on which
 * rank computes a cell, nor on the order.
 *
 * Philox4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as
 * easy as 1, 2, 3, SC 2011), which passes BigCrush. All functions are local. */

/* Four random words from a counter and a key. */
static inline void halo_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    enum { ROUNDS = 10 };
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t a = UINT64_C(0xd2511f53) * c0, b = UINT64_C(0xcd9e8d57) * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += 0x9e3779b9;
        k1 += 0xbb67ae85;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* Writes numbers `first` to `first + count - 1` of a stream of a seed to `out` [count]; `first` is
 * 0 or more. A stream has 2^64 numbers of 32 bits: number n is word n % 4 of the block with counter
 * (n / 4, stream). For a cellular automaton the stream is the beat and the number is the cell's
 * index y * width + x; a row at a time costs a quarter of single cells. */
void halo_random_fill(uint64_t seed, uint64_t stream, int64_t first, int64_t count, uint32_t *out);

/* One number of a stream. */
static inline uint32_t halo_random_at(uint64_t seed, uint64_t stream, int64_t number)
{
    uint64_t block = (uint64_t)number / 4;
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream,
                           (uint32_t)(stream >> 32)};
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, four[4];
    halo_philox(counter, key, four);
    return four[number % 4];
}

/* The limit that a number is below with probability p, 0 to 1, in units of 2^-32, rounded to
 * nearest; 2^32 for p = 1. */
static inline uint64_t halo_random_chance(double p)
{
    return p <= 0 ? 0 : p >= 1 ? UINT64_C(1) << 32 : (uint64_t)(p * 4294967296.0 + .5);
}

#endif
