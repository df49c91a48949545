#include "kernels/snake/parts.h"

#include "core/numbers.h"
#include "kernels/snake/field.h"

#include <math.h>
#include <string.h>

/* Points of one turn move without seeing each other, so that it does not matter which are evaluated
 * together: whoever comes next takes a lane. */
typedef struct {
    snake_batch batch;
    int64_t points[SNAKE_LANES], contours[SNAKE_LANES];
    int count;
} lanes;

int64_t snake_contour_of(const halo_snake *snake, int64_t point)
{
    int64_t lo = 0, hi = snake->progress.contours;
    while (hi - lo > 1) {
        int64_t middle = lo + (hi - lo) / 2;
        if (snake->first[middle] <= point) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}

void snake_take(halo_snake *snake, int64_t point)
{
    snake->mine[point / 64] |= UINT64_C(1) << (point % 64);
    snake->held[snake_contour_of(snake, point)]++;
}

void snake_leave(halo_snake *snake, int64_t point)
{
    snake->mine[point / 64] &= ~(UINT64_C(1) << (point % 64));
    snake->held[snake_contour_of(snake, point)]--;
}

/* Rounded down, from a square root that every processor rounds alike. */
static int64_t length_between(snake_point a, snake_point b)
{
    double y = (double)a.y - b.y, x = (double)a.x - b.x;
    return (int64_t)(sqrt(y * y + x * x) * SNAKE_FRACTION);
}

/* ---- a batch of points ------------------------------------------------------------------------
 */

/* Rows or columns of the window, relative to the point: positions beyond the picture are those at
 * its edge, which are in the window as well. */
static void place_window(snake_batch *batch, int lane, int axis, int32_t at, int64_t n, int reach,
                         int *offsets)
{
    for (int p = -reach; p <= reach; p++) {
        int64_t there = halo_smaller(halo_larger((int64_t)at + p, 0), n - 1);
        offsets[p + reach] = (int)(there - at);
        batch->offsets[axis][p + reach][lane] = (float)offsets[p + reach];
    }
}

static void load_gradient(const halo_snake *snake, snake_batch *batch, int lane, snake_point at)
{
    const halo_view *view = halo_field_view(snake->gradient);
    const halo_domain *domain = halo_field_domain(snake->gradient);
    int window = snake->options.window, reach = window / 2;
    int rows[SNAKE_SIDE], columns[SNAKE_SIDE];
    place_window(batch, lane, 0, at.y, domain->n[0], reach, rows);
    place_window(batch, lane, 1, at.x, domain->n[1], reach, columns);
    for (int y = 0; y < window; y++) {
        const uint16_t *row = halo_row(view, at.y - snake->lo + rows[y]);
        for (int x = 0; x < window; x++) {
            batch->gradient[y * window + x][lane] = (float)row[at.x + columns[x]];
        }
    }
}

static void load_point(halo_snake *snake, lanes *l, int64_t contour, int64_t point)
{
    int lane = l->count++;
    snake_batch *batch = &l->batch;
    snake_point at = snake->points[point];
    snake_point before = snake->points[snake_before(snake, contour, point)];
    snake_point after = snake->points[snake_after(snake, contour, point)];
    l->points[lane] = point;
    l->contours[lane] = contour;
    batch->before[0][lane] = (float)(before.y - at.y);
    batch->before[1][lane] = (float)(before.x - at.x);
    batch->after[0][lane] = (float)(after.y - at.y);
    batch->after[1][lane] = (float)(after.x - at.x);
    batch->mean[lane] = snake->mean[contour];
    load_gradient(snake, batch, lane, at);
}

/* Do others care where it goes? */
static bool is_news(const halo_snake *snake, int64_t contour, int64_t point, snake_point to)
{
    return !snake_is_here(snake, to) ||
           !snake_is_mine(snake, snake_before(snake, contour, point)) ||
           !snake_is_mine(snake, snake_after(snake, contour, point));
}

static void move_point(halo_snake *snake, int64_t contour, int64_t point, snake_point to)
{
    int64_t *sums = snake->packet + HALO_VOTE_SUMS;
    snake->packet[HALO_VOTE_CHANGED]++;
    sums[SNAKE_SUM_DISTANCE] += length_between(snake->points[point], to);
    sums[SNAKE_SUM_CONTOURS + snake->progress.contours + contour]++;
    if (is_news(snake, contour, point, to)) {
        snake->news[snake->news_count++] = (uint32_t)point;
    }
    if (snake->jacobi) {
        snake->next[point] = to;
    } else {
        snake->points[point] = to;
    }
}

static void evaluate_lanes(halo_snake *snake, lanes *l)
{
    int window = snake->options.window;
    snake->loops->choose(&snake->weights, &l->batch);
    for (int lane = 0; lane < l->count; lane++) {
        int32_t choice = l->batch.choice[lane];
        snake_point at = snake->points[l->points[lane]];
        snake_point to = {at.y + (int32_t)l->batch.offsets[0][choice / window][lane],
                          at.x + (int32_t)l->batch.offsets[1][choice % window][lane]};
        if (to.y != at.y || to.x != at.x) {
            move_point(snake, l->contours[lane], l->points[lane], to);
        }
    }
    l->count = 0;
}

/* ---- a turn -----------------------------------------------------------------------------------
 */

/* Bits of the points, of 64, that have their turn; the ring begins at number `first`. */
static uint64_t turn_mask(const halo_snake *snake, int64_t first, int turn)
{
    static const uint64_t even = UINT64_C(0x5555555555555555);
    return snake->jacobi ? ~UINT64_C(0) : (first + turn) % 2 == 0 ? even : ~even;
}

static void evaluate_range(halo_snake *snake, lanes *l, int64_t contour, int64_t lo, int64_t hi,
                           uint64_t mask)
{
    for (int64_t word = lo / 64; 64 * word < hi; word++) {
        for (uint64_t bits = snake_word(snake, word, lo, hi) & mask; bits != 0; bits &= bits - 1) {
            load_point(snake, l, contour, 64 * word + __builtin_ctzll(bits));
            if (l->count == SNAKE_LANES) {
                evaluate_lanes(snake, l);
            }
        }
    }
}

void snake_evaluate(halo_snake *snake, int turn)
{
    lanes l = {.count = 0};
    snake->news_count = 0;
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        int64_t lo = snake->first[c], hi = snake->first[c + 1];
        bool odd = !snake->jacobi && (hi - lo) % 2 == 1;
        if (snake->held[c] == 0 || snake->rests[c] || (turn == 2 && !odd)) {
            continue;
        }
        if (turn == 2) {
            evaluate_range(snake, &l, c, hi - 1, hi, ~UINT64_C(0));
        } else {
            evaluate_range(snake, &l, c, lo, hi - odd, turn_mask(snake, lo, turn));
        }
    }
    if (l.count > 0) {
        evaluate_lanes(snake, &l);
    }
}

void snake_commit(halo_snake *snake)
{
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        size_t points = (size_t)(snake->first[c + 1] - snake->first[c]);
        if (snake->held[c] > 0) { /* and neighbours, of which others have told */
            memcpy(snake->points + snake->first[c], snake->next + snake->first[c],
                   points * sizeof(snake_point));
        }
    }
}

/* ---- spacing ----------------------------------------------------------------------------------
 */

static int64_t length_of(const halo_snake *snake, int64_t contour)
{
    int64_t lo = snake->first[contour], hi = snake->first[contour + 1], sum = 0;
    for (int64_t word = lo / 64; 64 * word < hi; word++) {
        for (uint64_t bits = snake_word(snake, word, lo, hi); bits != 0; bits &= bits - 1) {
            int64_t point = 64 * word + __builtin_ctzll(bits);
            snake_point before = snake->points[snake_before(snake, contour, point)];
            sum += length_between(before, snake->points[point]);
        }
    }
    return sum;
}

void snake_measure(halo_snake *snake)
{
    int64_t *lengths = snake->packet + HALO_VOTE_SUMS + SNAKE_SUM_CONTOURS;
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        lengths[c] = snake->held[c] > 0 && !snake->rests[c] ? length_of(snake, c) : 0;
    }
}

void snake_take_means(halo_snake *snake)
{
    const int64_t *lengths = snake->packet + HALO_VOTE_SUMS + SNAKE_SUM_CONTOURS;
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        if (!snake->rests[c]) {
            double points = (double)(snake->first[c + 1] - snake->first[c]);
            snake->mean[c] = (float)((double)lengths[c] / (SNAKE_FRACTION * points));
        }
    }
}
