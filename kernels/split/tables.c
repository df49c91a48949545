#include "base/memory.h"
#include "kernels/split/split_internal.h"

/* The table of passes: open addressing, at most half full. */

static int64_t place_of(const split_pass_table *table, int32_t a, int32_t b)
{
    const uint64_t mix = UINT64_C(0x9e3779b97f4a7c15);
    enum { HALF = 32 };
    uint64_t hash = ((uint64_t)(uint32_t)a << HALF | (uint32_t)b) * mix;
    int64_t at = (int64_t)(hash >> HALF) & (table->room - 1);
    while (table->entries[at].b != 0 && (table->entries[at].a != a || table->entries[at].b != b)) {
        at = (at + 1) & (table->room - 1);
    }
    return at;
}

static halo_status make_room(split_pass_table *table)
{
    enum { LEAST = 1 << 10 };
    split_pass_table larger = {.room = table->room > 0 ? 2 * table->room : LEAST,
                               .count = table->count};
    HALO_TRY(HALO_ALLOCATE_LARGE(larger.entries, larger.room, "passes between basins"));
    for (int64_t i = 0; i < table->room; i++) {
        const split_pass *entry = &table->entries[i];
        if (entry->b != 0) {
            larger.entries[place_of(&larger, entry->a, entry->b)] = *entry;
        }
    }
    halo_memory_free(table->entries);
    *table = larger;
    return HALO_OK;
}

halo_status split_passes_put(split_pass_table *table, int32_t a, int32_t b, uint64_t key)
{
    if (2 * table->count >= table->room) {
        HALO_TRY(make_room(table));
    }
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    split_pass *entry = &table->entries[place_of(table, low, high)];
    if (entry->b == 0) {
        *entry = (split_pass){key, low, high};
        table->count++;
    } else if (key < entry->key) {
        entry->key = key;
    }
    return HALO_OK;
}

void split_passes_free(split_pass_table *table)
{
    halo_memory_free(table->entries);
    *table = (split_pass_table){.entries = NULL};
}
