#include "support/watershed_naive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double value, depth;
} cost;

static int compare(const cost *a, const cost *b)
{
    int by_value = (a->value > b->value) - (a->value < b->value);
    return by_value != 0 ? by_value : (a->depth > b->depth) - (a->depth < b->depth);
}

static void *take(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    return memory;
}

static int64_t cells_of(const watershed_naive *naive)
{
    return naive->n[0] * naive->n[1] * naive->n[2];
}

/* The neighbours of a cell in the mask. */
static int around(const watershed_naive *naive, int64_t cell, int64_t out[26])
{
    const int64_t *n = naive->n;
    int64_t at[] = {cell / n[2] / n[1], cell / n[2] % n[1], cell % n[2]};
    int count = 0;
    for (int64_t z = at[0] - 1; z <= at[0] + 1; z++) {
        for (int64_t y = at[1] - 1; y <= at[1] + 1; y++) {
            for (int64_t x = at[2] - 1; x <= at[2] + 1; x++) {
                int along = (z != at[0]) + (y != at[1]) + (x != at[2]);
                int64_t other = (z * n[1] + y) * n[2] + x;
                if (along > 0 && along <= naive->order && z >= 0 && z < n[0] && y >= 0 &&
                    y < n[1] && x >= 0 && x < n[2] && naive->mask[other]) {
                    out[count++] = other;
                }
            }
        }
    }
    return count;
}

static cost step(const watershed_naive *naive, const cost *from, int64_t to)
{
    double sample = naive->image[to];
    return sample > from->value ? (cost){sample, 0} : (cost){from->value, from->depth + 1};
}

static void find_costs(const watershed_naive *naive, cost *costs)
{
    int64_t cells = cells_of(naive), near[26];
    for (int64_t i = 0; i < cells; i++) {
        naive->markers[i] = naive->mask[i] ? naive->markers[i] : 0;
        costs[i] = naive->markers[i] != 0 ? (cost){naive->image[i], 0}
                                          : (cost){(double)INFINITY, (double)INFINITY};
    }
    bool changes = true;
    while (changes) {
        changes = false;
        for (int64_t i = 0; i < cells; i++) {
            int count = isinf(costs[i].depth) ? 0 : around(naive, i, near);
            for (int k = 0; k < count; k++) {
                cost reached = step(naive, &costs[i], near[k]);
                if (naive->markers[near[k]] == 0 && compare(&reached, &costs[near[k]]) < 0) {
                    costs[near[k]] = reached;
                    changes = true;
                }
            }
        }
    }
}

/* The cell's E and label, from those of its best neighbours. */
static void label(const watershed_naive *naive, const cost *costs, cost *entries, int64_t cell)
{
    int64_t near[26], best = -1;
    int count = around(naive, cell, near);
    cost least = {(double)INFINITY, (double)INFINITY};
    for (int k = 0; k < count; k++) {
        least = compare(&costs[near[k]], &least) < 0 ? costs[near[k]] : least;
    }
    for (int k = 0; k < count; k++) {
        int64_t other = near[k];
        if (compare(&costs[other], &least) == 0) {
            int order = best < 0 ? -1 : compare(&entries[other], &entries[best]);
            if (order < 0 || (order == 0 && naive->labels[other] < naive->labels[best])) {
                best = other;
            }
        }
    }
    naive->labels[cell] = naive->labels[best];
    entries[cell] = costs[cell].depth > 0 ? entries[best] : least;
}

void watershed_naive_run(const watershed_naive *naive)
{
    int64_t cells = cells_of(naive);
    cost *costs = take(cells, sizeof *costs), *entries = take(cells, sizeof *entries);
    bool *done = take(cells, sizeof *done);
    find_costs(naive, costs);
    for (int64_t i = 0; i < cells; i++) {
        naive->labels[i] = naive->markers[i];
        entries[i] = (cost){-(double)INFINITY, 0};
        done[i] = naive->markers[i] != 0 || isinf(costs[i].depth);
    }
    for (;;) {
        int64_t next = -1;
        for (int64_t i = 0; i < cells; i++) {
            if (!done[i] && (next < 0 || compare(&costs[i], &costs[next]) < 0)) {
                next = i;
            }
        }
        if (next < 0) {
            break;
        }
        label(naive, costs, entries, next);
        done[next] = true;
    }
    free(costs);
    free(entries);
    free(done);
}

/* ---- minima ---------------------------------------------------------------------------------- */

/* True if a path leads from the cell, over cells that are at most `height` above it, to one of
 * less; otherwise marks the cells of these paths. */
static bool escapes(const watershed_naive *naive, int64_t cell, double height, bool *seen,
                    int64_t *list)
{
    int64_t count = 0, near[26];
    memset(seen, 0, (size_t)cells_of(naive) * sizeof *seen);
    list[count++] = cell;
    seen[cell] = true;
    for (int64_t i = 0; i < count; i++) {
        if (naive->image[list[i]] < naive->image[cell]) {
            return true;
        }
        int found = around(naive, list[i], near);
        for (int k = 0; k < found; k++) {
            if (!seen[near[k]] && naive->image[near[k]] <= naive->image[cell] + height) {
                seen[near[k]] = true;
                list[count++] = near[k];
            }
        }
    }
    return false;
}

/* A cell that does not escape is the lowest one of its lake: all cells below its level and the
 * height are the marker. */
void watershed_naive_minima(const watershed_naive *naive, double height)
{
    int64_t cells = cells_of(naive);
    int32_t count = 0;
    bool *seen = take(cells, sizeof *seen), *all = take(cells, sizeof *all);
    int64_t *list = take(cells, sizeof *list);
    for (int64_t i = 0; i < cells; i++) {
        if (naive->mask[i] && !escapes(naive, i, height, seen, list)) {
            for (int64_t c = 0; c < cells; c++) {
                all[c] = all[c] || seen[c];
            }
        }
    }
    memset(naive->markers, 0, (size_t)cells * sizeof *naive->markers);
    for (int64_t i = 0; i < cells; i++) {
        int64_t end = 0, near[26];
        if (all[i] && naive->markers[i] == 0) {
            naive->markers[i] = ++count;
            list[end++] = i;
        }
        for (int64_t c = 0; c < end; c++) {
            int found = around(naive, list[c], near);
            for (int k = 0; k < found; k++) {
                if (all[near[k]] && naive->markers[near[k]] == 0) {
                    naive->markers[near[k]] = count;
                    list[end++] = near[k];
                }
            }
        }
    }
    free(seen);
    free(all);
    free(list);
}

void watershed_naive_line(const watershed_naive *naive)
{
    int64_t cells = cells_of(naive), near[26];
    int32_t *lines = take(cells, sizeof *lines);
    for (int64_t i = 0; i < cells; i++) {
        lines[i] = naive->labels[i];
        int found = around(naive, i, near);
        for (int k = 0; k < found; k++) {
            int32_t other = naive->labels[near[k]];
            lines[i] = other > 0 && other < naive->labels[i] ? 0 : lines[i];
        }
    }
    memcpy(naive->labels, lines, (size_t)cells * sizeof *lines);
    free(lines);
}
