#include "core/balance/balancing_internal.h"

#include "base/minmax.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Loads on their way to all ranks. */

static double min_recent(const halo_balancing *balancing)
{
    double min = INFINITY;
    for (int i = 0; i < RECENT; i++) {
        min = fmin(min, balancing->recent[i]);
    }
    return isinf(min) ? 0 : min;
}

static double slower_link(const halo_balancing *balancing)
{
    double slower = 0;
    for (int end = 0; end < HALO_ENDS; end++) {
        double speed = halo_link_probe_link(balancing->probe, end).bytes_per_second;
        slower = speed > 0 && (slower <= 0 || speed < slower) ? speed : slower;
    }
    return slower;
}

static double longer_latency(const halo_balancing *balancing)
{
    double longer = 0;
    for (int end = 0; end < HALO_ENDS; end++) {
        longer = fmax(longer, halo_link_probe_link(balancing->probe, end).latency_seconds);
    }
    return longer;
}

double halo_balancing_largest(const halo_balancing *balancing, size_t field)
{
    double largest = 0;
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        double value;
        memcpy(&value, (const char *)&balancing->packets[r] + field, sizeof value);
        largest = fmax(largest, value);
    }
    return largest;
}

double halo_balancing_latency(const halo_balancing *balancing)
{
    return halo_balancing_largest(balancing, offsetof(load_packet, latency));
}

/* Nobody computes meanwhile: several times at first where that takes little, then now and then. */
static bool is_time_to_probe(const halo_balancing *balancing)
{
    static const double little = .002; /* seconds of latency */
    int64_t plans = balancing->report.plans;
    return plans % PLANS_A_LINK == 0 ||
           (plans < FIRST_PLANS && halo_balancing_latency(balancing) < little);
}

/* Return the seconds that an exchange adds to a beat, whatever the rows: latency and the halo's
 * bytes at the speed of the slower link, less the time that is overlapped with computing. */
static double link_seconds(const halo_balancing *balancing, const halo_balance_query *query)
{
    double seconds = query->exchanges * halo_link_probe_seconds(balancing->probe);
    return query->overlaps ? fmax(seconds - query->measured->compute_seconds, 0) : seconds;
}

static load_packet own_packet(const halo_balancing *balancing, const halo_balance_query *query)
{
    const halo_measured *measured = query->measured;
    double seconds = halo_seconds() - balancing->cadence.begun;
    int64_t beats = halo_world_beats(balancing->world) - balancing->cadence.last;
    load_packet packet = {.compute = measured->compute_seconds,
                          .noise = measured->noise_seconds,
                          .fixed = measured->exchange_seconds + measured->extra_seconds,
                          .link = link_seconds(balancing, query),
                          .bytes_per_second = slower_link(balancing),
                          .latency = longer_latency(balancing),
                          .overhead = min_recent(balancing),
                          .beat_seconds = seconds / (double)halo_max(1, beats),
                          .supersteps = measured->supersteps,
                          .block_rows = measured->block_rows,
                          .blocks = measured->blocks};
    memcpy(packet.row_cost, measured->row_cost, sizeof packet.row_cost);
    return packet;
}

/* A part's layers are as slow as the rank that is slowest with its share of them: with strips there
 * is one, with blocks as many as there are parts on the other axes. */
static void load_parts(halo_balancing *balancing, const halo_balance_query *query)
{
    int axis = query->axis, parts = query->partition->parts[axis];
    const int64_t *cuts = query->partition->cuts[axis];
    for (int p = 0; p < parts; p++) {
        balancing->part_seconds[p] = -1;
    }
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        const load_packet *packet = &balancing->packets[r];
        int place[HALO_AXES];
        halo_partition_place(query->partition, r, place);
        int p = place[axis];
        if (balancing->seconds[r] <= balancing->part_seconds[p]) {
            continue;
        }
        bool knows_rows = axis == 0 && packet->blocks > 0;
        balancing->part_seconds[p] = balancing->seconds[r];
        balancing->loads[p] = (halo_load){.compute_seconds = packet->compute,
                                          .noise_seconds = packet->noise,
                                          .transfer_seconds = packet->fixed + packet->link,
                                          .supersteps = packet->supersteps,
                                          .rows = cuts[p + 1] - cuts[p],
                                          .block_rows = packet->block_rows,
                                          .row_cost = knows_rows ? packet->row_cost : NULL};
    }
}

halo_status halo_balancing_begin_gather(halo_balancing *balancing, const halo_balance_query *query)
{
    int neighbours[HALO_ENDS], rank = halo_world_rank(balancing->world);
    for (int end = HALO_LOW; end < HALO_ENDS; end++) {
        neighbours[end] =
            halo_partition_beside(query->partition, query->domain, rank, query->axis, end);
    }
    if (is_time_to_probe(balancing)) {
        HALO_TRY(halo_link_probe_measure(balancing->probe, neighbours, query->halo_bytes));
    }
    load_packet *mine = &balancing->mine;
    *mine = own_packet(balancing, query);
    return halo_iallgather(balancing->world, mine, (int)sizeof *mine, balancing->packets,
                           &balancing->request);
}

halo_status halo_balancing_end_gather(halo_balancing *balancing, const halo_balance_query *query)
{
    HALO_TRY(halo_wait(balancing->world, 1, &balancing->request));
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        balancing->seconds[r] = balancing->packets[r].compute + balancing->packets[r].fixed;
    }
    load_parts(balancing, query);
    return HALO_OK;
}
