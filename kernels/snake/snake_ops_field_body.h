/* The loops of the gradient field: included by each snake_ops_*.c, which is compiled for its
 * instructions and defines VECTOR_BYTES and MULTIPLY_HIGH(a, b), the upper halves of the products
 * of vectors of unsigned 16-bit numbers. No include guard on purpose. */

#include "kernels/snake/snake_ops.h"

#include <math.h>

/* Vectors as GCC and Clang have them in C: operators mean the same at any length. */
typedef uint16_t cells __attribute__((vector_size(VECTOR_BYTES), aligned(2), may_alias));
typedef uint8_t pixels __attribute__((vector_size(VECTOR_BYTES / 2), aligned(1), may_alias));

enum {
    CELLS = VECTOR_BYTES / 2, /* of a vector */
    TOGETHER = 4,             /* vectors */
    STEP = TOGETHER * CELLS
};

#ifndef MULTIPLY_HIGH
static inline cells multiply_high(cells a, cells b)
{
    cells product;
    for (int i = 0; i < CELLS; i++) {
        product[i] = (uint16_t)((uint32_t)a[i] * b[i] >> 16);
    }
    return product;
}
#define MULTIPLY_HIGH(a, b) multiply_high(a, b)
#endif

/* Numbers have 15 bits, so that the sum of two of them, which have the same weight, has 16. */
#define WIDEN(at)    __builtin_convertvector(*(const pixels *)(at), cells)
#define LOAD(at)     (*(const cells *)(at))
#define ONE8(a)      (WIDEN(a) << 7)
#define PAIR8(a, b)  ((WIDEN(a) + WIDEN(b)) << 7)
#define ONE16(a)     (LOAD(a) >> 1)
#define PAIR16(a, b) (ONE16(a) + ONE16(b))
#define ONE15(a)     LOAD(a)
#define PAIR15(a, b) (LOAD(a) + LOAD(b))
#define CELL8(a)     ((uint32_t) * (a) << 7)
#define CELL16(a)    ((uint32_t) * (a) >> 1)
#define CELL15(a)    ((uint32_t) * (a))
#define ROW(k)       (rows[taps->radius + (k)] + x)
#define ALONG(k)     (in + x + (k))

/* Some vectors; `at(k)` is where the pixels at distance k lie. */
#define BLUR_VECTORS(one, pair, at)                                                            \
    do {                                                                                       \
        cells sums[TOGETHER], weight = taps->weights[0] - (cells){0};                          \
        for (int v = 0; v < TOGETHER; v++) {                                                   \
            sums[v] = MULTIPLY_HIGH(one(at(0) + v * CELLS), weight);                           \
        }                                                                                      \
        for (int k = 1; k <= taps->radius; k++) {                                              \
            weight = taps->weights[k] - (cells){0};                                            \
            for (int v = 0; v < TOGETHER; v++) {                                               \
                sums[v] += MULTIPLY_HIGH(pair(at(-k) + v * CELLS, at(k) + v * CELLS), weight); \
            }                                                                                  \
        }                                                                                      \
        for (int v = 0; v < TOGETHER; v++) {                                                   \
            *(cells *)(out + x + v * CELLS) = sums[v];                                         \
        }                                                                                      \
    } while (0)

/* The last ones overlap those before them, so that nothing is read or written beyond the row; rows
 * that are shorter go cell by cell. */
#define DEFINE_BLUR(name, parameter, one, pair, cell, at)                                  \
    static void name(const snake_taps *taps, parameter, uint16_t *restrict out, int64_t n) \
    {                                                                                      \
        for (int64_t x = 0; n >= STEP && x < n; x += STEP) {                               \
            x = x + STEP <= n ? x : n - STEP;                                              \
            BLUR_VECTORS(one, pair, at);                                                   \
        }                                                                                  \
        for (int64_t x = 0; n < STEP && x < n; x++) {                                      \
            uint32_t sum = cell(at(0)) * taps->weights[0] >> 16;                           \
            for (int k = 1; k <= taps->radius; k++) {                                      \
                sum += (cell(at(-k)) + cell(at(k))) * taps->weights[k] >> 16;              \
            }                                                                              \
            out[x] = (uint16_t)sum;                                                        \
        }                                                                                  \
    }
DEFINE_BLUR(blur_across8, const uint8_t *const *rows, ONE8, PAIR8, CELL8, ROW)
DEFINE_BLUR(blur_across16, const uint16_t *const *rows, ONE16, PAIR16, CELL16, ROW)
DEFINE_BLUR(blur_along, const uint16_t *restrict in, ONE15, PAIR15, CELL15, ALONG)

static void slope(const uint16_t *restrict above, const uint16_t *restrict here,
                  const uint16_t *restrict below, uint16_t *restrict out, int64_t n)
{
    for (int64_t x = 0; x < n; x++) {
        float across = (float)(below[x] - above[x]), along = (float)(here[x + 1] - here[x - 1]);
        out[x] = (uint16_t)(int32_t)sqrtf(across * across + along * along);
    }
}
