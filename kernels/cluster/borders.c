#include "kernels/cluster/borders.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/watched_sort.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
    const cluster_border *a = left, *b = right;
    return a->first != b->first     ? (a->first < b->first ? -1 : 1)
           : a->second != b->second ? (a->second < b->second ? -1 : 1)
                                    : 0;
}

/* Mostly those of one first piece. */
static halo_status sort_some(const halo_world *world, cluster_border *list, int64_t count)
{
    enum { FEW = 24 };
    if (count > FEW) {
        return halo_watched_sort(world, list, count, sizeof *list, compare);
    }
    for (int64_t i = 1; i < count; i++) {
        cluster_border border = list[i];
        int64_t at = i;
        for (; at > 0 && compare(&list[at - 1], &border) > 0; at--) {
            list[at] = list[at - 1];
        }
        list[at] = border;
    }
    return HALO_OK;
}

static halo_status ensure_sorting(cluster_borders *borders, int64_t pieces)
{
    static const char what[] = "borders of pieces";
    if (borders->begin_room < pieces + 1) {
        halo_memory_free(borders->begin);
        borders->begin_room = 0;
        HALO_TRY(HALO_ALLOCATE_LARGE(borders->begin, pieces + 1, what));
        borders->begin_room = pieces + 1;
    }
    if (borders->sorted_room < borders->room) {
        free(borders->sorted);
        borders->sorted_room = 0;
        borders->sorted = malloc((size_t)borders->room * sizeof *borders->sorted);
        HALO_FAIL_IF(borders->sorted == NULL, HALO_MEMORY, "out of memory: %s", what);
        borders->sorted_room = borders->room;
    }
    return HALO_OK;
}

/* Puts borders by their first pieces, which are `least` and up to `pieces` - 1 more. Pieces are
 * numbered in raster order, so that borders are nearly in order and find their places in the cache:
 * this takes a tenth of the time that comparing them does. */
static halo_status distribute(cluster_borders *from, int32_t least, int64_t pieces)
{
    HALO_TRY(ensure_sorting(from, pieces));
    cluster_border *to = from->sorted;
    int64_t *begin = from->begin;
    memset(begin, 0, (size_t)(pieces + 1) * sizeof *begin);
    for (int64_t i = 0; i < from->count; i++) {
        HALO_TRY(halo_watch_entry(from->world, i));
        begin[from->list[i].first - least + 1]++;
    }
    for (int64_t p = 0; p < pieces; p++) {
        begin[p + 1] += begin[p];
    }
    for (int64_t i = 0; i < from->count; i++) {
        HALO_TRY(halo_watch_entry(from->world, i));
        to[begin[from->list[i].first - least]++] = from->list[i];
    }
    for (int64_t p = 0, first = 0; p < pieces; first = begin[p++]) {
        HALO_TRY(halo_watch_entry(from->world, p));
        HALO_TRY(sort_some(from->world, to + first, begin[p] - first));
    }
    return HALO_OK;
}

static halo_status sort(cluster_borders *borders)
{
    enum { PIECES_FOR_A_BORDER = 16 };
    int32_t least = INT32_MAX, most = 0;
    for (int64_t i = 0; i < borders->count; i++) {
        least = borders->list[i].first < least ? borders->list[i].first : least;
        most = borders->list[i].first > most ? borders->list[i].first : most;
    }
    int64_t pieces = (int64_t)most - least + 1;
    if (pieces / PIECES_FOR_A_BORDER >= borders->count) {
        return sort_some(borders->world, borders->list, borders->count);
    }
    HALO_TRY(distribute(borders, least, pieces));
    cluster_borders old = *borders;
    borders->list = old.sorted;
    borders->room = old.sorted_room;
    borders->sorted = old.list;
    borders->sorted_room = old.room;
    return HALO_OK;
}

halo_status cluster_borders_merge(cluster_borders *borders)
{
    int64_t kept = 0;
    HALO_TRY(borders->count > 0 ? sort(borders) : HALO_OK);
    cluster_border *list = borders->list;
    for (int64_t i = 0; i < borders->count; i++) {
        HALO_TRY(halo_watch_entry(borders->world, i));
        if (kept > 0 && list[kept - 1].first == list[i].first &&
            list[kept - 1].second == list[i].second) {
            list[kept - 1].faces += list[i].faces;
        } else {
            list[kept++] = list[i];
        }
    }
    borders->count = kept;
    return HALO_OK;
}

halo_status cluster_borders_make_room(cluster_borders *borders)
{
    enum { LEAST = 1 << 12 };
    if (borders->count > 0) {
        HALO_TRY(cluster_borders_merge(borders));
    }
    if (2 * borders->count < borders->room) {
        return HALO_OK;
    }
    int64_t room = halo_max(LEAST, 2 * borders->room);
    cluster_border *list = realloc(borders->list, (size_t)room * sizeof *list);
    HALO_FAIL_IF(list == NULL, HALO_MEMORY, "out of memory: borders of pieces");
    borders->list = list;
    borders->room = room;
    return HALO_OK;
}

void cluster_borders_take(cluster_borders *borders, cluster_border *list, int64_t count)
{
    free(borders->list);
    borders->list = list;
    borders->count = borders->room = count;
}

void cluster_borders_free(cluster_borders *borders)
{
    free(borders->list);
    free(borders->sorted);
    halo_memory_free(borders->begin);
    *borders = (cluster_borders){.list = NULL};
}
