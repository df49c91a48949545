#include "core/beat/beat_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static halo_status check(halo_world *world, const halo_domain *domain,
                         const halo_partition *partition, const halo_kernel *kernel,
                         const halo_beat_options *options)
{
    int parts = halo_partition_parts(partition);
    if (parts != halo_world_ranks(world)) {
        return halo_fail(HALO_ARGUMENT, "%d ranks cannot own %d parts; use one part per rank",
                         halo_world_ranks(world), parts);
    }
    if (options->beats_per_exchange < 0 || options->beats_per_exchange > INT_MAX / 4 ||
        kernel->sums > INT_MAX / 4) {
        return halo_fail(HALO_ARGUMENT, "%d beats per exchange with %d sums; use 0 to %d of each",
                         options->beats_per_exchange, kernel->sums, INT_MAX / 4);
    }
    if (options->few < 0 || (options->few > 0 && options->beats_per_exchange > 1)) {
        return halo_fail(HALO_ARGUMENT,
                         "a run that ends when %" PRId64 " cells or fewer change votes on every "
                         "beat; use one beat per exchange, not %d",
                         options->few, options->beats_per_exchange);
    }
    if (kernel->axes != 0 && kernel->axes != domain->axes) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" is made for %d axes, and the domain has %d; give it a size "
                         "with as many numbers",
                         kernel->name, kernel->axes, domain->axes);
    }
    return HALO_OK;
}

halo_exchange_options halo_beat_exchange_options(const halo_beat *beat)
{
    return (halo_exchange_options){.mode = beat->options.exchange,
                                   .corner_way = beat->options.corner_way,
                                   .packing = beat->options.packing};
}

static halo_status copy_partition(halo_beat *beat, const halo_partition *partition)
{
    int most = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        most = partition->parts[axis] > most ? partition->parts[axis] : most;
    }
    HALO_TRY(halo_partition_copy(&beat->partition, partition));
    HALO_TRY(halo_partition_copy(&beat->planned, partition));
    beat->left = malloc(((size_t)most + 1) * sizeof *beat->left);
    return beat->left != NULL
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "out of memory: the boundaries of %d parts", most);
}

/* Everything this rank can make alone. */
static halo_status create_local(halo_beat **out, halo_world *world, const halo_domain *domain,
                                const halo_partition *partition, const halo_kernel *kernel,
                                const halo_beat_options *options)
{
    HALO_TRY(check(world, domain, partition, kernel, options));
    halo_beat *beat = calloc(1, sizeof *beat);
    if (beat == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a heartbeat run");
    }
    *out = beat;
    beat->world = world;
    beat->kernel = kernel;
    beat->options = *options;
    beat->domain = *domain;
    beat->beats = options->first_beat;
    HALO_TRY(copy_partition(beat, partition));
    int depth = options->beats_per_exchange > 0 ? options->beats_per_exchange : 1;
    halo_superstep_options superstep = {.beats_per_exchange = depth,
                                        .movable = halo_beat_moves_in_place(beat, partition),
                                        .exchange = halo_beat_exchange_options(beat)};
    HALO_TRY(halo_exchange_check(&superstep.exchange));
    HALO_TRY(halo_superstep_create(&beat->superstep, world, domain, partition, kernel, &superstep));
    beat->entries = HALO_VOTE_SUMS + kernel->sums + (kernel->settles ? depth - 1 : 0);
    beat->packet = calloc((size_t)beat->entries, sizeof *beat->packet);
    if (beat->packet == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a vote of %d numbers", beat->entries);
    }
    return kernel->create != NULL
               ? kernel->create(&beat->superstep->state, domain, options->kernel_options)
               : HALO_OK;
}

halo_status halo_beat_create(halo_beat **out, halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const halo_kernel *kernel,
                             const halo_beat_options *options)
{
    static const halo_beat_options defaults;
    *out = NULL;
    options = options != NULL ? options : &defaults;
    halo_status status =
        halo_agree(world, create_local(out, world, domain, partition, kernel, options));
    halo_beat *beat = *out;
    if (status == HALO_OK && beat != NULL) {
        halo_exchange_options exchange = halo_beat_exchange_options(beat);
        status = halo_superstep_connect(beat->superstep, partition, &exchange);
    }
    if (status == HALO_OK && beat != NULL) {
        status =
            halo_vote_create(&beat->vote, world, options->vote, beat->entries - HALO_VOTE_SUMS);
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
    if (beat->superstep != NULL && beat->kernel->destroy != NULL &&
        beat->superstep->state != NULL) {
        beat->kernel->destroy(&beat->superstep->state);
    }
    halo_vote_destroy(&beat->vote);
    halo_superstep_destroy(&beat->superstep);
    free(beat->packet);
    free(beat->left);
    halo_partition_free(&beat->planned);
    halo_partition_free(&beat->partition);
    free(beat);
    *out = NULL;
}

const halo_view *halo_beat_view(const halo_beat *beat, int field)
{
    return &beat->superstep->views[beat->superstep->now][field];
}

void *halo_beat_state(const halo_beat *beat)
{
    return beat->superstep->state;
}

const halo_partition *halo_beat_partition(const halo_beat *beat)
{
    return &beat->partition;
}

const int64_t *halo_beat_cuts(const halo_beat *beat)
{
    return beat->partition.cuts[0];
}

static void ride(halo_beat *beat, bool agreed)
{
    if (beat->kernel->beat != NULL && beat->superstep->failure == HALO_OK) {
        halo_superstep_note(
            beat->superstep,
            beat->kernel->beat(beat->superstep->state, beat->packet + HALO_VOTE_SUMS, agreed));
    }
}

/* The last beat's count has its place in every packet; those of the beats before it follow the
 * kernel's sums, where they matter: in a kernel that settles. */
static int64_t *changed_entry(halo_beat *beat, int i, int beats)
{
    return i == beats - 1 ? &beat->packet[HALO_VOTE_CHANGED]
                          : &beat->packet[HALO_VOTE_SUMS + beat->kernel->sums + i];
}

static void fill_packet(halo_beat *beat, int beats)
{
    memset(beat->packet, 0, (size_t)beat->entries * sizeof *beat->packet);
    for (int i = beat->kernel->settles ? 0 : beats - 1; i < beats; i++) {
        *changed_entry(beat, i, beats) = beat->superstep->changed[i];
    }
    ride(beat, false);
    beat->packet[HALO_VOTE_FAILED] = beat->superstep->failure != HALO_OK;
    beat->packet[HALO_VOTE_STOP] = beat->stop;
}

/* Afterwards the packet holds the sums over all ranks. */
static halo_status vote_superstep(halo_beat *beat, int beats)
{
    fill_packet(beat, beats);
    halo_stretch stretch = halo_clock_begin(beat->world);
    halo_status status = halo_vote_post(beat->vote, beat->packet);
    if (status == HALO_OK) {
        status = halo_vote_collect(beat->vote, beat->packet);
    }
    halo_clock_end(&beat->superstep->clock, HALO_PHASE_VOTE, stretch, beat->world);
    if (status == HALO_OK && beat->packet[HALO_VOTE_FAILED] == 0) {
        ride(beat, true);
    }
    return status;
}

static halo_status agree_on_failure(halo_beat *beat)
{
    if (beat->superstep->failure != HALO_OK) {
        halo_fail(beat->superstep->failure, "%s", beat->superstep->message);
    }
    return halo_agree(beat->world, beat->superstep->failure);
}

/* Beats after the first one that changed nothing anywhere have changed nothing either, and do not
 * count; those after the first one that changed no more than a few cells may have, which is why
 * `few` asks for one beat an exchange. */
static void finish_superstep(halo_beat *beat, int beats)
{
    int counted = 0;
    beat->settled = false;
    while (counted < beats && !beat->settled) {
        beat->settled =
            beat->kernel->settles && *changed_entry(beat, counted, beats) <= beat->options.few;
        counted++;
    }
    beat->beats += counted;
    if (beat->options.watch != NULL &&
        beat->options.watch(beat->options.context, beat->beats, beat->packet[HALO_VOTE_CHANGED])) {
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
    HALO_TRY(halo_beat_connect(beat));
    int beats = beat->superstep->beats_per_exchange;
    beat->stopped = false;
    for (int64_t done = 0; most == 0 || done < most; done += beats) {
        beats = most == 0 || most - done > beats ? beats : (int)(most - done);
        HALO_TRY(halo_beat_balance(beat, most > 0 ? most - done : -1));
        halo_superstep_run(beat->superstep, beat->beats, beats);
        HALO_TRY(vote_superstep(beat, beats));
        if (beat->packet[HALO_VOTE_FAILED] > 0) {
            return agree_on_failure(beat);
        }
        beat->stopped = beat->packet[HALO_VOTE_STOP] > 0;
        beat->stop = beat->stop && !beat->stopped;
        finish_superstep(beat, beats);
        if (beat->settled || beat->stopped) {
            break;
        }
    }
    return beat->kernel->beat != NULL ? agree_on_failure(beat) : HALO_OK;
}

void halo_beat_stop(halo_beat *beat)
{
    beat->stop = true;
}

halo_beat_report halo_beat_reported(const halo_beat *beat)
{
    halo_beat_report report = {.beats = beat->beats,
                               .settled = beat->settled,
                               .stopped = beat->stopped,
                               .messages = beat->past_messages,
                               .bytes = beat->past_bytes,
                               .edge_seconds = beat->superstep->edge_seconds,
                               .clock = beat->superstep->clock};
    halo_superstep_count(beat->superstep, &report.messages, &report.bytes);
    halo_vote_counts votes = halo_vote_count(beat->vote);
    report.votes = votes.votes;
    report.vote_messages = votes.messages;
    report.vote_steps = votes.steps;
    return report;
}
