#include "core/balance/balancing.h"
#include "core/beat/beat_internal.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"

/* Boundaries that move while the heart beats: strips in place, blocks into other fields. Of blocks,
 * whole cut lines move, of one axis at a time. */

/* ---- moving ---------------------------------------------------------------------------------- */

static bool is_strips(const halo_partition *partition)
{
    return partition->parts[1] == 1 && partition->parts[2] == 1;
}

bool halo_beat_moves_in_place(const halo_beat *beat, const halo_partition *partition)
{
    return beat->options.balancing != NULL && partition->parts[0] > 1 && is_strips(partition);
}

/* A superstep for other parts, with the cells of this one. */
static halo_status make_moved(halo_beat *beat, const halo_partition *partition, int beats,
                              halo_superstep **out)
{
    halo_superstep *now = beat->superstep;
    halo_superstep_options options = {.beats_per_exchange = beats,
                                      .movable = halo_beat_moves_in_place(beat, partition),
                                      .balanced = true,
                                      .exchange = beat->exchange,
                                      .report = now->report,
                                      .async = beat->options.async,
                                      .async_report = &beat->async_report};
    HALO_TRY(halo_agree(beat->world, halo_superstep_create(out, beat->world, &beat->domain,
                                                           partition, beat->kernel, &options)));
    (*out)->state = now->state;
    HALO_TRY(halo_superstep_connect(*out, partition, &options.exchange));
    halo_clock inner = {0}; /* whoever moves has a clock of its own running */
    for (int i = 0; i < now->field_count; i++) {
        HALO_TRY(halo_redistribute(beat->world, halo_field_view(now->fields[now->now][i]),
                                   &beat->partition, halo_field_view((*out)->fields[0][i]),
                                   partition, &inner));
    }
    return HALO_OK;
}

/* If fields cannot move, create new ones with the new cuts and copy the cells. */
static halo_status replace_superstep(halo_beat *beat, const halo_partition *partition, int beats)
{
    halo_superstep *moved = NULL;
    halo_status status = make_moved(beat, partition, beats, &moved);
    if (status == HALO_OK) {
        halo_superstep_destroy(&beat->superstep);
        beat->superstep = moved;
        moved = NULL;
    }
    halo_superstep_destroy(&moved);
    return status;
}

/* Check the new partition before anything is changed; *fixed: its fields must be new ones. Local.
 */
static halo_status check_move(const halo_beat *beat, const halo_partition *partition,
                              int64_t *fixed)
{
    int parts = halo_partition_parts(partition), ranks = halo_world_ranks(beat->world);
    *fixed = !halo_superstep_is_movable(beat->superstep) || !is_strips(partition) ||
             !is_strips(&beat->partition);
    if (parts != ranks || !halo_partition_is_valid(partition, &beat->domain)) {
        return halo_fail(HALO_ARGUMENT,
                         "%d parts for %d ranks, or cuts that do not rise from 0 to the domain's "
                         "end; use one part for each rank",
                         parts, ranks);
    }
    if (beat->kernel->side_halo != NULL && partition->parts[1] > 1) {
        return halo_fail(
            HALO_ARGUMENT,
            "blocks of kernel \"%s\" cannot move: its rows have a layout of their own; "
            "use strips",
            beat->kernel->name);
    }
    return halo_partition_check_depth(partition,
                                      beat->kernel->depth * beat->superstep->beats_per_exchange);
}

static halo_status notify_kernel(halo_beat *beat)
{
    halo_status status = HALO_OK;
    if (beat->kernel->moved != NULL) {
        status = beat->kernel->moved(beat->superstep->state, halo_beat_view(beat, 0));
    }
    return halo_agree(beat->world, status);
}

/* Another superstep, or this one moved `in_place`; what was sent until then still counts. */
static halo_status change_superstep(halo_beat *beat, const halo_partition *partition, int beats,
                                    bool in_place, const char *how, double *bytes)
{
    halo_beat_report *report = halo_loop_get_report(beat->loop);
    int64_t messages = 0, sent = 0;
    halo_superstep_count(beat->superstep, &messages, &sent);
    HALO_TRY(in_place ? halo_superstep_move(beat->superstep, beat->partition.cuts[0], partition,
                                            how, bytes)
                      : replace_superstep(beat, partition, beats));
    report->messages += messages;
    report->bytes += sent;
    return HALO_OK;
}

/* Cells and cuts change together; what fails after that leaves a run that can be looked at.
 * `partition` becomes the run's. */
static halo_status move_to(halo_beat *beat, halo_partition *partition, bool in_place,
                           const char *how, double *bytes)
{
    int beats = beat->superstep->beats_per_exchange;
    HALO_TRY(change_superstep(beat, partition, beats, in_place, how, bytes));
    halo_partition before = beat->partition;
    beat->partition = *partition;
    *partition = before;
    if (in_place) {
        HALO_TRY(halo_beat_connect(beat));
    }
    return notify_kernel(beat);
}

halo_status halo_beat_set_depth(halo_beat *beat, int beats, bool *changed)
{
    *changed = false;
    HALO_TRY(change_superstep(beat, &beat->partition, beats, false, NULL, NULL));
    *changed = true;
    return notify_kernel(beat);
}

halo_status halo_beat_connect(halo_beat *beat)
{
    return halo_superstep_is_connected(beat->superstep)
               ? HALO_OK
               : halo_superstep_connect(beat->superstep, &beat->partition, &beat->exchange);
}

/* Everything it takes is moving, agreements included. */
static halo_status move(void *context, const halo_partition *partition, const char *how,
                        double *bytes)
{
    halo_beat *beat = context;
    halo_partition copy = {0};
    int64_t fixed = 0;
    halo_stretch stretch = halo_clock_begin(beat->world);
    halo_status status = check_move(beat, partition, &fixed);
    if (status == HALO_OK) {
        status = halo_partition_copy(&copy, partition);
    }
    status = halo_agree(beat->world, status);
    if (status == HALO_OK) {
        status = halo_allreduce_max(beat->world, &fixed, 1); /* in place everywhere or nowhere */
    }
    if (status == HALO_OK) {
        status = move_to(beat, &copy, fixed == 0, how, bytes);
    }
    halo_partition_free(&copy);
    halo_clock_end(&beat->superstep->report->clock, HALO_PHASE_MIGRATE, stretch, beat->world);
    return status;
}

halo_status halo_beat_repartition(halo_beat *beat, const halo_partition *partition)
{
    double bytes = 0;
    return halo_partition_equal(&beat->partition, partition) ? HALO_OK
                                                             : move(beat, partition, NULL, &bytes);
}

halo_status halo_beat_move(halo_beat *beat, const int64_t *cuts)
{
    halo_partition strips = {0};
    int ranks = halo_world_ranks(beat->world);
    halo_status status =
        halo_agree(beat->world, halo_partition_with_cuts(&strips, &beat->domain, ranks, cuts));
    if (status == HALO_OK) {
        status = halo_beat_repartition(beat, &strips);
    }
    halo_partition_free(&strips);
    return status;
}

/* ---- planning -------------------------------------------------------------------------------- */

/* Bytes of a halo, from what was sent since the last plan. */
static size_t halo_bytes(halo_beat *beat)
{
    halo_beat_report report = halo_beat_get_report(beat);
    int64_t messages = report.messages - beat->messages, bytes = report.bytes - beat->bytes;
    beat->messages = report.messages;
    beat->bytes = report.bytes;
    return (size_t)(messages > 0 ? bytes / messages : 0);
}

/* Return the bytes of all cells at one place on `axis`, over all ranks that share it. */
static double layer_bytes(const halo_beat *beat, int axis)
{
    double bytes = 0;
    for (int i = 0; i < beat->superstep->field_count; i++) {
        bytes += beat->kernel->cell_bits[i] / 8.;
    }
    for (int other = 0; other < HALO_AXES; other++) {
        bytes *= other == axis ? 1 : (double)beat->domain.n[other];
    }
    return bytes;
}

bool halo_beat_is_overdue(void *context)
{
    return halo_balancing_is_overdue(((halo_beat *)context)->options.balancing);
}

halo_status halo_beat_balance(void *context, int64_t left, bool overdue)
{
    halo_beat *beat = context;
    halo_balancing *balancing = beat->options.balancing;
    halo_measured measured;
    HALO_TRY(halo_beat_adapt_depth(beat, left));
    int beats = beat->superstep->beats_per_exchange;
    bool planning = halo_balancing_is_planning(balancing);
    if (!halo_balancing_take(balancing, overdue, beat->superstep->row_cost, &measured)) {
        return HALO_OK;
    }
    int axis = halo_balancing_axis(balancing, &beat->partition);
    halo_balance_query query = {.beats_left = left,
                                .axis = axis,
                                .domain = &beat->domain,
                                .partition = &beat->partition,
                                .min_rows = (int64_t)beat->kernel->depth * beats,
                                .measured = &measured,
                                .row_bytes = layer_bytes(beat, axis),
                                .halo_bytes = planning ? 0 : halo_bytes(beat),
                                .exchanges = 1. / beats,
                                .overlaps = halo_superstep_overlaps(beat->superstep, beats)};
    return halo_balancing_rebalance(balancing, &query, &beat->superstep->report->clock, move, beat);
}
