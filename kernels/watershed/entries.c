#include "base/memory.h"
#include "kernels/watershed/watershed_internal.h"

#include <stdlib.h>

/* E: the costs from which paths rose to the level of a cell. Only cells whose best neighbours have
 * different labels need it, and the cells from which theirs follows. */

static bool is_less(const watershed_entry *a, const watershed_entry *b)
{
    return a->value != b->value ? a->value < b->value : a->depth < b->depth;
}

/* The cost of the best neighbours of a cell that rose from them. */
static watershed_entry cost_below(const halo_watershed *w, int64_t cell)
{
    watershed_entry least = {UINT64_MAX, UINT32_MAX};
    for (int k = 0; k < w->neighbours; k++) {
        int64_t other = cell + w->step[k];
        const watershed_entry cost = {watershed_level_at(w, other), w->steps[other] + 1};
        if (w->steps[other] != WATERSHED_OUTSIDE && is_less(&cost, &least)) {
            least = cost;
        }
    }
    return least;
}

/* False if E of the cell is not known yet. */
static bool is_known(const halo_watershed *w, int64_t cell, watershed_entry *entry)
{
    if (!watershed_is_own(w, cell)) {
        *entry = w->entries.border[2 * w->layer + watershed_halo_number(w, cell)];
    } else if (w->steps[cell] != WATERSHED_SOURCE) {
        return watershed_entries_get(&w->entries, cell, entry);
    } else if (watershed_is_marker(w, cell)) {
        *entry = (watershed_entry){.depth = 1};
    } else {
        *entry = cost_below(w, cell);
    }
    return entry->depth != 0;
}

/* The least E of the best neighbours of a cell on a level; or in *waits one of which it is not
 * known. */
static watershed_entry least_around(const halo_watershed *w, int64_t cell, int64_t *waits)
{
    watershed_entry least = {UINT64_MAX, UINT32_MAX}, entry;
    uint64_t level = watershed_level_at(w, cell);
    for (int k = 0; k < w->neighbours; k++) {
        int64_t other = cell + w->step[k];
        if (w->steps[other] != w->steps[cell] - 1 || watershed_level_at(w, other) != level) {
            continue;
        }
        if (!is_known(w, other, &entry)) {
            *waits = other;
            return least;
        }
        least = is_less(&entry, &least) ? entry : least;
    }
    *waits = -1;
    return least;
}

/* Finds E of the cells of the list, the last one first, and of those that they wait for. */
static halo_status find(halo_watershed *w, watershed_list *list, bool *known)
{
    *known = true;
    while (list->count > 0) {
        int64_t cell = list->cells[list->count - 1], waits;
        const watershed_entry entry = least_around(w, cell, &waits);
        if (waits < 0) {
            HALO_TRY(watershed_entries_put(&w->entries, cell, &entry));
            list->count--;
        } else if (watershed_is_own(w, waits)) {
            HALO_TRY(watershed_add(list, waits));
        } else {
            *known = false;
            return HALO_OK;
        }
    }
    return HALO_OK;
}

halo_status watershed_find_entry(halo_watershed *w, int64_t cell, watershed_entry *entry,
                                 bool *known)
{
    *known = is_known(w, cell, entry);
    if (*known || !watershed_is_own(w, cell)) {
        return HALO_OK;
    }
    watershed_list list = {.cells = NULL};
    halo_status status = watershed_add(&list, cell);
    HALO_IF_OK(status, find(w, &list, known));
    free(list.cells);
    if (status == HALO_OK && *known) {
        is_known(w, cell, entry);
    }
    return status;
}

/* ---- borders --------------------------------------------------------------------------------- */

/* Finds E of the cells of a layer, as far as it can be known; counts those that cannot. */
static halo_status find_layer(halo_watershed *w, int64_t first, watershed_entry *out,
                              int64_t *unknown)
{
    for (int64_t i = 0; i < w->layer; i++) {
        int64_t cell = first + i;
        if (w->steps[cell] != WATERSHED_OUTSIDE && w->steps[cell] < WATERSHED_FAR) {
            watershed_entry entry;
            bool known;
            HALO_TRY(watershed_find_entry(w, cell, &entry, &known));
            out[i] = known ? entry : (watershed_entry){0};
            *unknown += !known;
        }
    }
    return HALO_OK;
}

static halo_status find_borders(halo_watershed *w, int64_t *unknown)
{
    watershed_entry *border = w->entries.border;
    HALO_TRY(w->before >= 0 ? find_layer(w, w->first, border, unknown) : HALO_OK);
    return w->after >= 0 ? find_layer(w, w->end - w->layer, border + w->layer, unknown) : HALO_OK;
}

halo_status watershed_exchange_entries(halo_watershed *w)
{
    int64_t unknown, layer = w->layer;
    halo_status status = HALO_ALLOCATE_LARGE(w->entries.border, 4 * layer, "costs of borders");
    HALO_TRY(halo_agree(w->world, status));
    watershed_entry *border = w->entries.border;
    do {
        unknown = 0;
        halo_status mine = find_borders(w, &unknown);
        HALO_TRY(watershed_vote(w, mine, &unknown));
        HALO_TRY(watershed_swap(w, border, border + layer, border + 2 * layer, border + 3 * layer,
                                layer * (int64_t)sizeof *border));
    } while (unknown > 0);
    return HALO_OK;
}
