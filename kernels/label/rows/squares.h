#ifndef HALOBEAT_LABEL_SQUARES_H
#define HALOBEAT_LABEL_SQUARES_H

#include <stdint.h>

/* Squares of bits that change rows for columns. Local; internal to the label kernel. */

/* The logarithm of the size of squares that hold `columns`, from 2 to 64. */
static inline int label_squares_log(int64_t columns)
{
    return 64 - __builtin_clzll((uint64_t)columns - 1);
}

/* Words hold squares of `size` x `size` bits side by side, rows of a square one after the other in
 * words: in each square bit c of row r becomes bit r of row c. Halves of ever smaller squares
 * change places (H. S. Warren, Hacker's Delight, 2nd edition, section 7-3). */
static inline void label_squares_transpose(uint64_t *words, int size)
{
    for (int half = size / 2; half > 0; half /= 2) {
        uint64_t mask = UINT64_MAX / ((UINT64_C(1) << half) + 1); /* the low half of each */
        for (int i = 0; i < size; i = (i + half + 1) & ~half) {
            uint64_t swap = (words[i] >> half ^ words[i + half]) & mask;
            words[i] ^= swap << half;
            words[i + half] ^= swap;
        }
    }
}

#endif
