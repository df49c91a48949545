#include "core/balancing.h"
#include "core/beat_parts.h"
#include "core/collect.h"
#include "core/migrate.h"

#include <string.h>

/* Boundaries that move while the heart beats. */

/* ---- moving -----------------------------------------------------------------------------------
 */

/* A sweep for other strips, with the cells of this one. */
static halo_status make_moved(halo_beat *beat, const halo_partition *partition, halo_sweep **out)
{
    halo_sweep *now = beat->sweep;
    HALO_TRY(halo_agree(beat->world,
                        halo_sweep_create(out, beat->world, &beat->domain, partition, beat->kernel,
                                          now->most_beats, beat->options.balancing != NULL)));
    HALO_TRY(halo_sweep_connect(*out, partition, beat->options.exchange));
    halo_clock inner = {0}; /* whoever moves has a clock of its own running */
    for (int i = 0; i < now->field_count; i++) {
        HALO_TRY(halo_migrate(beat->world, now->fields[now->now][i], beat->cuts,
                              (*out)->fields[0][i], partition->cuts[0], &inner));
    }
    (*out)->state = now->state;
    (*out)->clock = now->clock;
    (*out)->edge_seconds = now->edge_seconds;
    return HALO_OK;
}

/* Where fields cannot move, others are made. */
static halo_status replace_sweep(halo_beat *beat, const halo_partition *partition)
{
    halo_sweep *moved = NULL;
    halo_status status = make_moved(beat, partition, &moved);
    if (status == HALO_OK) {
        halo_sweep_destroy(&beat->sweep);
        beat->sweep = moved;
        moved = NULL;
    }
    halo_sweep_destroy(&moved);
    return status;
}

/* What cannot fail on one rank alone, or leaves everything as it was. */
static halo_status check_move(const halo_beat *beat, const int64_t *cuts, halo_partition *partition,
                              int64_t *fixed)
{
    int ranks = halo_world_ranks(beat->world);
    HALO_TRY(halo_partition_with_cuts(partition, &beat->domain, ranks, cuts));
    *fixed = !halo_sweep_is_movable(beat->sweep);
    return halo_cuts_check_depth(cuts, ranks, beat->kernel->depth * beat->sweep->most_beats);
}

static halo_status tell_kernel(halo_beat *beat)
{
    halo_status status = HALO_OK;
    if (beat->kernel->moved != NULL) {
        status = beat->kernel->moved(beat->sweep->state, &halo_beat_view(beat, 0)->owned);
    }
    return halo_agree(beat->world, status);
}

/* Cells and cuts change together; what fails after that leaves a run that can be looked at. */
static halo_status move_to(halo_beat *beat, const int64_t *cuts, const halo_partition *partition,
                           bool in_place, const char *how, double *bytes)
{
    int64_t messages = 0, sent = 0;
    halo_sweep_count(beat->sweep, &messages, &sent);
    HALO_TRY(in_place ? halo_sweep_move(beat->sweep, beat->cuts, partition, how, bytes)
                      : replace_sweep(beat, partition));
    beat->past_messages += messages;
    beat->past_bytes += sent;
    memcpy(beat->cuts, cuts, ((size_t)partition->parts[0] + 1) * sizeof *cuts);
    if (in_place) {
        HALO_TRY(halo_sweep_connect(beat->sweep, partition, beat->options.exchange));
    }
    return tell_kernel(beat);
}

halo_status halo_beat_connect(halo_beat *beat)
{
    if (halo_sweep_is_connected(beat->sweep)) {
        return HALO_OK;
    }
    halo_partition partition = {0};
    halo_status status = halo_agree(
        beat->world, halo_partition_with_cuts(&partition, &beat->domain,
                                              halo_world_ranks(beat->world), beat->cuts));
    if (status == HALO_OK) {
        status = halo_sweep_connect(beat->sweep, &partition, beat->options.exchange);
    }
    halo_partition_free(&partition);
    return status;
}

/* Everything it takes is moving, agreements included. */
static halo_status move(halo_beat *beat, const int64_t *cuts, const char *how, double *bytes)
{
    halo_partition partition = {0};
    int64_t fixed = 0;
    *bytes = 0;
    halo_stretch stretch = halo_clock_begin(beat->world);
    halo_status status = halo_agree(beat->world, check_move(beat, cuts, &partition, &fixed));
    if (status == HALO_OK) {
        status = halo_max(beat->world, &fixed, 1); /* in place everywhere or nowhere */
    }
    if (status == HALO_OK) {
        status = move_to(beat, cuts, &partition, fixed == 0, how, bytes);
    }
    halo_partition_free(&partition);
    halo_clock_end(&beat->sweep->clock, HALO_PHASE_MIGRATE, stretch, beat->world);
    return status;
}

halo_status halo_beat_move(halo_beat *beat, const int64_t *cuts)
{
    double bytes;
    if (memcmp(beat->cuts, cuts, ((size_t)halo_world_ranks(beat->world) + 1) * sizeof *cuts) == 0) {
        return HALO_OK;
    }
    return move(beat, cuts, NULL, &bytes);
}

/* ---- planning ---------------------------------------------------------------------------------
 */

/* Bytes of a halo, from what was sent since the last plan. */
static size_t halo_bytes(halo_beat *beat)
{
    int64_t messages = beat->past_messages, bytes = beat->past_bytes, each = 0;
    halo_sweep_count(beat->sweep, &messages, &bytes);
    if (messages > beat->messages) {
        each = (bytes - beat->bytes) / (messages - beat->messages);
    }
    beat->messages = messages;
    beat->bytes = bytes;
    return (size_t)each;
}

static double layer_bytes(const halo_beat *beat)
{
    double bytes = 0;
    for (int i = 0; i < beat->sweep->field_count; i++) {
        bytes += (double)halo_beat_view(beat, i)->stride[0];
    }
    return bytes;
}

static halo_status plan(halo_beat *beat, int64_t left, bool *moves)
{
    int beats = beat->sweep->most_beats;
    halo_measured measured;
    halo_meter_take(beat->sweep->meter, &measured);
    halo_balance_question question = {.beats_left = left,
                                      .cuts = beat->cuts,
                                      .least_rows = (int64_t)beat->kernel->depth * beats,
                                      .measured = &measured,
                                      .row_bytes = layer_bytes(beat),
                                      .halo_bytes = halo_bytes(beat),
                                      .exposed =
                                          halo_sweep_overlaps(beat->sweep, beats) ? 0 : 1. / beats,
                                      .periodic = beat->domain.periodic[0]};
    halo_stretch stretch = halo_clock_begin(beat->world);
    halo_status status =
        halo_balancing_plan(beat->options.balancing, &question, beat->planned, moves);
    halo_clock_end(&beat->sweep->clock, HALO_PHASE_BALANCE, stretch, beat->world);
    return status;
}

halo_status halo_beat_balance(halo_beat *beat, int64_t left)
{
    halo_balancing *balancing = beat->options.balancing;
    bool moves = false;
    if (balancing == NULL || !halo_balancing_is_due(balancing) ||
        !halo_meter_has_measured(beat->sweep->meter)) {
        return HALO_OK;
    }
    HALO_TRY(plan(beat, left, &moves));
    if (!moves) {
        return HALO_OK;
    }
    double begun = halo_seconds(), bytes;
    memcpy(beat->left, beat->cuts,
           ((size_t)halo_world_ranks(beat->world) + 1) * sizeof *beat->cuts);
    HALO_TRY(move(beat, beat->planned, halo_balancing_migrate(balancing), &bytes));
    return halo_balancing_moved(balancing, beat->left, beat->cuts, halo_seconds() - begun, bytes);
}
