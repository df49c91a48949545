#include "app/services/slowdown.h"

#include "app/frame.h"
#include "core/world/collect.h"

#include <inttypes.h>

halo_status app_slowdown_create(halo_slowdown **out, const balance_arguments *arguments)
{
    *out = NULL;
    if (arguments->slow.count == 0 && arguments->trace == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_slowdown_create(out));
    for (int i = 0; i < arguments->slow.count; i++) {
        HALO_TRY(halo_slowdown_add(*out, arguments->slow.texts[i]));
    }
    return arguments->trace != NULL ? halo_slowdown_read_trace(*out, arguments->trace) : HALO_OK;
}

/* Traces are files, which may differ between machines. */
halo_status app_slowdown_check(const halo_slowdown *slowdown, halo_world *world,
                               halo_status created)
{
    int ranks = halo_world_ranks(world);
    HALO_TRY(halo_agree(world, created));
    int64_t last = slowdown != NULL ? halo_slowdown_last_rank(slowdown) : -1;
    HALO_TRY(halo_allreduce_max(world, &last, 1));
    if (last >= ranks) {
        return halo_fail(HALO_ARGUMENT,
                         "rank %" PRId64 " cannot be made slow: there %s %d rank%s, counted from "
                         "0; start more (%s %" PRId64 ") or name another",
                         last, ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s",
                         app_is_alone() ? "--ranks" : "mpiexec -n", last + 1);
    }
    return HALO_OK;
}
