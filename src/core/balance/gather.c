#include "core/balance/balancing_internal.h"

#include "partition/cuts.h"

#include <math.h>
#include <string.h>

/* Loads on their way to all ranks. */

static double least_recent(const halo_balancing *balancing)
{
    double least = INFINITY;
    for (int i = 0; i < RECENT; i++) {
        least = fmin(least, balancing->recent[i]);
    }
    return isinf(least) ? 0 : least;
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

static load_packet own_packet(const halo_balancing *balancing,
                              const halo_balance_question *question)
{
    const halo_measured *measured = question->measured;
    load_packet packet = {.compute = measured->compute_seconds,
                          .noise = measured->noise_seconds,
                          .fixed = measured->exchange_seconds + measured->extra_seconds,
                          .link = question->exposed * halo_link_probe_seconds(balancing->probe),
                          .bytes_per_second = slower_link(balancing),
                          .overhead = least_recent(balancing),
                          .supersteps = measured->supersteps,
                          .rows = measured->rows,
                          .block_rows = measured->block_rows,
                          .blocks = measured->blocks};
    memcpy(packet.row_cost, measured->row_cost, sizeof packet.row_cost);
    return packet;
}

/* A part's layers are as slow as the rank that is slowest with its share of them: with strips there
 * is one, with blocks as many as there are parts on the other axes. */
static void load_parts(halo_balancing *balancing, const halo_balance_question *question)
{
    int axis = question->axis, parts = question->partition->parts[axis];
    const int64_t *cuts = question->partition->cuts[axis];
    for (int p = 0; p < parts; p++) {
        balancing->part_seconds[p] = -1;
    }
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        const load_packet *packet = &balancing->packets[r];
        int place[HALO_AXES];
        halo_partition_place(question->partition, r, place);
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

halo_status halo_balancing_gather(halo_balancing *balancing, const halo_balance_question *question)
{
    int neighbours[HALO_ENDS], rank = halo_world_rank(balancing->world);
    for (int end = HALO_LOW; end < HALO_ENDS; end++) {
        neighbours[end] =
            halo_partition_beside(question->partition, question->domain, rank, question->axis, end);
    }
    if (balancing->report.plans < FIRST_PLANS || balancing->report.plans % PLANS_A_LINK == 0) {
        HALO_TRY(halo_link_probe_measure(balancing->probe, neighbours, question->halo_bytes));
    }
    load_packet mine = own_packet(balancing, question);
    MPI_Request request;
    HALO_MPI_TRY(MPI_Iallgather(&mine, (int)sizeof mine, MPI_BYTE, balancing->packets,
                                (int)sizeof mine, MPI_BYTE, halo_world_comm(balancing->world),
                                &request));
    HALO_TRY(halo_wait(balancing->world, 1, &request));
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        balancing->seconds[r] = balancing->packets[r].compute + balancing->packets[r].fixed;
    }
    load_parts(balancing, question);
    return HALO_OK;
}
