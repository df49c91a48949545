#define _DEFAULT_SOURCE /* strdup, gethostname */
#include "core/file/store_internal.h"

#include "core/file/atomic.h"
#include "core/file/folders.h"
#include "core/world/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = HALO_ATOMIC_PATH_SIZE };

/* ---- hosts ----------------------------------------------------------------------------------- */

/* Collective. The ranks of this host. */
static halo_status create_node(halo_checkpoint_store *store, int host)
{
    halo_world *world = store->world;
    const halo_world_options options = {.wait = halo_world_wait_policy(world)};
    halo_status status = host < 0 ? halo_world_create_near(&store->node, world, &options)
                                  : halo_world_split(&store->node, world, host, &options);
    return halo_agree(world, status);
}

/* Collective. Hosts have numbers in the order of their lowest ranks. */
static halo_status number_hosts(halo_checkpoint_store *store)
{
    halo_world *world = store->world;
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world), leader = rank;
    int64_t *leaders = NULL;
    HALO_TRY(halo_bcast(store->node, &leader, sizeof leader, 0));
    HALO_TRY(halo_agree(world, halo_status_first(HALO_ALLOCATE(leaders, ranks, "hosts"),
                                                 HALO_ALLOCATE(store->host_of, ranks, "hosts"))));
    leaders[rank] = leader;
    halo_status status = halo_store_join(world, leaders, ranks);
    for (int r = 0; r < ranks && status == HALO_OK; r++) {
        store->host_of[r] = leaders[r] == r ? store->hosts++ : store->host_of[leaders[r]];
    }
    free(leaders);
    store->host = store->host_of[rank];
    return status;
}

static halo_status name_hosts(halo_checkpoint_store *store)
{
    halo_world *world = store->world;
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(store->host_names, store->hosts, "names of hosts")));
    if (halo_world_rank(store->node) == 0) {
        gethostname(store->host_names[store->host], HALO_STORE_HOST_SIZE - 1);
    }
    return halo_store_join(world, store->host_names,
                           store->hosts * (HALO_STORE_HOST_SIZE / (int64_t)sizeof(int64_t)));
}

static halo_status copy_names(halo_checkpoint_store *store, const char *folder, const char *name)
{
    if (strlen(name) > HALO_STORE_NAME_MAX || strlen(folder) > PATH_SIZE / 2 || name[0] == '\0') {
        return halo_fail(HALO_ARGUMENT,
                         "\"%.100s\" is no name for parts of a checkpoint: it must have 1 to %d "
                         "bytes, and the name of the folder at most %d",
                         name, HALO_STORE_NAME_MAX, PATH_SIZE / 2);
    }
    store->folder = strdup(folder);
    store->name = strdup(name);
    return store->folder != NULL && store->name != NULL
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "out of memory: the names of a checkpoint's parts");
}

halo_status halo_checkpoint_store_create(halo_checkpoint_store **out, halo_world *world,
                                         const char *folder, const char *name, int host)
{
    halo_checkpoint_store *store;
    halo_status status = HALO_ALLOCATE(store, 1, "a store of checkpoints");
    *out = NULL;
    if (status == HALO_OK) {
        store->world = world;
        status = copy_names(store, folder, name);
    }
    HALO_TRY_OR(failed, halo_agree(world, status));
    HALO_TRY_OR(failed, create_node(store, host));
    HALO_TRY_OR(failed, number_hosts(store));
    HALO_TRY_OR(failed, name_hosts(store));
    HALO_TRY_OR(failed, halo_store_scan(store));
    *out = store;
    return HALO_OK;
failed:
    halo_checkpoint_store_destroy(&store);
    return status;
}

void halo_checkpoint_store_destroy(halo_checkpoint_store **store)
{
    if (*store != NULL) {
        halo_world_destroy(&(*store)->node);
        free((*store)->folder);
        free((*store)->name);
        free((*store)->host_of);
        free((*store)->host_names);
        free((*store)->entries);
        free(*store);
        *store = NULL;
    }
}

bool halo_checkpoint_store_has(const halo_checkpoint_store *store)
{
    return store->count > 0;
}

int halo_store_leader(const halo_checkpoint_store *store, int host)
{
    int rank = 0;
    while (store->host_of[rank] != host) {
        rank++;
    }
    return rank;
}

void halo_store_partition_rows(const halo_checkpoint_store *store, int host, int64_t first,
                               int64_t rows, int64_t *begins, int64_t *ends)
{
    int ranks = halo_world_ranks(store->world);
    int64_t members = 0, member = 0;
    for (int r = 0; r < ranks; r++) {
        members += store->host_of[r] == host;
    }
    for (int r = 0; r < ranks; r++) {
        if (store->host_of[r] == host) {
            begins[r] = first + rows * member / members;
            ends[r] = first + rows * ++member / members;
        }
    }
}

/* ---- can it be written? ---------------------------------------------------------------------- */

int halo_store_host_before(const halo_checkpoint_store *store)
{
    return (store->host + store->hosts - 1) % store->hosts;
}

static int host_behind(const halo_checkpoint_store *store)
{
    return (store->host + 1) % store->hosts;
}

/* Over the first ranks of hosts. Each has made a file: does it see that of the host before it? */
static halo_status look_next_door(halo_checkpoint_store *store, const halo_atomic_file *own)
{
    char path[PATH_SIZE] = "";
    halo_message out = {halo_store_leader(store, host_behind(store)), (void *)own->temporary,
                        PATH_SIZE, HALO_NO_REQUEST};
    halo_message in = {halo_store_leader(store, halo_store_host_before(store)), path, PATH_SIZE,
                       HALO_NO_REQUEST};
    HALO_TRY(halo_sendrecv(store->world, &out, 1, &in, 1));
    if (access(path, F_OK) != 0) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "--checkpoint-store local:%.200s is one folder for %s and %s, with which both "
                     "copies would be lost: name a folder on each host's own disk, or leave "
                     "--checkpoint-store out",
                     store->folder, store->host_names[halo_store_host_before(store)],
                     store->host_names[store->host]);
}

static halo_status begin_file(const halo_checkpoint_store *store, halo_atomic_file *file)
{
    char path[PATH_SIZE];
    HALO_TRY(halo_folder_make(store->folder));
    snprintf(path, sizeof path, "%s/%s", store->folder, store->name);
    return halo_atomic_begin(file, path);
}

halo_status halo_checkpoint_store_check(halo_checkpoint_store *store)
{
    halo_world *world = store->world;
    bool leads = halo_world_rank(store->node) == 0;
    halo_atomic_file file = {0};
    halo_status status =
        halo_agree(world, leads ? halo_store_on_host(store, begin_file(store, &file)) : HALO_OK);
    if (status == HALO_OK && store->hosts > 1) {
        status = halo_agree(world, leads ? look_next_door(store, &file) : HALO_OK);
    }
    halo_atomic_discard(&file);
    return status;
}
