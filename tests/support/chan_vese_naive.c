#include "support/chan_vese_naive.h"

#include "support/images.h"
#include "support/need.h"

#include <stdlib.h>
#include <string.h>

chan_vese_naive chan_vese_naive_make(int64_t rows, int64_t columns,
                                     const halo_chan_vese_options *options)
{
    size_t pixels = (size_t)(rows * columns);
    chan_vese_naive made = {.rows = rows,
                            .columns = columns,
                            .options = *options,
                            .greys = need_zeroed(pixels, sizeof *made.greys),
                            .cells = need_zeroed(pixels, 1),
                            .older = need_zeroed(pixels, 1)};
    return made;
}

void chan_vese_naive_free(chan_vese_naive *made)
{
    free(made->greys);
    free(made->cells);
    free(made->older);
    *made = (chan_vese_naive){0};
}

/* ---- a beat ---------------------------------------------------------------------------------- */

static int older_at(const chan_vese_naive *of, int64_t y, int64_t x)
{
    bool beyond = y < 0 || x < 0 || y >= of->rows || x >= of->columns;
    return beyond ? 0 : of->older[y * of->columns + x];
}

static void keep(chan_vese_naive *of)
{
    memcpy(of->older, of->cells, (size_t)(of->rows * of->columns));
}

static const int lines[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

static void erode_and_join(chan_vese_naive *of)
{
    keep(of);
    for (int64_t y = 0; y < of->rows; y++) {
        for (int64_t x = 0; x < of->columns; x++) {
            bool any = false;
            for (int i = 0; i < 4; i++) {
                const int *line = lines[i];
                any = any || (older_at(of, y, x) && older_at(of, y + line[0], x + line[1]) &&
                              older_at(of, y - line[0], x - line[1]));
            }
            of->cells[y * of->columns + x] = any;
        }
    }
}

static void dilate_and_meet(chan_vese_naive *of)
{
    keep(of);
    for (int64_t y = 0; y < of->rows; y++) {
        for (int64_t x = 0; x < of->columns; x++) {
            bool all = true;
            for (int i = 0; i < 4; i++) {
                const int *line = lines[i];
                all = all && (older_at(of, y, x) || older_at(of, y + line[0], x + line[1]) ||
                              older_at(of, y - line[0], x - line[1]));
            }
            of->cells[y * of->columns + x] = all;
        }
    }
}

/* Twice the gradient's size along an axis of `n` pixels, `step` apart in memory. */
static int gradient(const uint8_t *at, int64_t place, int64_t n, int64_t step)
{
    if (n == 1) {
        return 0;
    }
    int difference = place == 0       ? 2 * (at[step] - at[0])
                     : place == n - 1 ? 2 * (at[0] - at[-step])
                                      : at[step] - at[-step];
    return abs(difference);
}

static void find_means(chan_vese_naive *of)
{
    int64_t pixels[2] = {0, 0}, sums[2] = {0, 0};
    for (int64_t i = 0; i < of->rows * of->columns; i++) {
        pixels[of->cells[i]]++;
        sums[of->cells[i]] += of->greys[i];
    }
    of->outside_mean = (double)sums[0] / ((double)pixels[0] + 1e-8);
    of->inside_mean = (double)sums[1] / ((double)pixels[1] + 1e-8);
}

static void force(chan_vese_naive *of)
{
    keep(of);
    find_means(of);
    for (int64_t y = 0; y < of->rows; y++) {
        for (int64_t x = 0; x < of->columns; x++) {
            int64_t i = y * of->columns + x;
            int size = gradient(of->older + i, y, of->rows, of->columns) +
                       gradient(of->older + i, x, of->columns, 1);
            double inside = of->greys[i] - of->inside_mean,
                   outside = of->greys[i] - of->outside_mean;
            inside *= inside;
            outside *= outside;
            inside *= of->options.lambda1;
            outside *= of->options.lambda2;
            if (size > 0 && inside != outside) {
                of->cells[i] = inside < outside;
            }
        }
    }
}

void chan_vese_naive_step(chan_vese_naive *of)
{
    size_t pixels = (size_t)(of->rows * of->columns);
    uint8_t *before = need(malloc(pixels));
    memcpy(before, of->cells, pixels);
    force(of);
    for (int i = 0; i < of->options.smoothing; i++) {
        bool odd = of->operators++ % 2 != 0;
        if (odd) {
            erode_and_join(of);
            dilate_and_meet(of);
        } else {
            dilate_and_meet(of);
            erode_and_join(of);
        }
    }
    of->beats++;
    of->changed = 0;
    for (size_t i = 0; i < pixels; i++) {
        of->changed += before[i] != of->cells[i];
    }
    free(before);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static uint16_t grey_of(int kind, int64_t levels, int64_t y, int64_t x, uint64_t *random)
{
    int64_t noise = random_below(random, levels);
    switch (kind) {
    case 0: /* anything */
        return (uint16_t)noise;
    case 1: /* two greys: their mean is a tie of many pixels */
        return (uint16_t)(noise % 2 * (levels - 1));
    case 2: /* three near each other */
        return (uint16_t)(levels / 2 + noise % 3);
    case 3: /* the same everywhere */
        return (uint16_t)(levels / 3);
    default: /* blots, with some noise */
        return (uint16_t)((y / 7 + x / 9) % 2 * (levels / 2) + noise / 4);
    }
}

void chan_vese_naive_draw(chan_vese_naive *of, uint64_t *random)
{
    int kind = (int)random_below(random, 7), start = (int)random_below(random, 4);
    int64_t levels = INT64_C(1) << of->options.grey_bits;
    for (int64_t y = 0; y < of->rows; y++) {
        for (int64_t x = 0; x < of->columns; x++) {
            int64_t i = y * of->columns + x;
            of->greys[i] = grey_of(kind, levels, y, x, random);
            bool square = (y / 5 + x / 5) % 2 != 0, rare = random_below(random, 50) == 0;
            of->cells[i] = start == 0   ? square
                           : start == 1 ? rare
                           : start == 2 ? !rare
                                        : rare != square;
        }
    }
}

void chan_vese_naive_put(const chan_vese_naive *of, const halo_view *cells, const halo_view *greys)
{
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        uint64_t *bits = halo_row(cells, y);
        void *row = halo_row(greys, y);
        for (int64_t x = 0; x < of->columns; x++) {
            int64_t i = (cells->owned.lo[0] + y) * of->columns + x;
            uint64_t bit = UINT64_C(1) << x % 64;
            bits[x / 64] = (bits[x / 64] & ~bit) | (of->cells[i] != 0 ? bit : 0);
            if (greys->cell_bits == 8) {
                ((uint8_t *)row)[x] = (uint8_t)of->greys[i];
            } else {
                ((uint16_t *)row)[x] = of->greys[i];
            }
        }
    }
}

int64_t chan_vese_naive_differ(const chan_vese_naive *of, const halo_view *cells)
{
    int64_t differ = 0;
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        const uint64_t *bits = halo_row(cells, y);
        for (int64_t x = 0; x < of->columns; x++) {
            uint64_t bit = bits[x / 64] >> x % 64 & 1;
            differ += bit != of->cells[(cells->owned.lo[0] + y) * of->columns + x];
        }
    }
    return differ;
}
