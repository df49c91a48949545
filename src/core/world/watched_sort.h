#ifndef HALOBEAT_CORE_WORLD_WATCHED_SORT_H
#define HALOBEAT_CORE_WORLD_WATCHED_SORT_H

#include "core/world/watch.h"

#include <stddef.h>

/* Local. As qsort, but watched (core/world/watch.h): long lists are sorted in pieces,
 * which are then merged. Lists that are in order take one look at each element. HALO_MEMORY,
 * HALO_CANCELLED; the order of elements is then undefined. */
halo_status halo_watched_sort(const halo_world *world, void *list, int64_t count, size_t size,
                              int (*compare)(const void *a, const void *b));

/* Local. As memcpy of `count` elements of `size` bytes, but watched. HALO_CANCELLED. */
halo_status halo_watched_copy(const halo_world *world, void *to, const void *from, int64_t count,
                              size_t size);

#endif
