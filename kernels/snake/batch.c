#include "kernels/snake/batch.h"

#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* ---- into lanes ------------------------------------------------------------------------------ */

/* Rows or columns of the window, relative to the point. */
static void place_default(snake_lanes *l, int lane)
{
    int window = l->snake->options.window;
    for (int p = 0; p < window; p++) {
        l->batch.offsets[0][p][lane] = l->batch.offsets[1][p][lane] = (float)(p - window / 2);
    }
    l->at_edge[lane] = false;
}

void snake_lanes_begin(snake_lanes *l, halo_snake *snake)
{
    const halo_view *view = halo_field_view(snake->gradient);
    const halo_domain *domain = halo_field_domain(snake->gradient);
    int window = snake->options.window;
    memset(l, 0, sizeof *l);
    l->snake = snake;
    l->pitch = view->stride[0] / (ptrdiff_t)sizeof(uint16_t);
    l->corner = (const uint16_t *)view->origin - snake->lo * l->pitch;
    l->rows = domain->n[0];
    l->columns = domain->n[1];
    l->scale = 1.0F / (float)(1 << snake->shift);
    for (int place = 0; place < window * window; place++) {
        l->row_of[place] = (int8_t)(place / window);
        l->column_of[place] = (int8_t)(place % window);
    }
    for (int lane = 0; lane < SNAKE_LANES; lane++) {
        place_default(l, lane);
    }
}

/* Positions beyond the picture are those at its edge, which are in the window as well. */
static void load_at_edge(snake_lanes *l, int lane, snake_point at)
{
    int window = l->snake->options.window, reach = window / 2, y[SNAKE_SIDE], x[SNAKE_SIDE];
    for (int p = 0; p < window; p++) {
        y[p] = (int)halo_min(halo_max(at.y + p - reach, 0), l->rows - 1);
        x[p] = (int)halo_min(halo_max(at.x + p - reach, 0), l->columns - 1);
        l->batch.offsets[0][p][lane] = (float)(y[p] - at.y);
        l->batch.offsets[1][p][lane] = (float)(x[p] - at.x);
    }
    for (int place = 0; place < window * window; place++) {
        l->batch.gradient[place][lane] =
            l->corner[y[place / window] * l->pitch + x[place % window]];
    }
    l->at_edge[lane] = true;
}

INLINE void load_window(snake_lanes *l, int lane, const uint16_t *cells, int window)
{
    for (int y = 0; y < window; y++) {
        for (int x = 0; x < window; x++) {
            l->batch.gradient[y * window + x][lane] = cells[y * l->pitch + x];
        }
    }
}

/* Weights, in 512ths, of the pixel before the nearest one, of that, and of the one after it. */
static void spline(int place, int64_t weights[3])
{
    enum { UNIT = HALO_SNAKE_SUBPIXELS, HALF = UNIT / 2 };
    int64_t t = (place + HALF) % UNIT - HALF;
    weights[0] = (HALF - t) * (HALF - t);
    weights[1] = 6 * HALF * HALF - 2 * t * t;
    weights[2] = (HALF + t) * (HALF + t);
}

/* The gradient between pixels: quadratic B-splines, since what is interpolated linearly is largest
 * on pixels. Whole pixels' windows reach as far as the halo, and are read as they are. */
static uint16_t sample(const snake_lanes *l, int y, int x)
{
    enum { UNIT = HALO_SNAKE_SUBPIXELS, HALF = UNIT / 2, ONE = 512 * 512 };
    const uint16_t *cell = l->corner + ((y + HALF) / UNIT) * l->pitch + (x + HALF) / UNIT;
    int64_t across[3], along[3], sum = ONE / 2;
    if (l->snake->step == UNIT) {
        return *cell;
    }
    spline(y, across);
    spline(x, along);
    for (int i = 0; i < 3; i++) {
        const uint16_t *row = cell + (i - 1) * l->pitch;
        sum += across[i] * (row[-1] * along[0] + row[0] * along[1] + row[1] * along[2]);
    }
    return (uint16_t)(sum / ONE);
}

/* The same between pixels. */
static void load_subpixel(snake_lanes *l, int lane, snake_point at)
{
    enum { UNIT = HALO_SNAKE_SUBPIXELS };
    int window = l->snake->options.window, reach = window / 2, step = l->snake->step;
    int y[SNAKE_SIDE], x[SNAKE_SIDE];
    for (int p = 0; p < window; p++) {
        y[p] = (int)halo_min(halo_max(at.y + (p - reach) * step, 0), (l->rows - 1) * UNIT);
        x[p] = (int)halo_min(halo_max(at.x + (p - reach) * step, 0), (l->columns - 1) * UNIT);
        l->batch.offsets[0][p][lane] = (float)(y[p] - at.y) * l->scale;
        l->batch.offsets[1][p][lane] = (float)(x[p] - at.x) * l->scale;
    }
    for (int place = 0; place < window * window; place++) {
        l->batch.gradient[place][lane] = sample(l, y[place / window], x[place % window]);
    }
}

INLINE void load_gradient(snake_lanes *l, int lane, snake_point at, int window)
{
    int reach = window / 2;
    if (l->snake->shift > 0) {
        load_subpixel(l, lane, at);
        return;
    }
    if (at.y < reach || at.x < reach || at.y + reach >= l->rows || at.x + reach >= l->columns) {
        load_at_edge(l, lane, at);
        return;
    }
    if (l->at_edge[lane]) {
        place_default(l, lane);
    }
    load_window(l, lane, l->corner + (at.y - reach) * l->pitch + at.x - reach, window);
}

INLINE void load_point(snake_lanes *l, int64_t contour, int64_t point, int window)
{
    const halo_snake *snake = l->snake;
    int lane = l->count++;
    snake_point at = snake->points[point];
    snake_point before = snake->points[snake_before(snake, contour, point)];
    snake_point after = snake->points[snake_after(snake, contour, point)];
    l->points[lane] = point;
    l->contours[lane] = contour;
    l->batch.before[0][lane] = (float)(before.y - at.y) * l->scale;
    l->batch.before[1][lane] = (float)(before.x - at.x) * l->scale;
    l->batch.after[0][lane] = (float)(after.y - at.y) * l->scale;
    l->batch.after[1][lane] = (float)(after.x - at.x) * l->scale;
    l->batch.mean[lane] = snake->mean[contour];
    load_gradient(l, lane, at, window);
}

/* ---- out of lanes ---------------------------------------------------------------------------- */

/* Do others care where it goes? */
static bool is_news(const halo_snake *snake, int64_t contour, int64_t point, snake_point to)
{
    int64_t points = snake->first[contour + 1] - snake->first[contour];
    return !snake_is_here(snake, to) ||
           (snake->held[contour] < points &&
            (!snake_is_mine(snake, snake_before(snake, contour, point)) ||
             !snake_is_mine(snake, snake_after(snake, contour, point))));
}

static void move_point(snake_lanes *l, int lane, int dy, int dx)
{
    halo_snake *snake = l->snake;
    int64_t contour = l->contours[lane], point = l->points[lane];
    snake_point to = {snake->points[point].y + dy, snake->points[point].x + dx};
    (*snake->moved)++;
    snake->sums[SNAKE_SUM_DISTANCE] += snake->shift == 0
                                           ? snake->lengths[abs(dy)][abs(dx)]
                                           : snake_length(snake, snake->points[point], to);
    snake->sums[SNAKE_SUM_CONTOURS + snake->progress.contours + contour]++;
    if (is_news(snake, contour, point, to)) {
        snake->news[snake->news_count++] = (uint32_t)point;
    }
    if (snake->jacobi) {
        snake->next[point] = to;
    } else {
        snake->points[point] = to;
    }
}

static void evaluate(snake_lanes *l)
{
    l->snake->ops->choose(&l->snake->weights, &l->batch);
    for (int lane = 0; lane < l->count; lane++) {
        int choice = l->batch.choice[lane];
        float unit = (float)(1 << l->snake->shift); /* products are whole numbers */
        int dy = (int)(l->batch.offsets[0][l->row_of[choice]][lane] * unit);
        int dx = (int)(l->batch.offsets[1][l->column_of[choice]][lane] * unit);
        if (dy != 0 || dx != 0) {
            move_point(l, lane, dy, dx);
        }
    }
    l->count = 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

enum { AHEAD = 16 }; /* points: their windows are on the way from memory meanwhile */

INLINE void fetch_ahead(const snake_lanes *l, int64_t point, int64_t hi, int window)
{
    snake_point at = l->snake->points[point + AHEAD < hi ? point + AHEAD : point];
    at.y >>= l->snake->shift;
    at.x >>= l->snake->shift;
    for (int y = -(window / 2); y <= window / 2; y++) {
        __builtin_prefetch(l->corner + (at.y + y) * l->pitch + at.x);
    }
}

INLINE void add(snake_lanes *l, int64_t contour, int64_t lo, int64_t hi, uint64_t mask, int window)
{
    for (int64_t word = lo / 64; 64 * word < hi; word++) {
        uint64_t bits = snake_word(l->snake, word, lo, hi) & mask;
        for (; bits != 0; bits &= bits - 1) {
            int64_t point = 64 * word + __builtin_ctzll(bits);
            fetch_ahead(l, point, hi, window);
            load_point(l, contour, point, window);
            if (l->count == SNAKE_LANES) {
                evaluate(l);
            }
        }
    }
}

/* With windows of known size. */
void snake_lanes_add(snake_lanes *l, int64_t contour, int64_t lo, int64_t hi, uint64_t mask)
{
    if (l->snake->options.window == 3) {
        add(l, contour, lo, hi, mask, 3);
    } else if (l->snake->options.window == 5) {
        add(l, contour, lo, hi, mask, 5);
    } else {
        add(l, contour, lo, hi, mask, 7);
    }
}

void snake_lanes_end(snake_lanes *l)
{
    if (l->count > 0) {
        evaluate(l);
    }
}
