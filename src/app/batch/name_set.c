#include "app/batch/name_set.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static uint64_t hash_of(const char *name)
{
    uint64_t hash = XXH3_64bits(name, strlen(name));
    return hash != 0 ? hash : 1;
}

/* The place of a hash, or the free one where it would be. */
static int64_t place_of(const batch_name_set *set, uint64_t hash)
{
    int64_t at = (int64_t)(hash % (uint64_t)set->size);
    while (set->hashes[at] != 0 && set->hashes[at] != hash) {
        at = (at + 1) % set->size;
    }
    return at;
}

static halo_status grow(batch_name_set *set)
{
    enum { FIRST = 1024 };
    batch_name_set larger = {.count = set->count, .size = set->size > 0 ? 2 * set->size : FIRST};
    HALO_TRY(HALO_ALLOCATE(larger.hashes, larger.size, "names of files"));
    for (int64_t i = 0; i < set->size; i++) {
        if (set->hashes[i] != 0) {
            larger.hashes[place_of(&larger, set->hashes[i])] = set->hashes[i];
        }
    }
    free(set->hashes);
    *set = larger;
    return HALO_OK;
}

bool batch_name_set_has(const batch_name_set *set, const char *name)
{
    return set->size > 0 && set->hashes[place_of(set, hash_of(name))] != 0;
}

halo_status batch_name_set_add(batch_name_set *set, const char *name)
{
    uint64_t hash = hash_of(name);
    if (2 * (set->count + 1) > set->size) {
        HALO_TRY(grow(set));
    }
    int64_t at = place_of(set, hash);
    set->count += set->hashes[at] == 0;
    set->hashes[at] = hash;
    return HALO_OK;
}

void batch_name_set_free(batch_name_set *set)
{
    free(set->hashes);
    *set = (batch_name_set){.hashes = NULL};
}
