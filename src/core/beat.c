#include "core/beat.h"

#include "core/exchange.h"
#include "core/vote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 2 }; /* of each field: one is read while the other is written */

struct halo_beat {
    halo_world *world;
    const halo_kernel *kernel;
    halo_beat_options options;
    int field_count;
    int copies; /* 1 for a kernel in place */
    int now;    /* the copy that holds the current cells */
    halo_field *fields[COPIES][HALO_KERNEL_FIELDS];
    halo_view views[COPIES][HALO_KERNEL_FIELDS];
    halo_exchange *exchanges[COPIES];
    halo_box interior, edges[HALO_EDGES];
    int edge_count;
    halo_vote *vote;
    int64_t *packet; /* [HALO_VOTE_SUMS + sums] */
    void *state;
    bool stop;                       /* this rank's watcher wants to */
    halo_status failure;             /* this rank's first one */
    char message[HALO_MESSAGE_SIZE]; /* that explains it */
    int64_t beats;
    bool settled;
    halo_clock clock;
};

static halo_status check_kernel(const halo_kernel *kernel)
{
    if (kernel->name == NULL || kernel->step == NULL || kernel->cell_bits[0] == 0 ||
        kernel->depth < 0 || kernel->sums < 0) {
        return halo_fail(HALO_ARGUMENT,
                         "the table of kernel \"%s\" needs a name, a step function and the cell"
                         " size of at least one field, and no negative numbers",
                         kernel->name != NULL ? kernel->name : "");
    }
    return HALO_OK;
}

static halo_status create_fields(halo_beat *beat, const halo_domain *domain, const halo_box *owned)
{
    const halo_kernel *kernel = beat->kernel;
    for (int copy = 0; copy < beat->copies; copy++) {
        for (int i = 0; i < beat->field_count; i++) {
            HALO_TRY(halo_field_create(&beat->fields[copy][i], domain, owned, kernel->cell_bits[i],
                                       kernel->depth));
            beat->views[copy][i] = *halo_field_view(beat->fields[copy][i]);
        }
    }
    return HALO_OK;
}

/* Everything this rank can make alone. */
static halo_status create_local(halo_beat **out, halo_world *world, const halo_domain *domain,
                                const halo_partition *partition, const halo_kernel *kernel)
{
    HALO_TRY(check_kernel(kernel));
    if (partition->parts[0] != halo_world_ranks(world)) {
        return halo_fail(HALO_ARGUMENT, "%d ranks cannot own %d parts; use one part per rank",
                         halo_world_ranks(world), partition->parts[0]);
    }
    halo_beat *beat = calloc(1, sizeof *beat);
    if (beat == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a heartbeat run");
    }
    *out = beat;
    beat->world = world;
    beat->kernel = kernel;
    beat->copies = kernel->in_place ? 1 : COPIES;
    while (beat->field_count < HALO_KERNEL_FIELDS && kernel->cell_bits[beat->field_count] != 0) {
        beat->field_count++;
    }
    size_t entries = (size_t)HALO_VOTE_SUMS + (size_t)kernel->sums;
    beat->packet = calloc(entries, sizeof *beat->packet);
    if (beat->packet == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a vote of %zu numbers", entries);
    }
    halo_box owned = halo_partition_box(partition, halo_world_rank(world));
    return create_fields(beat, domain, &owned);
}

static halo_status create_shared(halo_beat *beat, const halo_partition *partition)
{
    const halo_kernel *kernel = beat->kernel;
    for (int copy = 0; copy < beat->copies; copy++) {
        HALO_TRY(halo_exchange_create(&beat->exchanges[copy], beat->world, partition,
                                      beat->fields[copy], beat->field_count,
                                      beat->options.exchange));
    }
    beat->edge_count =
        halo_exchange_split(beat->exchanges[0], kernel->depth, &beat->interior, beat->edges);
    return halo_vote_create(&beat->vote, beat->world, beat->options.vote, kernel->sums);
}

halo_status halo_beat_create(halo_beat **out, halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const halo_kernel *kernel,
                             const halo_beat_options *options)
{
    *out = NULL;
    halo_status status = create_local(out, world, domain, partition, kernel);
    halo_beat *beat = *out;
    if (beat != NULL) {
        beat->options = options != NULL ? *options : (halo_beat_options){0};
    }
    if (status == HALO_OK && beat != NULL && kernel->create != NULL) {
        status = kernel->create(&beat->state, domain, beat->options.kernel_options);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK && beat != NULL) {
        status = create_shared(beat, partition);
    }
    if (status != HALO_OK) {
        halo_beat_destroy(out);
    }
    return status;
}

void halo_beat_destroy(halo_beat **out)
{
    halo_beat *beat = *out;
    if (beat == NULL) {
        return;
    }
    if (beat->kernel->destroy != NULL && beat->state != NULL) {
        beat->kernel->destroy(&beat->state);
    }
    halo_vote_destroy(&beat->vote);
    for (int copy = 0; copy < COPIES; copy++) {
        halo_exchange_destroy(&beat->exchanges[copy]);
        for (int i = 0; i < HALO_KERNEL_FIELDS; i++) {
            halo_field_destroy(&beat->fields[copy][i]);
        }
    }
    free(beat->packet);
    free(beat);
    *out = NULL;
}

const halo_view *halo_beat_view(const halo_beat *beat, int field)
{
    return &beat->views[beat->now][field];
}

/* Keep a rank's first failure: later ones follow from it, and their messages would hide it. */
static void note(halo_beat *beat, halo_status status)
{
    if (status != HALO_OK && beat->failure == HALO_OK) {
        beat->failure = status;
        snprintf(beat->message, sizeof beat->message, "%s", halo_last_message());
    }
}

static void step_box(halo_beat *beat, const halo_box *todo)
{
    if (halo_box_cells(todo) == 0 || beat->failure != HALO_OK) {
        return;
    }
    halo_step step = {
        .in = beat->views[beat->now],
        .out = beat->views[beat->copies - 1 - beat->now],
        .todo = *todo,
        .beat = beat->beats,
        .state = beat->state,
    };
    halo_stretch stretch = halo_clock_begin(beat->world);
    note(beat, beat->kernel->step(&step));
    halo_clock_end(&beat->clock, HALO_PHASE_COMPUTE, stretch, beat->world);
    beat->packet[HALO_VOTE_CHANGED] += step.changed;
}

static void exchange_phase(halo_beat *beat, halo_status (*phase)(halo_exchange *exchange))
{
    halo_stretch stretch = halo_clock_begin(beat->world);
    note(beat, phase(beat->exchanges[beat->now]));
    halo_clock_end(&beat->clock, HALO_PHASE_EXCHANGE, stretch, beat->world);
}

/* Neighbours wait for our halo rows, so a rank whose kernel failed takes part to the vote. */
static void compute_beat(halo_beat *beat)
{
    exchange_phase(beat, halo_exchange_begin);
    if (!beat->kernel->whole) {
        step_box(beat, &beat->interior);
    }
    exchange_phase(beat, halo_exchange_end);
    if (beat->kernel->whole) {
        halo_box all = halo_field_view(beat->fields[0][0])->owned;
        memset(all.lo, 0, sizeof all.lo);
        step_box(beat, &all);
        return;
    }
    for (int i = 0; i < beat->edge_count; i++) {
        step_box(beat, &beat->edges[i]);
    }
}

static void ride(halo_beat *beat, bool agreed)
{
    if (beat->kernel->beat != NULL && beat->failure == HALO_OK) {
        note(beat, beat->kernel->beat(beat->state, beat->packet + HALO_VOTE_SUMS, agreed));
    }
}

/* Afterwards the packet holds the sums over all ranks. */
static halo_status vote_beat(halo_beat *beat)
{
    ride(beat, false);
    beat->packet[HALO_VOTE_FAILED] = beat->failure != HALO_OK;
    beat->packet[HALO_VOTE_STOP] = beat->stop;
    halo_stretch stretch = halo_clock_begin(beat->world);
    halo_status status = halo_vote_post(beat->vote, beat->packet);
    if (status == HALO_OK) {
        status = halo_vote_collect(beat->vote, beat->packet);
    }
    halo_clock_end(&beat->clock, HALO_PHASE_VOTE, stretch, beat->world);
    if (status == HALO_OK && beat->packet[HALO_VOTE_FAILED] == 0) {
        ride(beat, true);
    }
    return status;
}

static halo_status agree_on_failure(halo_beat *beat)
{
    if (beat->failure != HALO_OK) {
        halo_fail(beat->failure, "%s", beat->message);
    }
    return halo_agree(beat->world, beat->failure);
}

static void finish_beat(halo_beat *beat)
{
    int64_t changed = beat->packet[HALO_VOTE_CHANGED];
    beat->beats++;
    beat->now = beat->copies - 1 - beat->now;
    beat->settled = beat->kernel->settles && changed == 0;
    if (beat->options.watch != NULL &&
        beat->options.watch(beat->options.context, beat->beats, changed)) {
        beat->stop = true;
    }
}

halo_status halo_beat_run(halo_beat *beat, int64_t most)
{
    if (most < 0 || (most == 0 && !beat->kernel->settles)) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" needs a number of beats: it does not settle by itself",
                         beat->kernel->name);
    }
    beat->stop = false;
    size_t packet_bytes = (size_t)(HALO_VOTE_SUMS + beat->kernel->sums) * sizeof *beat->packet;
    for (int64_t done = 0; most == 0 || done < most; done++) {
        memset(beat->packet, 0, packet_bytes);
        compute_beat(beat);
        HALO_TRY(vote_beat(beat));
        if (beat->packet[HALO_VOTE_FAILED] > 0) {
            return agree_on_failure(beat);
        }
        bool stop = beat->packet[HALO_VOTE_STOP] > 0;
        finish_beat(beat);
        if (beat->settled || stop) {
            break;
        }
    }
    return beat->kernel->beat != NULL ? agree_on_failure(beat) : HALO_OK;
}

halo_beat_report halo_beat_reported(const halo_beat *beat)
{
    halo_beat_report report = {
        .beats = beat->beats, .settled = beat->settled, .clock = beat->clock};
    for (int copy = 0; copy < beat->copies; copy++) {
        halo_exchange_counts counts = halo_exchange_count(beat->exchanges[copy]);
        report.messages += counts.messages;
        report.bytes += counts.bytes;
    }
    halo_vote_counts votes = halo_vote_count(beat->vote);
    report.vote_messages = votes.messages;
    report.vote_steps = votes.steps;
    return report;
}
