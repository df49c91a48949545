#include "kernels/watershed/watershed_internal.h"

#include "base/minmax.h"

/* The label of a cell between basins. */

/* The labels of the best neighbours with the least E. */
typedef struct {
    watershed_entry least;
    int32_t labels[WATERSHED_NEIGHBOURS];
    int count;
} candidates;

static void note(candidates *c, const watershed_entry *entry, int32_t label)
{
    int order = (entry->value > c->least.value) - (entry->value < c->least.value);
    order = order != 0 ? order : (entry->depth > c->least.depth) - (entry->depth < c->least.depth);
    if (c->count == 0 || order < 0) {
        c->least = *entry;
        c->count = 0;
        order = 0;
    }
    if (order == 0) {
        c->labels[c->count++] = label;
    }
}

halo_status watershed_decide(halo_watershed *w, int64_t cell, uint32_t directions, int32_t *label)
{
    candidates c = {.count = 0};
    for (uint32_t left = directions; left != 0; left &= left - 1) {
        int64_t other = cell + w->step[__builtin_ctz(left)];
        watershed_entry entry;
        bool known;
        HALO_TRY(watershed_find_entry(w, other, &entry, &known));
        note(&c, &entry, w->labels[other]);
    }
    bool same = true, waits = false;
    *label = c.labels[0];
    for (int i = 0; i < c.count; i++) {
        same = same && c.labels[i] == c.labels[0];
        waits = waits || c.labels[i] < 0;
        *label = (int32_t)halo_min(*label, c.labels[i]);
    }
    return same || !waits ? HALO_OK : watershed_nodes_add(&w->nodes, c.labels, c.count, label);
}
