#ifndef HALOBEAT_KERNELS_CLUSTER_BORDERS_H
#define HALOBEAT_KERNELS_CLUSTER_BORDERS_H

#include "core/world/watch.h"

#include <stdint.h>

/* Borders between the pieces of clusters. All functions are local. Internal to the cluster kernel.
 */

/* Two pieces that touch. */
typedef struct {
    int32_t first, second; /* of all pieces, from 0; first < second */
    int64_t faces;         /* pixel faces that both share */
} cluster_border;

/* A list of them, in which a pair can be several times. Zero-initialise it, and set `world`, which
 * watches (core/world/watch.h). */
typedef struct {
    const halo_world *world;
    cluster_border *list; /* [room] of which [count] are used */
    int64_t count, room;
    /* For sorting, kept from one time to the next: pages of new memory are cleared first. */
    cluster_border *sorted; /* [sorted_room] */
    int64_t *begin;         /* [begin_room] where the borders of each first piece begin */
    int64_t sorted_room, begin_room;
} cluster_borders;

/* Makes `list`, of `count` borders that were allocated by malloc, the list of `borders`. */
void cluster_borders_take(cluster_borders *borders, cluster_border *list, int64_t count);

/* Accepts a zeroed list. */
void cluster_borders_free(cluster_borders *borders);

/* Puts the list in ascending order, and makes of each pair one border. HALO_MEMORY,
 * HALO_CANCELLED. */
halo_status cluster_borders_merge(cluster_borders *borders);

/* Makes room for more, by merging where that is enough. Errors as above. */
halo_status cluster_borders_make_room(cluster_borders *borders);

/* Adds faces of two different pieces. Errors as above. */
static inline halo_status cluster_borders_add(cluster_borders *borders, int32_t one, int32_t other,
                                              int64_t faces)
{
    int32_t first = one < other ? one : other, second = one < other ? other : one;
    /* At first there is no list, to which not even 0 can be added. */
    cluster_border *last = borders->count > 0 ? borders->list + borders->count - 1 : NULL;
    if (last != NULL && last->first == first && last->second == second) {
        last->faces += faces;
        return HALO_OK;
    }
    if (borders->count == borders->room) {
        HALO_TRY(cluster_borders_make_room(borders));
    }
    borders->list[borders->count++] = (cluster_border){first, second, faces};
    return HALO_OK;
}

#endif
