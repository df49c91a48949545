#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/watch.h"
#include "kernels/watershed/watershed_internal.h"

#include <stdlib.h>

/* Levels are lowered in parts of the strip that fit the cache: in each part from the lowest level
 * up, so that few cells are lowered twice; cells of other parts wait until it is their turn. The
 * order does not change the result. */

enum {
    PART_BITS = 17, /* cells of a part, as a power of two */
    PART = 1 << PART_BITS,
    BUCKETS = 1024, /* levels, or ranges of them, in the order in which cells are taken */
    NODES = 4096    /* at first */
};

typedef struct {
    uint32_t cell, next; /* next: 0 for none */
} flood_node;

/* Cells of a part whose level has been lowered, by their places in it. */
typedef struct {
    uint32_t *cells;
    int64_t count, room;
} flood_part;

struct watershed_flood {
    halo_watershed *w;
    int64_t parts, waiting; /* waiting: cells of all parts */
    flood_part *part;
    flood_part taken;  /* those of the part at hand */
    flood_node *nodes; /* [room], from 1 on */
    int64_t room, used;
    uint32_t unused; /* list of nodes */
    uint32_t head[BUCKETS], tail[BUCKETS];
    uint64_t lowest;
    int shift; /* of levels, for their bucket */
};

halo_status watershed_flood_create(watershed_flood **out, halo_watershed *w)
{
    watershed_flood *flood;
    *out = NULL;
    HALO_TRY(HALO_ALLOCATE(flood, 1, "a flood"));
    *out = flood;
    flood->w = w;
    flood->parts = (w->end - w->first + PART - 1) >> PART_BITS;
    flood->used = 1;
    HALO_TRY(
        halo_grow(&flood->nodes, &flood->room, NODES, sizeof *flood->nodes, "cells of a flood"));
    return HALO_ALLOCATE(flood->part, flood->parts, "parts of a flood");
}

void watershed_flood_destroy(watershed_flood **out)
{
    watershed_flood *flood = *out;
    if (flood != NULL) {
        for (int64_t i = 0; i < flood->parts && flood->part != NULL; i++) {
            free(flood->part[i].cells);
        }
        free(flood->part);
        free(flood->taken.cells);
        free(flood->nodes);
    }
    free(flood);
    *out = NULL;
}

halo_status watershed_flood_add(watershed_flood *flood, int64_t cell)
{
    int64_t place = cell - flood->w->first;
    flood_part *part = &flood->part[place >> PART_BITS];
    if (part->count == part->room) {
        HALO_TRY(halo_grow(&part->cells, &part->room, part->count, sizeof *part->cells,
                           "cells of a flood"));
    }
    part->cells[part->count++] = (uint32_t)(place & (PART - 1));
    flood->waiting++;
    return HALO_OK;
}

static inline int bucket_of(const watershed_flood *flood, uint64_t level)
{
    uint64_t bucket = (level - flood->lowest) >> flood->shift;
    return bucket < BUCKETS ? (int)bucket : BUCKETS - 1;
}

static inline halo_status push(watershed_flood *flood, uint32_t cell, uint64_t level)
{
    uint32_t node = flood->unused;
    if (node != 0) {
        flood->unused = flood->nodes[node].next;
    } else {
        if (flood->used == flood->room) {
            HALO_TRY(halo_grow(&flood->nodes, &flood->room, flood->used, sizeof *flood->nodes,
                               "cells of a flood"));
        }
        node = (uint32_t)flood->used++;
    }
    int bucket = bucket_of(flood, level);
    flood->nodes[node] = (flood_node){.cell = cell};
    if (flood->head[bucket] == 0) {
        flood->head[bucket] = node;
    } else {
        flood->nodes[flood->tail[bucket]].next = node;
    }
    flood->tail[bucket] = node;
    return HALO_OK;
}

static inline uint32_t pop(watershed_flood *flood, int bucket)
{
    uint32_t node = flood->head[bucket], cell = flood->nodes[node].cell;
    flood->head[bucket] = flood->nodes[node].next;
    flood->nodes[node].next = flood->unused;
    flood->unused = node;
    return cell;
}

/* Puts the waiting cells of a part into the buckets, whose ranges are chosen by them. */
static halo_status take_part(watershed_flood *flood, flood_part *part, int64_t base)
{
    flood_part taken = *part;
    uint64_t lowest = UINT64_MAX, highest = 0;
    *part = flood->taken;
    part->count = 0;
    flood->taken = taken;
    flood->waiting -= taken.count;
    for (int64_t i = 0; i < taken.count; i++) {
        uint64_t level = watershed_level_at(flood->w, base + taken.cells[i]);
        lowest = level < lowest ? level : lowest;
        highest = level > highest ? level : highest;
    }
    flood->lowest = lowest;
    flood->shift = 0;
    while ((highest - lowest) >> flood->shift >= BUCKETS) {
        flood->shift++;
    }
    for (int64_t i = 0; i < taken.count; i++) {
        HALO_TRY(push(flood, taken.cells[i], watershed_level_at(flood->w, base + taken.cells[i])));
    }
    return HALO_OK;
}

#define KEY        uint8_t
#define NAME(name) name##_8
#include "kernels/watershed/flood_keys.h"
#undef KEY
#undef NAME
#define KEY        uint16_t
#define NAME(name) name##_16
#include "kernels/watershed/flood_keys.h"
#undef KEY
#undef NAME
#define KEY        uint32_t
#define NAME(name) name##_32
#include "kernels/watershed/flood_keys.h"
#undef KEY
#undef NAME
#define KEY        uint64_t
#define NAME(name) name##_64
#include "kernels/watershed/flood_keys.h"
#undef KEY
#undef NAME

static halo_status run_part(watershed_flood *flood, int64_t number)
{
    static halo_status (*const floods[WATERSHED_KEYS])(watershed_flood *, int64_t) = {
        flood_part_8, flood_part_16, flood_part_32, flood_part_64};
    flood_part *part = &flood->part[number];
    int64_t base = flood->w->first + (number << PART_BITS);
    if (part->count == 0) {
        return HALO_OK;
    }
    HALO_TRY(take_part(flood, part, base));
    HALO_TRY(floods[__builtin_ctz((unsigned)flood->w->bytes)](flood, base));
    return halo_watch_work(flood->w->world, 0, 0);
}

halo_status watershed_flood_run(watershed_flood *flood)
{
    bool back = false;
    while (flood->waiting > 0) {
        for (int64_t i = 0; i < flood->parts; i++) {
            HALO_TRY(run_part(flood, back ? flood->parts - 1 - i : i));
        }
        back = !back;
    }
    return HALO_OK;
}
