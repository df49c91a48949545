#include "kernels/distance/painting.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <math.h>

enum { WORD = 64 };

halo_status painting_begin(painting *p)
{
    int64_t rows = p->layers * p->rows;
    p->words = (p->width + WORD - 1) / WORD;
    HALO_TRY(HALO_ALLOCATE_LARGE(p->left, rows * p->words + 1, "pixels to be painted"));
    HALO_TRY(HALO_ALLOCATE_LARGE(p->lefts, rows + 1, "rows to be painted"));
    for (int64_t i = 0; i < rows; i++) {
        const uint32_t *squares = p->squares + i * p->width;
        uint64_t *left = p->left + i * p->words;
        p->lefts[i] = 0;
        for (int64_t w = 0; w < p->words; w++) {
            left[w] = 0;
        }
        for (int64_t x = 0; x < p->width; x++) {
            left[x / WORD] |= (uint64_t)(squares[x] > 0) << (x % WORD);
            p->lefts[i] += squares[x] > 0;
        }
    }
    return HALO_OK;
}

void painting_end(painting *p)
{
    halo_memory_free(p->left);
    halo_memory_free(p->lefts);
}

/* Pixels `lo` to `hi` of a row. */
static void paint_span(const painting *p, int64_t row, int64_t lo, int64_t hi, uint32_t square)
{
    uint64_t *left = p->left + row * p->words;
    uint32_t *squares = p->squares + row * p->width;
    for (int64_t w = lo / WORD; w <= hi / WORD; w++) {
        uint64_t mask = UINT64_MAX;
        mask &= w == lo / WORD ? UINT64_MAX << (lo % WORD) : UINT64_MAX;
        mask &= w == hi / WORD ? UINT64_MAX >> (WORD - 1 - hi % WORD) : UINT64_MAX;
        uint64_t now = left[w] & mask;
        left[w] &= ~mask;
        p->lefts[row] -= __builtin_popcountll(now);
        for (; now != 0; now &= now - 1) {
            squares[w * WORD + __builtin_ctzll(now)] = square;
        }
    }
}

/* The largest whole number whose square is below `square`, which is above 0, and which is at most
 * `most`. */
static int64_t reach_below(int64_t square, int64_t most)
{
    while (most * most >= square) {
        most--;
    }
    return most;
}

/* Row `y` of a layer, of a ball that is `rest` less the square of the distance to it. */
static void paint_row(const painting *p, const distance_ball *ball, int64_t layer, int64_t y,
                      int64_t half)
{
    int64_t row = layer * p->rows + y, x = ball->at[2];
    if (y >= 0 && y < p->rows && p->lefts[row] > 0) {
        paint_span(p, row, halo_max(0, x - half), halo_min(p->width - 1, x + half), ball->square);
    }
}

/* A layer; `rest` is the square of the radius there. Rows above and below the centre are as wide.
 */
static int64_t paint_layer(const painting *p, const distance_ball *ball, int64_t layer,
                           int64_t rest)
{
    int64_t y = 0, half = reach_below(rest, (int64_t)sqrt((double)rest) + 1);
    for (; y * y < rest && y < p->rows; y++) {
        half = reach_below(rest - y * y, half);
        paint_row(p, ball, layer, ball->at[1] + y, half);
        if (y > 0) {
            paint_row(p, ball, layer, ball->at[1] - y, half);
        }
    }
    return 1 + 2 * y;
}

int64_t painting_ball(painting *p, const distance_ball *ball)
{
    int64_t square = ball->square, rows = 0;
    int64_t reach = reach_below(square, (int64_t)sqrt((double)square) + 1);
    int64_t lo = halo_max(0, ball->at[0] - reach - p->first);
    int64_t hi = halo_min(p->layers - 1, ball->at[0] + reach - p->first);
    for (int64_t layer = lo; layer <= hi; layer++) {
        int64_t away = layer + p->first - ball->at[0];
        rows += paint_layer(p, ball, layer, square - away * away);
    }
    return rows;
}
