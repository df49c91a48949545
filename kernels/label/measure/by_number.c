#include "kernels/label/measure/by_number.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/rendezvous.h"
#include "core/world/watch.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "what is known of regions";

enum { PLACES = 256 }; /* of the hash table at first */

static halo_status create(label_by_number *table)
{
    HALO_TRY(halo_memory_create((void **)&table->others, PLACES * table->size, what));
    return halo_memory_create((void **)&table->own, (size_t)(table->count + 1) * table->size, what);
}

halo_status label_by_number_create(label_by_number *table, const label_numbered *image, size_t size)
{
    halo_world *world = image->world;
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world);
    *table =
        (label_by_number){.world = world, .size = size, .count = image->count, .mask = PLACES - 1};
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(table->shares, ranks + 1, "%s", what)));
    table->shares[rank + 1] = table->count;
    HALO_TRY(halo_allreduce_sum(world, table->shares, ranks + 1));
    for (int r = 0; r < ranks; r++) {
        table->shares[r + 1] += table->shares[r];
    }
    table->first = table->shares[rank] + 1;
    return halo_agree(world, create(table));
}

void label_by_number_free(label_by_number *table)
{
    free(table->shares);
    halo_memory_free(table->own);
    halo_memory_free(table->others);
    *table = (label_by_number){0};
}

static inline int64_t *other_at(const label_by_number *table, int64_t place)
{
    return label_by_number_other(table, place);
}

static int64_t *find_place(const label_by_number *table, int64_t number)
{
    uint64_t hash = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15);
    int64_t place = (int64_t)(hash >> 20) & table->mask;
    while (*other_at(table, place) != 0 && *other_at(table, place) != number) {
        place = (place + 1) & table->mask;
    }
    return other_at(table, place);
}

/* Entries move to pages that are touched for the first time. */
static halo_status grow(label_by_number *table)
{
    enum { PIECE = HALO_WATCH_ENTRIES / 32 };
    label_by_number larger = {.size = table->size, .mask = 2 * table->mask + 1};
    HALO_TRY(
        halo_memory_create((void **)&larger.others, (size_t)(larger.mask + 1) * larger.size, what));
    halo_status status = HALO_OK;
    for (int64_t i = 0; i <= table->mask && status == HALO_OK; i++) {
        const int64_t *entry = other_at(table, i);
        if (*entry != 0) {
            memcpy(find_place(&larger, *entry), entry, table->size);
        }
        status = i % PIECE == 0 ? halo_watch_work(table->world, 0, 0) : HALO_OK;
    }
    if (status != HALO_OK) {
        halo_memory_free(larger.others);
        return status;
    }
    halo_memory_free(table->others);
    table->others = larger.others;
    table->mask = larger.mask;
    return HALO_OK;
}

void *label_by_number_look_up(label_by_number *table, int64_t number)
{
    int64_t at = number - table->first, *entry;
    table->last = NULL;
    if (at >= 0 && at < table->count) {
        entry = label_by_number_own(table, at);
    } else {
        table->failure = 2 * table->used > table->mask ? grow(table) : HALO_OK;
        if (table->failure != HALO_OK) {
            return NULL;
        }
        entry = find_place(table, number);
        table->used += *entry == 0;
    }
    *entry = number;
    table->last = entry;
    return entry;
}

typedef struct {
    label_by_number *table;
    label_by_number_add *add;
    const void *context;
} adding;

static halo_status add_all(void *context, const void *data, int64_t count, int64_t *answers)
{
    const adding *a = context;
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(halo_watch_entry(a->table->world, i));
        const char *came = (const char *)data + (size_t)i * a->table->size;
        int64_t number;
        memcpy(&number, came, sizeof number);
        a->add(a->context, label_by_number_find(a->table, number), came); /* it is one of ours */
        answers[i] = 0;
    }
    return HALO_OK;
}

/* Local. Moves the entries of other ranks' regions to the front of the table, and sets the rank of
 * each and *count. */
static halo_status pack_others(label_by_number *table, int *to, int64_t *count)
{
    *count = 0;
    for (int64_t i = 0; i <= table->mask; i++) {
        HALO_TRY(halo_watch_entry(table->world, i));
        int64_t number = *other_at(table, i);
        if (number != 0) {
            to[*count] = halo_cuts_find(table->shares, halo_world_ranks(table->world), number - 1);
            memmove(other_at(table, (*count)++), other_at(table, i), table->size);
        }
    }
    return HALO_OK;
}

halo_status label_by_number_share(label_by_number *table, label_by_number_add *add,
                                  const void *context)
{
    adding a = {table, add, context};
    int64_t count, *answers = NULL;
    int *to = NULL;
    halo_status status = HALO_ALLOCATE_LARGE(to, table->used + 1, "%s", what);
    if (status == HALO_OK) {
        status = HALO_ALLOCATE_LARGE(answers, table->used + 1, "%s", what);
    }
    HALO_IF_OK(status, pack_others(table, to, &count));
    HALO_TRY_OR(done, halo_agree(table->world, status));
    table->last = NULL;
    const halo_queries queries = {
        .count = count, .size = table->size, .ranks = to, .data = table->others};
    status = halo_rendezvous(table->world, &queries, add_all, &a, answers);
    memset(table->others, 0, (size_t)(table->mask + 1) * table->size);
    table->used = 0;
done:
    halo_memory_free(to);
    halo_memory_free(answers);
    return status;
}

typedef struct {
    void **to;
    int64_t *count;
    size_t size;
    const halo_world *world;
} keeping;

static halo_status keep(void *context, const void *data, int64_t count, int64_t *answers)
{
    const keeping *k = context;
    HALO_TRY(halo_memory_create(k->to, (size_t)(count + 1) * k->size, what));
    for (int64_t i = 0, some; i < count; i += some) {
        some = halo_min(HALO_WATCH_ENTRIES, count - i);
        HALO_TRY(halo_watch_entry(k->world, i));
        memcpy((char *)*k->to + (size_t)i * k->size, (const char *)data + (size_t)i * k->size,
               (size_t)some * k->size);
        memset(answers + i, 0, (size_t)some * sizeof *answers);
    }
    *k->count = count;
    return HALO_OK;
}

/* Local. Sets the rank of each entry, which has its region. */
static halo_status find_ranks(const label_by_number *table, const label_by_number_post *post,
                              int *to)
{
    for (int64_t i = 0; i < post->count; i++) {
        int64_t region;
        const char *entry = (const char *)post->data + (size_t)i * post->size;
        HALO_TRY(halo_watch_entry(table->world, i));
        memcpy(&region, entry + post->offset, sizeof region);
        to[i] = halo_cuts_find(table->shares, halo_world_ranks(table->world), region - 1);
    }
    return HALO_OK;
}

halo_status label_by_number_send(const label_by_number *table, const label_by_number_post *post,
                                 void **came, int64_t *count)
{
    int *to;
    int64_t *answers = NULL;
    halo_status status = HALO_ALLOCATE_LARGE(to, post->count + 1, "%s", what);
    if (status == HALO_OK) {
        status = HALO_ALLOCATE_LARGE(answers, post->count + 1, "%s", what);
    }
    if (status == HALO_OK) {
        status = find_ranks(table, post, to);
    }
    HALO_TRY_OR(done, halo_agree(table->world, status));
    const halo_queries queries = {
        .count = post->count, .size = post->size, .ranks = to, .data = post->data};
    keeping k = {came, count, post->size, table->world};
    status = halo_rendezvous(table->world, &queries, keep, &k, answers);
    if (status != HALO_OK) { /* of another rank, maybe */
        halo_memory_free(*came);
        *came = NULL;
    }
done:
    halo_memory_free(to);
    halo_memory_free(answers);
    return status;
}
