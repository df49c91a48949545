#include "core/move/common_parts.h"

#include "core/world/world_internal.h"

#include <stdatomic.h>

/* `readers` has this bit from when the owner leaves. */
static const unsigned LEFT = 1U << 31;

/* Two cache lines, because processors fetch them in pairs. */
struct halo_common_part {
    _Alignas(128) halo_part part;
    atomic_uint readers; /* that have borrowed the part */
};

halo_status halo_common_parts_join(halo_common_parts *out, halo_world *world, const halo_part *mine)
{
    void *memory;
    size_t ranks = (size_t)halo_world_ranks(world);
    *out = (halo_common_parts){.world = world};
    if (world->transport->common == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_world_create_common(world, ranks * sizeof *out->of, &memory));
    out->of = memory;
    out->of[halo_world_rank(world)].part = *mine;
    return HALO_OK;
}

halo_status halo_common_parts_borrow(const halo_common_parts *parts, int rank, const char *what,
                                     const halo_part **out)
{
    halo_common_part *of = &parts->of[rank];
    *out = NULL;
    if (atomic_fetch_add(&of->readers, 1) >= LEFT) {
        halo_common_parts_give_back(parts, rank);
        return halo_fail(HALO_TRANSPORT, "rank %d has left %s", rank, what);
    }
    *out = &of->part;
    return HALO_OK;
}

void halo_common_parts_give_back(const halo_common_parts *parts, int rank)
{
    atomic_fetch_sub(&parts->of[rank].readers, 1);
}

void halo_common_parts_leave(halo_common_parts *parts)
{
    if (parts->of == NULL) {
        return;
    }
    atomic_uint *readers = &parts->of[halo_world_rank(parts->world)].readers;
    atomic_fetch_add(readers, LEFT);
    for (int64_t tests = 1; atomic_load(readers) != LEFT; tests++) {
        halo_wait_pause(parts->world->policy, tests);
    }
    halo_world_release_common(parts->world, parts->of);
    parts->of = NULL;
}
