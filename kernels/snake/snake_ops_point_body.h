/* The loops over the windows of points, a lane each: included by each snake_ops_*.c, which is
 * compiled for its instructions. No include guard on purpose. */

#include "kernels/snake/snake_ops.h"

#include <math.h>

enum { PLACES = SNAKE_SIDE * SNAKE_SIDE };

/* What is measured of each position, and the ranges of that over the window. */
typedef struct {
    float continuity[PLACES][SNAKE_LANES], curvature[PLACES][SNAKE_LANES];
    float max_continuity[SNAKE_LANES], max_curvature[SNAKE_LANES];
    float min_gradient[SNAKE_LANES], max_gradient[SNAKE_LANES];
} measures;

#define EACH_LANE (int i = 0; i < SNAKE_LANES; i++)

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* Squares of the differences along one axis between the position and the point before it, and of
 * the second difference. */
typedef struct {
    float first[SNAKE_SIDE][SNAKE_LANES], second[SNAKE_SIDE][SNAKE_LANES];
} squares;

static inline void square(const snake_batch *batch, int axis, int window, squares *s)
{
    for (int p = 0; p < window; p++) {
        for
            EACH_LANE
            {
                float at = batch->offsets[axis][p][i];
                float first = at - batch->before[axis][i];
                float second = batch->before[axis][i] + batch->after[axis][i] - (at + at);
                s->first[p][i] = first * first;
                s->second[p][i] = second * second;
            }
    }
}

/* Ranges below a pixel, or its square, are none: differences that small are of no account. */
static inline void clear(measures *m, const snake_batch *batch)
{
    for
        EACH_LANE
        {
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
        for
            EACH_LANE
            {
                float away = sqrtf(y.first[row][i] + x.first[column][i]);
                float continuity = fabsf(batch->mean[i] - away);
                float curvature = y.second[row][i] + x.second[column][i];
                float gradient = (float)batch->gradient[k][i];
                m->continuity[k][i] = continuity;
                m->curvature[k][i] = curvature;
                m->max_continuity[i] = larger(m->max_continuity[i], continuity);
                m->max_curvature[i] = larger(m->max_curvature[i], curvature);
                m->max_gradient[i] = larger(m->max_gradient[i], gradient);
                m->min_gradient[i] = smaller(m->min_gradient[i], gradient);
            }
    }
}

static inline void choose_in(const snake_weights *weights, snake_batch *batch, int window)
{
    measures m;
    float alpha[SNAKE_LANES], beta[SNAKE_LANES], gamma[SNAKE_LANES], best[SNAKE_LANES];
    measure(&m, batch, window);
    for
        EACH_LANE
        {
            alpha[i] = weights->alpha / m.max_continuity[i];
            beta[i] = weights->beta / m.max_curvature[i];
            gamma[i] =
                weights->gamma / larger(weights->floor, m.max_gradient[i] - m.min_gradient[i]);
        }
    int places = window * window, centre = places / 2;
    for (int k = -1; k < places; k++) {
        int place = k < 0 ? centre : k;
        for
            EACH_LANE
            {
                float inner = alpha[i] * m.continuity[place][i] + beta[i] * m.curvature[place][i];
                float energy =
                    inner - gamma[i] * ((float)batch->gradient[place][i] - m.min_gradient[i]);
                int32_t less = k < 0 || energy < best[i];
                best[i] = less ? energy : best[i];
                batch->choice[i] = less ? place : batch->choice[i];
            }
    }
}

/* With loops of known length for each window. */
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
