#include "core/world/watched_sort.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 15 }; /* elements that are sorted, or merged, between two looks */

typedef struct {
    const halo_world *world;
    size_t size;
    int (*compare)(const void *a, const void *b);
} sorting;

halo_status halo_watched_copy(const halo_world *world, void *to, const void *from, int64_t count,
                              size_t size)
{
    for (int64_t first = 0; first < count; first += PIECE) {
        HALO_TRY(halo_watch_work(world, 0, 0));
        memcpy((char *)to + (size_t)first * size, (const char *)from + (size_t)first * size,
               (size_t)halo_min(PIECE, count - first) * size);
    }
    return HALO_OK;
}

/* Sets *ordered to whether the list is in order. */
static halo_status look_at_order(const sorting *s, const char *list, int64_t count, bool *ordered)
{
    *ordered = true;
    for (int64_t i = 1; i < count && *ordered; i++) {
        if (i % PIECE == 0) {
            HALO_TRY(halo_watch_work(s->world, 0, 0));
        }
        *ordered = s->compare(list + (size_t)(i - 1) * s->size, list + (size_t)i * s->size) <= 0;
    }
    return HALO_OK;
}

/* Merges the runs from `first` to `middle` and from there to `end`. */
static halo_status merge(const sorting *s, const char *from, char *to, int64_t first,
                         int64_t middle, int64_t end)
{
    size_t size = s->size;
    int64_t a = first, b = middle;
    for (int64_t i = first; i < end; i++) {
        if (i % PIECE == 0) {
            HALO_TRY(halo_watch_work(s->world, 0, 0));
        }
        bool left = b == end || (a < middle &&
                                 s->compare(from + (size_t)a * size, from + (size_t)b * size) <= 0);
        memcpy(to + (size_t)i * size, from + (size_t)(left ? a++ : b++) * size, size);
    }
    return HALO_OK;
}

/* *list and *other change places with every round. */
static halo_status merge_runs(const sorting *s, char **list, char **other, int64_t count)
{
    for (int64_t run = PIECE; run < count; run *= 2) {
        for (int64_t first = 0; first < count; first += 2 * run) {
            int64_t middle = halo_min(first + run, count), end = halo_min(first + 2 * run, count);
            HALO_TRY(merge(s, *list, *other, first, middle, end));
        }
        char *sorted = *other;
        *other = *list;
        *list = sorted;
    }
    return HALO_OK;
}

halo_status halo_watched_sort(const halo_world *world, void *list, int64_t count, size_t size,
                              int (*compare)(const void *a, const void *b))
{
    const sorting s = {world, size, compare};
    char *from = list, *room = NULL;
    bool ordered;
    HALO_TRY(look_at_order(&s, list, count, &ordered));
    if (ordered) {
        return HALO_OK;
    }
    for (int64_t first = 0; first < count; first += PIECE) {
        qsort(from + (size_t)first * size, (size_t)halo_min(PIECE, count - first), size, compare);
        HALO_TRY(halo_watch_work(world, 0, 0));
    }
    if (count <= PIECE) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(room, count * (int64_t)size, "a list to be sorted"));
    char *to = room;
    halo_status status = merge_runs(&s, &from, &to, count);
    if (status == HALO_OK && from != (char *)list) {
        status = halo_watched_copy(world, list, from, count, size);
    }
    halo_memory_free(room);
    return status;
}
