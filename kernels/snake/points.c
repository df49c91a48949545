#include "kernels/snake/batch.h"
#include "kernels/snake/snake_field.h"

#include <math.h>
#include <string.h>

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
int64_t snake_length(const halo_snake *snake, snake_point a, snake_point b)
{
    double y = (double)a.y - b.y, x = (double)a.x - b.x;
    return (int64_t)(sqrt(y * y + x * x) * (SNAKE_FRACTION >> snake->shift));
}

/* Around an edge the gradient differs by the square of the distance: so does what counts as flat,
 * or spacing and smoothness would win in small windows, and contours shrink. */
void snake_set_step(halo_snake *snake, int step)
{
    double pixels = (double)step / (1 << snake->shift);
    snake->step = step;
    snake->weights.floor = (float)fmax(snake->options.floor * HALO_SNAKE_UNIT * pixels * pixels, 1);
}

/* ---- a turn ---------------------------------------------------------------------------------- */

/* Bits of the points, of 64, that have their turn; the ring begins at number `first`. */
static uint64_t turn_mask(const halo_snake *snake, int64_t first, int turn)
{
    static const uint64_t even = UINT64_C(0x5555555555555555);
    return snake->jacobi ? ~UINT64_C(0) : (first + turn) % 2 == 0 ? even : ~even;
}

void snake_evaluate(halo_snake *snake, int turn)
{
    snake_lanes lanes;
    snake_lanes_begin(&lanes, snake);
    snake->news_count = 0;
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        int64_t lo = snake->first[c], hi = snake->first[c + 1];
        bool odd = !snake->jacobi && (hi - lo) % 2 == 1;
        if (snake->held[c] == 0 || snake->frozen[c] || (turn == 2 && !odd)) {
            continue;
        }
        if (turn == 2) {
            snake_lanes_add(&lanes, c, hi - 1, hi, ~UINT64_C(0));
        } else {
            snake_lanes_add(&lanes, c, lo, hi - odd, turn_mask(snake, lo, turn));
        }
    }
    snake_lanes_end(&lanes);
}

void snake_commit(halo_snake *snake)
{
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        size_t points = (size_t)(snake->first[c + 1] - snake->first[c]);
        if (snake->held[c] > 0) { /* and neighbours, of which others have sent notice */
            memcpy(snake->points + snake->first[c], snake->next + snake->first[c],
                   points * sizeof(snake_point));
        }
    }
}

/* ---- spacing --------------------------------------------------------------------------------- */

static int64_t length_of(const halo_snake *snake, int64_t contour)
{
    int64_t lo = snake->first[contour], hi = snake->first[contour + 1], sum = 0;
    for (int64_t word = lo / 64; 64 * word < hi; word++) {
        for (uint64_t bits = snake_word(snake, word, lo, hi); bits != 0; bits &= bits - 1) {
            int64_t point = 64 * word + __builtin_ctzll(bits);
            snake_point before = snake->points[snake_before(snake, contour, point)];
            sum += snake_length(snake, before, snake->points[point]);
        }
    }
    return sum;
}

/* The finaliser of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom
 * number generators, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Sums over points, so that it does not matter who has which. Twice 31 bits: 2^31 of them fit. */
static void add_places(const halo_snake *snake, int64_t contour, int64_t sums[2])
{
    int64_t lo = snake->first[contour], hi = snake->first[contour + 1];
    for (int64_t word = lo / 64; 64 * word < hi; word++) {
        for (uint64_t bits = snake_word(snake, word, lo, hi); bits != 0; bits &= bits - 1) {
            int64_t point = 64 * word + __builtin_ctzll(bits);
            snake_point at = snake->points[point];
            uint64_t place = (uint64_t)(uint32_t)at.y << 32 | (uint32_t)at.x;
            uint64_t hash = mix(mix((uint64_t)point + 1) ^ place);
            sums[0] += (int64_t)(hash >> 33);
            sums[1] += (int64_t)(hash & INT32_MAX);
        }
    }
}

int64_t snake_hash(const halo_snake *snake)
{
    const int64_t *sums = snake->sums + SNAKE_SUM_HASH;
    uint64_t hash = mix(mix((uint64_t)sums[0]) ^ (uint64_t)sums[1]);
    return (int64_t)(hash >> 3 | 1);
}

void snake_measure(halo_snake *snake)
{
    int64_t *lengths = snake->sums + SNAKE_SUM_CONTOURS, *hash = snake->sums + SNAKE_SUM_HASH;
    hash[0] = hash[1] = 0;
    for (int64_t c = 0; snake->jacobi && c < snake->progress.contours; c++) {
        if (snake->held[c] > 0) {
            add_places(snake, c, hash);
        }
    }
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        lengths[c] = snake->held[c] > 0 && !snake->frozen[c] ? length_of(snake, c) : 0;
    }
}

void snake_take_means(halo_snake *snake)
{
    const int64_t *lengths = snake->sums + SNAKE_SUM_CONTOURS;
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        if (!snake->frozen[c]) {
            double points = (double)(snake->first[c + 1] - snake->first[c]);
            snake->mean[c] = (float)((double)lengths[c] / (SNAKE_FRACTION * points));
        }
    }
}

void snake_freeze(halo_snake *snake, const int64_t *moved)
{
    snake->progress.collapsed = 0;
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        bool collapsed = snake->mean[c] < 1;
        snake->progress.collapsed += collapsed;
        snake->frozen[c] = collapsed || (moved != NULL && moved[c] == 0);
    }
}
