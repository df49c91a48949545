/* The loops of the gradient field and over the windows of points, compiled once for each ISA
 * (halobeat_isa_body). No include guard on purpose. */

#include "kernels/snake/snake_ops.h"

#include <math.h>

/* ---- the gradient field ---------------------------------------------------------------------- */

/* Vector extensions of GCC and Clang: operators work on all lanes, for any length. */
typedef uint16_t cells __attribute__((vector_size(HALO_ISA_BYTES), aligned(2), may_alias));
typedef uint8_t pixels __attribute__((vector_size(HALO_ISA_BYTES / 2), aligned(1), may_alias));

enum {
    CELLS = HALO_ISA_BYTES / 2, /* cells of a vector */
    TOGETHER = 4,               /* number of vectors */
    STEP = TOGETHER * CELLS
};

/* The upper halves of the products. */
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if HALO_ISA_BYTES == 64
#define MULTIPLY_HIGH(a, b) ((cells)_mm512_mulhi_epu16((__m512i)(a), (__m512i)(b)))
#elif HALO_ISA_BYTES == 32
#define MULTIPLY_HIGH(a, b) ((cells)_mm256_mulhi_epu16((__m256i)(a), (__m256i)(b)))
#elif defined(__SSE2__)
#define MULTIPLY_HIGH(a, b) ((cells)_mm_mulhi_epu16((__m128i)(a), (__m128i)(b)))
#else
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

/* Numbers have 15 bits, so that the sum of two with the same weight has 16. */
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

/* A few vectors; `at(k)` is the address of the pixels at distance k. */
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

/* The last vectors overlap those before them, so that nothing is read or written beyond the row.
 * Rows that are too short are processed cell by cell. */
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

/* ---- windows of points, one per lane
 * ---------------------------------------------------------- */

enum { PLACES = SNAKE_SIDE * SNAKE_SIDE };

/* Measures of each position, and their ranges over the window. */
typedef struct {
    float continuity[PLACES][SNAKE_LANES], curvature[PLACES][SNAKE_LANES];
    float max_continuity[SNAKE_LANES], max_curvature[SNAKE_LANES];
    float min_gradient[SNAKE_LANES], max_gradient[SNAKE_LANES];
} measures;

static inline float max_of(float a, float b)
{
    return a > b ? a : b;
}

static inline float min_of(float a, float b)
{
    return a < b ? a : b;
}

/* Squares, along one axis, of the difference between the position and the point before it, and of
 * the second difference. */
typedef struct {
    float first[SNAKE_SIDE][SNAKE_LANES], second[SNAKE_SIDE][SNAKE_LANES];
} squares;

static inline void square(const snake_batch *batch, int axis, int window, squares *s)
{
    for (int p = 0; p < window; p++) {
        for (int i = 0; i < SNAKE_LANES; i++) {
            float at = batch->offsets[axis][p][i];
            float first = at - batch->before[axis][i];
            float second = batch->before[axis][i] + batch->after[axis][i] - (at + at);
            s->first[p][i] = first * first;
            s->second[p][i] = second * second;
        }
    }
}

/* Ranges below a pixel, or its square, are set to 0: such small differences are ignored. */
static inline void clear(measures *m, const snake_batch *batch)
{
    for (int i = 0; i < SNAKE_LANES; i++) {
        m->max_continuity[i] = m->max_curvature[i] = 1;
        m->min_gradient[i] = m->max_gradient[i] = (float)batch->gradient[0][i];
    }
}

static inline void measure(measures *m, const snake_batch *batch, int window)
{
    squares y, x;
    square(batch, 0, window, &y);
    square(batch, 1, window, &x);
    clear(m, batch);
    for (int k = 0; k < window * window; k++) {
        int row = k / window, column = k % window;
        for (int i = 0; i < SNAKE_LANES; i++) {
            float away = sqrtf(y.first[row][i] + x.first[column][i]);
            float continuity = fabsf(batch->mean[i] - away);
            float curvature = y.second[row][i] + x.second[column][i];
            float gradient = (float)batch->gradient[k][i];
            m->continuity[k][i] = continuity;
            m->curvature[k][i] = curvature;
            m->max_continuity[i] = max_of(m->max_continuity[i], continuity);
            m->max_curvature[i] = max_of(m->max_curvature[i], curvature);
            m->max_gradient[i] = max_of(m->max_gradient[i], gradient);
            m->min_gradient[i] = min_of(m->min_gradient[i], gradient);
        }
    }
}

static inline void choose_in(const snake_weights *weights, snake_batch *batch, int window)
{
    measures m;
    float alpha[SNAKE_LANES], beta[SNAKE_LANES], gamma[SNAKE_LANES], best[SNAKE_LANES];
    measure(&m, batch, window);
    for (int i = 0; i < SNAKE_LANES; i++) {
        alpha[i] = weights->alpha / m.max_continuity[i];
        beta[i] = weights->beta / m.max_curvature[i];
        gamma[i] = weights->gamma / max_of(weights->floor, m.max_gradient[i] - m.min_gradient[i]);
    }
    int places = window * window, centre = places / 2;
    for (int k = -1; k < places; k++) {
        int place = k < 0 ? centre : k;
        for (int i = 0; i < SNAKE_LANES; i++) {
            float inner = alpha[i] * m.continuity[place][i] + beta[i] * m.curvature[place][i];
            float energy =
                inner - gamma[i] * ((float)batch->gradient[place][i] - m.min_gradient[i]);
            int32_t less = k < 0 || energy < best[i];
            best[i] = less ? energy : best[i];
            batch->choice[i] = less ? place : batch->choice[i];
        }
    }
}

/* Loops of constant length for each window. */
static void choose(const snake_weights *weights, snake_batch *batch)
{
    if (weights->window == 3) {
        choose_in(weights, batch, 3);
    } else if (weights->window == 5) {
        choose_in(weights, batch, 5);
    } else {
        choose_in(weights, batch, 7);
    }
}

const snake_ops HALO_ISA_OPS(snake_ops) = {blur_across8, blur_across16, blur_along, slope, choose};
