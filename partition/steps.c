#include "partition/steps.h"

#include "partition/cuts.h"

#include <stdlib.h>

static const double NEIGHBOUR_BYTES = 16 << 10, STRANGER_BYTES = 1 << 20;

/* Boundary `i` after `steps` steps: where it should be, or as near as the boundaries that many
 * parts away have been. That steps one after another come to this follows by induction: boundaries
 * are in order, so that the one in the way goes at least as far. */
static int64_t boundary_after(const int64_t *from, const int64_t *to, int parts, int i, int steps)
{
    int64_t min = from[i > steps ? i - steps : 0];
    int64_t max = from[steps < parts - i ? i + steps : parts];
    int64_t cut = to[i];
    return cut < min ? min : (cut > max ? max : cut);
}

void halo_cuts_step(const int64_t *from, const int64_t *to, int parts, int64_t *next)
{
    for (int i = 0; i <= parts; i++) {
        next[i] = boundary_after(from, to, parts, i, 1);
    }
}

int halo_cuts_steps(const int64_t *from, const int64_t *to, int parts)
{
    int steps = 0;
    for (int i = 1; i < parts; i++) {
        while (boundary_after(from, to, parts, i, steps) != to[i]) {
            steps++;
        }
    }
    return steps;
}

/* Return the bytes that cross boundary `i` in step `step`, counted from 1. */
static double price_across(const int64_t *from, const int64_t *to, int parts, int i, int step,
                           double bytes)
{
    int64_t cells =
        boundary_after(from, to, parts, i, step) - boundary_after(from, to, parts, i, step - 1);
    return cells != 0 ? (double)llabs(cells) * bytes + NEIGHBOUR_BYTES : 0;
}

static double price_of_step(const int64_t *from, const int64_t *to, int parts, int step,
                            double bytes)
{
    double max = 0, below = 0;
    for (int i = 1; i <= parts; i++) {
        double above = price_across(from, to, parts, i, step, bytes);
        max = below + above > max ? below + above : max;
        below = above;
    }
    return max;
}

/* Return the bytes that `part` shares with others: cells that it owns in `mine` and others in
 * `theirs`. */
static double price_of_part(const int64_t *mine, const int64_t *theirs, int parts, int part,
                            double bytes)
{
    double price = 0;
    for (int64_t cell = mine[part]; cell < mine[part + 1];) {
        int other = halo_cuts_find(theirs, parts, cell);
        int64_t end = theirs[other + 1] < mine[part + 1] ? theirs[other + 1] : mine[part + 1];
        if (other != part) {
            price += (double)(end - cell) * bytes;
            price += abs(other - part) == 1 ? NEIGHBOUR_BYTES : STRANGER_BYTES;
        }
        cell = end;
    }
    return price;
}

bool halo_cuts_steps_pay(const int64_t *from, const int64_t *to, int parts, double bytes)
{
    int steps = halo_cuts_steps(from, to, parts);
    if (steps < 2) {
        return false;
    }
    double direct = 0, stepwise = 0;
    for (int part = 0; part < parts; part++) {
        double price = price_of_part(from, to, parts, part, bytes) +
                       price_of_part(to, from, parts, part, bytes);
        direct = price > direct ? price : direct;
    }
    for (int step = 1; step <= steps && stepwise < direct; step++) {
        stepwise += price_of_step(from, to, parts, step, bytes);
    }
    return stepwise < direct;
}
