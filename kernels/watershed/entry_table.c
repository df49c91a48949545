#include "base/memory.h"
#include "kernels/watershed/watershed_internal.h"

/* E of some cells, in a hash table with open addressing: cells that need it are few, and lie all
 * over the strip, so that an array would have all its pages touched. */

enum { FIRST_ROOM = 1 << 12 };

/* The slot of a cell, or the free one where it belongs. */
static int64_t find_slot(const watershed_entries *entries, int64_t cell)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    enum { HIGH = 32 };
    int64_t slot = (int64_t)(((uint64_t)cell * odd) >> HIGH) & (entries->room - 1);
    while (entries->slots[slot].cell != 0 && entries->slots[slot].cell != cell) {
        slot = (slot + 1) & (entries->room - 1);
    }
    return slot;
}

bool watershed_entries_get(const watershed_entries *entries, int64_t cell, watershed_entry *entry)
{
    if (entries->count == 0) {
        return false;
    }
    const watershed_slot *slot = &entries->slots[find_slot(entries, cell)];
    *entry = slot->entry;
    return slot->cell != 0;
}

static halo_status make_room(watershed_entries *entries)
{
    watershed_entries more = {.room = entries->room > 0 ? 2 * entries->room : FIRST_ROOM};
    HALO_TRY(HALO_ALLOCATE_LARGE(more.slots, more.room, "costs of cells between basins"));
    for (int64_t i = 0; i < entries->room; i++) {
        if (entries->slots[i].cell != 0) {
            more.slots[find_slot(&more, entries->slots[i].cell)] = entries->slots[i];
        }
    }
    halo_memory_free(entries->slots);
    entries->slots = more.slots;
    entries->room = more.room;
    return HALO_OK;
}

halo_status watershed_entries_put(watershed_entries *entries, int64_t cell,
                                  const watershed_entry *entry)
{
    if (2 * entries->count >= entries->room) {
        HALO_TRY(make_room(entries));
    }
    watershed_slot *slot = &entries->slots[find_slot(entries, cell)];
    entries->count += slot->cell == 0;
    *slot = (watershed_slot){cell, *entry};
    return HALO_OK;
}

void watershed_entries_free(watershed_entries *entries)
{
    halo_memory_free(entries->slots);
    halo_memory_free(entries->border);
    *entries = (watershed_entries){.count = 0};
}
