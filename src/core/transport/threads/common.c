#include "core/transport/threads/threads_internal.h"

#include <stdlib.h>
#include <string.h>

/* Memory that the ranks of a group have in common, and waking those that wait for it to change. */

typedef struct {
    alignas(SYNC_LINE) atomic_int users;
    alignas(SYNC_LINE) char bytes[];
} common_block;

typedef struct {
    size_t bytes;
    common_block *block;
} wish;

static common_block *make_block(size_t bytes, int users)
{
    size_t size = sizeof(common_block) + (bytes + SYNC_LINE - 1) / SYNC_LINE * SYNC_LINE;
    common_block *block = bytes < PTRDIFF_MAX ? aligned_alloc(SYNC_LINE, size) : NULL;
    if (block != NULL) {
        memset((void *)block, 0, size);
        atomic_init(&block->users, users);
    }
    return block;
}

static void make_for_all(threads_slot *slot, int rank)
{
    if (rank > 0) { /* rank 0's part is all of it */
        return;
    }
    int ranks = slot->group->ranks;
    wish *first = slot->entries[0].out;
    common_block *block = make_block(first->bytes, ranks);
    for (int r = 0; r < ranks; r++) {
        ((wish *)slot->entries[r].out)->block = block;
    }
}

void halo_threads_release_common(void *memory)
{
    if (memory != NULL) {
        common_block *block = (common_block *)((char *)memory - offsetof(common_block, bytes));
        if (SYNC_ADD(&block->users, -1, acq_rel) == 1) {
            free(block);
        }
    }
}

halo_status halo_threads_create_common(halo_endpoint *end, size_t bytes, void **out)
{
    wish mine = {.bytes = bytes};
    halo_request request;
    *out = NULL;
    HALO_TRY(halo_threads_begin(end, &mine, &mine, make_for_all, &request));
    halo_status status = halo_threads_await(end, &request);
    void *memory = mine.block != NULL ? mine.block->bytes : NULL;
    if (status != HALO_OK) { /* it may have been made before the team broke */
        halo_threads_release_common(memory);
        return status;
    }
    *out = memory;
    return memory != NULL ? HALO_OK
                          : halo_fail(HALO_MEMORY, "out of memory: what ranks have in common");
}

void halo_threads_wake_rank(halo_endpoint *end, int rank)
{
    halo_threads_wake(((threads_end *)end)->group->members[rank]);
}
