#include "core/file/store_internal.h"

#include "base/minmax.h"
#include "core/world/collect.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS = 16, MAX_PARTS = 1 << 24, FIELDS = sizeof(halo_store_entry) / sizeof(int64_t) };

void halo_store_path(const halo_checkpoint_store *store, int64_t generation, int64_t part,
                     int64_t parts, char *out, size_t size)
{
    snprintf(out, size, "%s/%s.%0*" PRIx64 ".%" PRId64 "-of-%" PRId64, store->folder, store->name,
             DIGITS, (uint64_t)generation, part + 1, parts);
}

/* Is this the name of a part? */
static bool parse(const halo_checkpoint_store *store, const char *file, halo_store_entry *entry)
{
    size_t name = strlen(store->name);
    int end = -1;
    if (strncmp(file, store->name, name) != 0 || file[name] != '.' ||
        strspn(file + name + 1, "0123456789abcdef") != DIGITS) {
        return false;
    }
    *entry = (halo_store_entry){.host = store->host};
    entry->generation = (int64_t)strtoull(file + name + 1, NULL, 16);
    int got = sscanf(file + name + 1 + DIGITS, ".%9" SCNd64 "-of-%9" SCNd64 "%n", &entry->part,
                     &entry->parts, &end);
    entry->part--;
    return got == 2 && end > 0 && file[name + 1 + DIGITS + (size_t)end] == '\0' &&
           entry->generation > 0 && entry->generation < INT64_MAX / 2 && entry->part >= 0 &&
           entry->part < entry->parts && entry->parts <= MAX_PARTS;
}

/* Local. Calls `use` for each part in this host's folder; a folder that is not there has none. */
static halo_status each(const halo_checkpoint_store *store, void *context,
                        halo_status (*use)(const halo_checkpoint_store *store, void *context,
                                           const halo_store_entry *entry))
{
    DIR *open = opendir(store->folder);
    halo_status status = HALO_OK;
    halo_store_entry entry;
    for (struct dirent *file;
         open != NULL && status == HALO_OK && (file = readdir(open)) != NULL;) {
        if (parse(store, file->d_name, &entry)) {
            status = use(store, context, &entry);
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    return status;
}

static halo_status collect(const halo_checkpoint_store *store, void *context,
                           const halo_store_entry *entry)
{
    (void)store;
    return halo_buffer_append(context, entry, sizeof *entry);
}

halo_status halo_store_join(halo_world *world, void *numbers, int64_t count)
{
    enum { PIECE = 1 << 20 };
    int64_t *at = numbers;
    for (int64_t done = 0; done < count; done += PIECE) {
        HALO_TRY(halo_allreduce_sum(world, at + done, (int)halo_min(count - done, PIECE)));
    }
    return HALO_OK;
}

/* Collective. Everybody gets what every host has found. */
static halo_status share(halo_checkpoint_store *store, const halo_buffer *mine)
{
    halo_world *world = store->world;
    int64_t count = (int64_t)(mine->size / sizeof *store->entries), before = count, all = count;
    HALO_TRY(halo_exscan(world, &before, 1));
    HALO_TRY(halo_allreduce_sum(world, &all, 1));
    free(store->entries);
    store->count = 0;
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(store->entries, all, "parts of a checkpoint")));
    if (count > 0) {
        memcpy(store->entries + before, mine->data, mine->size);
    }
    store->count = all;
    return halo_store_join(world, store->entries, all * FIELDS);
}

halo_status halo_store_scan(halo_checkpoint_store *store)
{
    halo_buffer mine = {0};
    bool looks = halo_world_rank(store->node) == 0;
    halo_status status = halo_agree(store->world, looks ? each(store, &mine, collect) : HALO_OK);
    if (status == HALO_OK) {
        status = share(store, &mine);
    }
    halo_buffer_free(&mine);
    HALO_TRY(status);
    store->newest = 0;
    for (int64_t i = 0; i < store->count; i++) {
        store->newest = halo_max(store->newest, store->entries[i].generation);
    }
    int64_t parts;
    store->kept = halo_store_find_whole(store, &parts);
    return HALO_OK;
}

int halo_store_find_part(const halo_checkpoint_store *store, int64_t generation, int64_t part,
                         int64_t parts)
{
    for (int64_t i = 0; i < store->count; i++) {
        const halo_store_entry *entry = &store->entries[i];
        if (entry->generation == generation && entry->part == part && entry->parts == parts) {
            return (int)entry->host;
        }
    }
    return -1;
}

static bool is_whole(const halo_checkpoint_store *store, int64_t generation, int64_t parts)
{
    int64_t part = 0;
    while (part < parts && halo_store_find_part(store, generation, part, parts) >= 0) {
        part++;
    }
    return part == parts;
}

int64_t halo_store_find_whole(const halo_checkpoint_store *store, int64_t *parts)
{
    int64_t found = 0;
    for (int64_t i = 0; i < store->count; i++) {
        const halo_store_entry *entry = &store->entries[i];
        if (entry->generation > found && is_whole(store, entry->generation, entry->parts)) {
            found = entry->generation;
            *parts = entry->parts;
        }
    }
    return found;
}

/* Which generations go. */
typedef struct {
    bool only; /* this one; otherwise all but these two */
    int64_t generations[2];
} removal;

static halo_status remove_part(const halo_checkpoint_store *store, void *context,
                               const halo_store_entry *entry)
{
    const removal *what = context;
    char path[HALO_STORE_PATH_SIZE];
    bool named =
        entry->generation == what->generations[0] || entry->generation == what->generations[1];
    if (named == what->only) {
        halo_store_path(store, entry->generation, entry->part, entry->parts, path, sizeof path);
        unlink(path);
    }
    return HALO_OK;
}

void halo_store_keep(const halo_checkpoint_store *store, int64_t one, int64_t other)
{
    removal what = {false, {one, other}};
    (void)each(store, &what, remove_part);
}

void halo_store_remove(const halo_checkpoint_store *store, int64_t generation)
{
    removal what = {true, {generation, generation}};
    (void)each(store, &what, remove_part);
}

halo_status halo_store_on_host(const halo_checkpoint_store *store, halo_status status)
{
    if (status == HALO_OK) {
        return status;
    }
    char text[HALO_MESSAGE_SIZE];
    snprintf(text, sizeof text, "%s", halo_last_message());
    const char *colon = strncmp(text, "rank ", 5) == 0 ? strstr(text, ": ") : NULL;
    return halo_fail(status, "%s: %.400s", store->host_names[store->host],
                     colon != NULL ? colon + 2 : text);
}
