#include "core/file/store_internal.h"

#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- one part -------------------------------------------------------------------------------- */

static void close_part(halo_store_file *part)
{
    halo_checkpoint_rows_free(&part->rows);
    json_decref(part->options);
    free(part->file.path);
    free(part->file.kernel);
    free(part->file.options);
    if (part->file.file >= 0) {
        close(part->file.file);
    }
    *part = (halo_store_file){.file = {.file = -1}};
}

halo_status halo_store_refuse(const halo_store_file *part, const char *why)
{
    return halo_fail(HALO_FORMAT, "%s is no part of a checkpoint as its name says: %s; remove it",
                     part->file.path, why);
}

static halo_status check_part(const struct halo_store_parts *all, halo_store_file *part,
                              int64_t number)
{
    json_error_t error;
    const char *kernel;
    json_t *options, *ranges, *hosts;
    json_int_t rows, generation, its_number, parts;
    part->options = json_loads(part->file.options, 0, NULL);
    if (json_unpack_ex(part->options, &error, 0, "{s:o, s:s, s:I, s:I, s:I, s:I, s:o, s:o}",
                       "options", &options, "kernel", &kernel, "rows", &rows, "generation",
                       &generation, "part", &its_number, "parts", &parts, "ranges", &ranges,
                       "hosts", &hosts) != 0) {
        return halo_store_refuse(part, error.text);
    }
    if (generation != all->generation || its_number != number || parts != all->parts || rows < 0 ||
        !json_is_object(options) || !json_is_array(ranges) ||
        json_array_size(hosts) != (size_t)parts) {
        return halo_store_refuse(part, "its header is that of another one");
    }
    return HALO_OK;
}

/* Local. */
static halo_status open_part(const struct halo_store_parts *all, int64_t number, bool whole)
{
    halo_store_file *part = &all->files[number];
    char path[HALO_STORE_PATH_SIZE];
    halo_store_path(all->store, all->generation, number, all->parts, path, sizeof path);
    part->open = true;
    HALO_TRY(halo_checkpoint_begin(&part->file, path, whole));
    HALO_TRY(check_part(all, part, number));
    return halo_checkpoint_rows_begin(&part->rows, &part->file);
}

const json_t *halo_store_member(const halo_store_file *part, const char *name)
{
    return json_object_get(part->options, name);
}

/* ---- which generation ------------------------------------------------------------------------ */

void halo_store_close(struct halo_store_parts *all)
{
    for (int64_t p = 0; all->files != NULL && p < all->parts; p++) {
        if (all->files[p].open) {
            close_part(&all->files[p]);
        }
    }
    free(all->files);
    free(all->hosts);
    all->files = NULL;
    all->hosts = NULL;
}

/* Local. Open the parts that this host reads; `*bad` becomes one that is damaged. */
static halo_status open_own(const struct halo_store_parts *all, int64_t *bad)
{
    const halo_checkpoint_store *store = all->store;
    for (int64_t p = 0; p < all->parts; p++) {
        if (all->hosts[p] != store->host) {
            continue;
        }
        halo_status status = open_part(all, p, halo_world_rank(store->node) == 0);
        if (status == HALO_FORMAT || status == HALO_FILE) {
            *bad = p;
        }
        HALO_TRY(status);
    }
    return HALO_OK;
}

/* Local, the same on all ranks. A copy that is damaged is as good as none. */
static void forget(halo_checkpoint_store *store, int64_t generation, int64_t part, int host)
{
    for (int64_t i = 0; i < store->count; i++) {
        halo_store_entry *entry = &store->entries[i];
        if (entry->generation == generation && entry->part == part && entry->host == host) {
            entry->generation = 0;
        }
    }
}

/* Collective. Try the newest generation that seems whole; *again if it has turned out not to be. */
static halo_status try_newest(struct halo_store_parts *all, bool *again)
{
    halo_checkpoint_store *store = all->store;
    int64_t bad = -1;
    halo_store_close(all);
    *again = false;
    all->generation = halo_store_find_whole(store, &all->parts);
    if (all->generation == 0) {
        return HALO_OK;
    }
    halo_status status = halo_status_first(HALO_ALLOCATE(all->hosts, all->parts, "parts"),
                                           HALO_ALLOCATE(all->files, all->parts, "parts"));
    HALO_TRY(halo_agree(store->world, status));
    for (int64_t p = 0; p < all->parts; p++) {
        all->hosts[p] = halo_store_find_part(store, all->generation, p, all->parts);
    }
    status = open_own(all, &bad);
    HALO_TRY(halo_agree(store->world, bad >= 0 ? HALO_OK : status));
    HALO_TRY(halo_allreduce_max(store->world, &bad, 1));
    if (bad >= 0) {
        forget(store, all->generation, bad, all->hosts[bad]);
        *again = true;
    }
    return HALO_OK;
}

/* Local. Open the copy of a part that this host has; has it the rows that were planned with? */
static halo_status open_copy(const struct halo_store_parts *all, int64_t part, size_t row_bytes)
{
    const halo_store_file *copy = &all->files[part];
    int64_t rows = 0;
    for (int64_t i = 0; i < all->count; i++) {
        rows += all->ranges[i].part == part ? all->ranges[i].rows : 0;
    }
    HALO_TRY(open_part(all, part, halo_world_rank(all->store->node) == 0));
    return copy->file.what.rows == rows && copy->file.what.row_bytes == row_bytes
               ? HALO_OK
               : halo_store_refuse(copy, "its rows are others than those of its copy");
}

halo_status halo_store_replace(struct halo_store_parts *all, int64_t part, size_t row_bytes,
                               bool *found)
{
    halo_checkpoint_store *store = all->store;
    if (all->files[part].open) {
        close_part(&all->files[part]);
    }
    for (int64_t bad = 1; bad != 0;) {
        forget(store, all->generation, part, all->hosts[part]);
        all->hosts[part] = halo_store_find_part(store, all->generation, part, all->parts);
        *found = all->hosts[part] >= 0;
        if (!*found) {
            return HALO_OK;
        }
        bool reads = all->hosts[part] == store->host;
        halo_status status = reads ? open_copy(all, part, row_bytes) : HALO_OK;
        bad = status == HALO_FORMAT || status == HALO_FILE;
        HALO_TRY(halo_agree(store->world, bad ? HALO_OK : status));
        HALO_TRY(halo_allreduce_max(store->world, &bad, 1));
        if (bad != 0 && reads) {
            close_part(&all->files[part]);
        }
    }
    return HALO_OK;
}

/* ---- none ------------------------------------------------------------------------------------ */

/* Local, on a rank that has a part of the generation: which are missing, and who had them. */
static void name_missing(const struct halo_store_parts *all, const halo_store_file *part, char *out,
                         size_t size)
{
    const json_t *hosts = halo_store_member(part, "hosts");
    size_t used = 0;
    int missing = 0;
    for (int64_t p = 0; p < all->parts && used < size; p++) {
        if (halo_store_find_part(all->store, all->generation, p, all->parts) < 0 && missing++ < 4) {
            used += (size_t)snprintf(
                out + used, size - used,
                "%spart %" PRId64 " of %" PRId64 " (%.40s and %.40s had it)",
                missing > 1 ? ", " : "", p + 1, all->parts,
                json_string_value(json_array_get(hosts, (size_t)p)),
                json_string_value(json_array_get(hosts, (size_t)((p + 1) % all->parts))));
        }
    }
    if (missing > 4 && used < size) {
        snprintf(out + used, size - used, " and %d more", missing - 4);
    }
}

static halo_status fail_missing(struct halo_store_parts *all, const halo_store_entry *seen)
{
    char text[400] = "all of their copies are damaged";
    all->generation = seen->generation;
    all->parts = seen->parts;
    HALO_TRY(HALO_ALLOCATE(all->files, all->parts, "parts"));
    if (open_part(all, seen->part, true) == HALO_OK) {
        name_missing(all, &all->files[seen->part], text, sizeof text);
    }
    return halo_fail(HALO_FILE,
                     "the checkpoint \"%s\" is not whole on these hosts: missing %s; start the job "
                     "with those hosts, too",
                     all->store->name, text);
}

/* Collective. */
static halo_status fail(struct halo_store_parts *all)
{
    const halo_checkpoint_store *store = all->store;
    const halo_store_entry *seen = NULL;
    for (int64_t i = 0; i < store->count; i++) {
        if (store->entries[i].generation > (seen != NULL ? seen->generation : 0)) {
            seen = &store->entries[i];
        }
    }
    if (seen == NULL) {
        return halo_fail(
            HALO_FILE,
            "there is no part of a checkpoint \"%s\" that can be read in %s of any of "
            "these hosts (%d); check the folder, and which hosts the job is started on",
            store->name, store->folder, store->hosts);
    }
    bool speaks = seen->host == store->host && halo_world_rank(store->node) == 0;
    return halo_agree(store->world, speaks ? fail_missing(all, seen) : HALO_OK);
}

halo_status halo_store_choose(struct halo_store_parts *all)
{
    bool again = true;
    while (again) {
        HALO_TRY(try_newest(all, &again));
    }
    return all->generation != 0 ? HALO_OK : fail(all);
}
