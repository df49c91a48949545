#include "support/split_naive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2048, OUT = -1 };

static int64_t up[MOST];               /* the cell that a cell points to */
static int32_t basin[MOST];            /* from 1 on */
static int64_t peak[MOST];             /* a cell of each */
static double passes[MOST][MOST];      /* between basins; -1: none */
static int32_t root[MOST], high[MOST]; /* of trees; the highest peak of each */
static bool kept[MOST];
static int32_t peaks;

static int64_t cells_of(const split_naive *s)
{
    return s->n[0] * s->n[1] * s->n[2];
}

/* Neighbour number `k`, of 27 in raster order, in the mask; or OUT. */
static int64_t near(const split_naive *s, int64_t cell, int k)
{
    const int64_t step[] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
    const int64_t at[] = {cell / (s->n[1] * s->n[2]), cell / s->n[2] % s->n[1], cell % s->n[2]};
    int64_t along = 0, other = 0;
    for (int axis = 0; axis < 3; axis++) {
        int64_t to = at[axis] + step[axis];
        along += step[axis] != 0;
        if (to < 0 || to >= s->n[axis]) {
            return OUT;
        }
        other = other * s->n[axis] + to;
    }
    return along >= 1 && along <= s->order && s->mask[other] ? other : OUT;
}

static bool equals(double a, double b)
{
    return !(a < b) && !(a > b);
}

static void climb(const split_naive *s)
{
    for (int64_t p = 0; p < cells_of(s); p++) {
        double best = s->heights[p];
        up[p] = OUT;
        for (int k = 0; k < 27 && s->mask[p]; k++) {
            int64_t q = near(s, p, k);
            if (q != OUT && s->heights[q] > best) {
                best = s->heights[q];
                up[p] = q;
            }
        }
    }
}

/* A step of all plateaus at once. Returns true if there was one. */
static bool cross(const split_naive *s, bool *front)
{
    static bool next[MOST];
    bool any = false;
    memset(next, 0, sizeof next);
    for (int64_t p = 0; p < cells_of(s); p++) {
        for (int k = 0; k < 27 && s->mask[p] && up[p] == OUT && !next[p]; k++) {
            int64_t q = near(s, p, k);
            next[p] = q != OUT && front[q] && equals(s->heights[q], s->heights[p]);
        }
    }
    for (int64_t p = 0; p < cells_of(s); p++) {
        for (int k = 0; k < 27 && next[p] && up[p] == OUT; k++) {
            int64_t q = near(s, p, k);
            if (q != OUT && front[q] && equals(s->heights[q], s->heights[p])) {
                up[p] = q;
                any = true;
            }
        }
    }
    memcpy(front, next, sizeof next);
    return any;
}

static void flood(const split_naive *s, int64_t p)
{
    static int64_t list[27 * MOST];
    int64_t count = 0;
    list[count++] = p;
    basin[p] = peaks;
    while (count > 0) {
        p = list[--count];
        for (int k = 0; k < 27; k++) {
            int64_t q = near(s, p, k);
            if (q != OUT && up[q] == OUT && basin[q] == 0) {
                basin[q] = peaks;
                list[count++] = q;
            }
        }
    }
}

static void find_basins(const split_naive *s)
{
    memset(basin, 0, sizeof basin);
    peaks = 0;
    for (int64_t p = 0; p < cells_of(s); p++) {
        if (s->mask[p] && up[p] == OUT && basin[p] == 0) {
            peak[++peaks] = p;
            flood(s, p);
        }
    }
    for (int64_t p = 0; p < cells_of(s); p++) {
        int64_t q = p;
        while (s->mask[p] && basin[q] == 0) {
            q = up[q];
        }
        basin[p] = s->mask[p] ? basin[q] : 0;
    }
}

static void find_passes(const split_naive *s)
{
    for (int32_t a = 1; a <= peaks; a++) {
        for (int32_t b = 1; b <= peaks; b++) {
            passes[a][b] = -HUGE_VAL;
        }
    }
    for (int64_t p = 0; p < cells_of(s); p++) {
        for (int k = 0; k < 27 && s->mask[p]; k++) {
            int64_t q = near(s, p, k);
            if (q != OUT && basin[p] < basin[q]) {
                double *pass = &passes[basin[p]][basin[q]];
                *pass = fmax(*pass, fmin(s->heights[p], s->heights[q]));
            }
        }
    }
}

static int32_t find(int32_t a)
{
    while (root[a] != a) {
        a = root[a];
    }
    return a;
}

static void meet(const split_naive *s, double pass, int32_t a, int32_t b, bool grows)
{
    int32_t low = a < b ? a : b, other = a < b ? b : a;
    if (grows) {
        if (!kept[low] || !kept[other]) {
            kept[low] = kept[low] || kept[other];
            root[other] = low;
        }
        return;
    }
    int32_t x = high[low], y = high[other];
    double one = s->heights[peak[x]], two = s->heights[peak[y]];
    bool first = one > two || (equals(one, two) && x < y);
    double lower = first ? two : one;
    double above = s->roots ? sqrt(lower) - sqrt(pass) : lower - pass;
    kept[first ? y : x] = above > s->h;
    high[low] = first ? x : y;
    root[other] = low;
}

/* Takes passes from the highest on; of equal ones by the numbers of their basins. */
static void join(const split_naive *s, bool grows)
{
    static bool taken[MOST][MOST];
    memset(taken, 0, sizeof taken);
    for (int32_t a = 1; a <= peaks; a++) {
        root[a] = a;
    }
    for (;;) {
        int32_t one = 0, other = 0;
        for (int32_t a = 1; a <= peaks; a++) {
            for (int32_t b = a + 1; b <= peaks; b++) {
                bool there = !taken[a][b] && passes[a][b] > -HUGE_VAL;
                if (there && (one == 0 || passes[a][b] > passes[one][other])) {
                    one = a;
                    other = b;
                }
            }
        }
        if (one == 0) {
            return;
        }
        taken[one][other] = true;
        int32_t a = find(one), b = find(other);
        if (a != b) {
            meet(s, passes[one][other], a, b, grows);
        }
    }
}

int32_t split_naive_run(const split_naive *s)
{
    static bool front[MOST];
    static int32_t number[MOST];
    int32_t parts = 0;
    climb(s);
    for (int64_t p = 0; p < cells_of(s); p++) {
        front[p] = up[p] != OUT;
    }
    while (cross(s, front)) {
    }
    find_basins(s);
    find_passes(s);
    for (int32_t a = 1; a <= peaks; a++) {
        kept[a] = true;
        high[a] = a;
    }
    join(s, false);
    join(s, true);
    memset(number, 0, sizeof number);
    for (int64_t p = 0; p < cells_of(s); p++) {
        int32_t *found = &number[s->mask[p] ? find(basin[p]) : 0];
        *found = s->mask[p] && *found == 0 ? ++parts : *found;
        s->labels[p] = *found;
    }
    return parts;
}

void split_naive_squares(const int64_t n[3], const bool *mask, double *squares)
{
    int64_t cells = n[0] * n[1] * n[2];
    for (int64_t p = 0; p < cells; p++) {
        squares[p] = HUGE_VAL;
        for (int64_t q = 0; q < cells; q++) {
            double x = (double)(p % n[2] - q % n[2]);
            double y = (double)(p / n[2] % n[1] - q / n[2] % n[1]);
            double z = (double)(p / (n[1] * n[2]) - q / (n[1] * n[2]));
            if (!mask[q]) {
                squares[p] = fmin(squares[p], x * x + y * y + z * z);
            }
        }
    }
}
