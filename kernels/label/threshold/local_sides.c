#include "kernels/label/threshold/local_internal.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

#include <string.h>

/* Our own pixels from column `first` on, as neighbours keep them. */
static void pack(const halo_view *grey, int64_t first, int64_t radius, char *out)
{
    size_t cell = (size_t)grey->stride[1], bytes = (size_t)radius * cell;
    for (int64_t y = 0; y < grey->owned.n[0]; y++, out += bytes) {
        memcpy(out, (const char *)halo_row(grey, y) + (size_t)first * cell, bytes);
    }
}

/* All strips hand their pixels on to the strip behind, or to the one before. With two strips both
 * may be the same rank, which is why this is done one direction after the other. */
static halo_status hand_on(halo_world *world, const halo_partition *partition, int step,
                           bool periodic, void *own, size_t bytes, void *received, bool *there)
{
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world);
    const int64_t *cuts = partition->cuts[0];
    int to = halo_cuts_neighbour(cuts, ranks, rank, step, periodic);
    int from = halo_cuts_neighbour(cuts, ranks, rank, -step, periodic);
    halo_message out = {.rank = to, .data = own, .bytes = bytes};
    halo_message in = {.rank = from, .data = received, .bytes = bytes};
    *there = from >= 0;
    return halo_sendrecv(world, &out, to >= 0, &in, *there);
}

halo_status label_local_sides_create(label_local_sides *sides, halo_world *world,
                                     const halo_partition *partition, const halo_view *grey,
                                     int64_t radius, bool periodic)
{
    bool is_empty = grey->owned.n[1] == 0;
    size_t bytes = (size_t)(grey->owned.n[0] * radius * grey->stride[1]);
    bool before, behind;
    *sides = (label_local_sides){0};
    HALO_TRY(halo_agree(
        world, halo_memory_create(&sides->memory, 3 * bytes, "pixels beside rows of an image")));
    char *own = sides->memory, *first = own + bytes, *second = first + bytes;
    if (is_empty) { /* it has no neighbours */
        return HALO_OK;
    }
    pack(grey, grey->owned.n[1] - radius, radius, own);
    HALO_TRY(hand_on(world, partition, 1, periodic, own, bytes, first, &before));
    pack(grey, 0, radius, own);
    HALO_TRY(hand_on(world, partition, -1, periodic, own, bytes, second, &behind));
    sides->before = before ? first : NULL;
    sides->behind = behind ? second : NULL;
    return HALO_OK;
}

void label_local_sides_free(label_local_sides *sides)
{
    halo_memory_free(sides->memory);
    *sides = (label_local_sides){0};
}
