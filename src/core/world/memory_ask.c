#define _DEFAULT_SOURCE /* gethostname */
#include "core/world/memory_ask.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/world_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* A process takes this much beside its data once it computes: libraries, buffers of messages,
 * chunks of rows in transit. Measured: 5 to 17 MiB. Each further rank in it, which is a thread,
 * takes BESIDE_THREAD: buffers and its stack. Measured: .3 to 2 MiB. */
static const int64_t BESIDE = (int64_t)12 << 20, BESIDE_THREAD = (int64_t)2 << 20;

/* A process that runs has this much. To find out what there is takes longer than to use it: calls
 * on small arrays ask each time. */
static const int64_t SMALL = (int64_t)1 << 20;

enum { MORE, HELD, RANKS, SUMS };

static halo_status sum_up(halo_world *world, int64_t sums[SUMS])
{
    if (halo_world_is_alone(world)) { /* others may do the same at the same time */
        for (int i = 0; i < SUMS; i++) {
            sums[i] *= halo_world_sharers(world);
        }
        return HALO_OK;
    }
    return halo_allreduce_near_sum(world, sums, SUMS);
}

/* "12.3 MiB", always in this unit, so that two of them compare. */
enum { SIZE_TEXT = 32, HOST_TEXT = 256 };
static const char *print_size(char text[SIZE_TEXT], int64_t bytes)
{
    snprintf(text, SIZE_TEXT, "%.1f MiB", bytes > 0 ? (double)bytes / 0x1p20 : 0);
    return text;
}

static halo_status refuse(const halo_memory_demand *demand, const int64_t sums[SUMS], int64_t there,
                          bool limited)
{
    char host[HOST_TEXT] = "", need[SIZE_TEXT], has[SIZE_TEXT];
    const char *remedy = demand->remedy;
    gethostname(host, sizeof host - 1);
    return halo_fail(
        HALO_MEMORY,
        "out of memory: %.300s needs %s on host %.100s (%" PRId64 " rank%s), which has "
        "%s to give%s; use %s%smore hosts, or fewer ranks on each",
        demand->what, print_size(need, sums[MORE] + (limited ? sums[HELD] : 0)), host, sums[RANKS],
        sums[RANKS] == 1 ? "" : "s", print_size(has, there), limited ? " (HALOBEAT_MEMORY)" : "",
        remedy != NULL ? remedy : "", remedy != NULL ? ", " : "");
}

static int64_t beside(const halo_world *world, int64_t ranks)
{
    return halo_world_shares_process(world) ? BESIDE + (ranks - 1) * BESIDE_THREAD : ranks * BESIDE;
}

/* Processes may have limits of their own; of a process one rank looks. */
static halo_status compare(const halo_world *world, const halo_memory_demand *demand,
                           const int64_t sums[SUMS])
{
    int64_t limit;
    HALO_TRY(halo_memory_limit(&limit));
    if (sums[MORE] > limit - sums[HELD]) {
        return refuse(demand, sums, limit, true);
    }
    if (halo_world_is_process(world) && halo_world_rank(world) != 0) {
        return HALO_OK;
    }
    if (sums[MORE] <= SMALL) {
        return HALO_OK;
    }
    int64_t there = halo_memory_available();
    there = there == INT64_MAX ? there : there - beside(world, sums[RANKS]);
    return sums[MORE] > there ? refuse(demand, sums, there, false) : HALO_OK;
}

halo_status halo_memory_ask(halo_world *world, const halo_memory_demand *demand)
{
    int64_t sums[SUMS] = {[MORE] = demand->more, [HELD] = demand->held, [RANKS] = 1};
    HALO_TRY(halo_agree(world, sum_up(world, sums)));
    return halo_agree(world, compare(world, demand, sums));
}
