#include "core/beat/loop.h"

#include "base/memory.h"
#include "core/beat/vote.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct halo_loop {
    halo_world *world;
    halo_loop_options options;
    halo_vote *vote;
    int room;         /* beats that there are entries for */
    int entries;      /* of a packet */
    int64_t *packet;  /* the vote's, the hooks' sums, what beats before the last changed */
    int64_t *changed; /* [room] by each beat of a superstep */
    bool overdue;     /* a rank's clock asked for a plan in the last vote */
    bool stop;        /* this rank requests it, and no vote has carried that yet */
    halo_beat_report report;
};

/* Local. For supersteps of this number of beats. */
static halo_status make_room(halo_loop *loop, int beats)
{
    int64_t *packet = NULL, *changed = NULL;
    int entries = HALO_VOTE_SUMS + loop->options.sums + (loop->options.converges ? beats - 1 : 0);
    halo_status status = HALO_ALLOCATE(packet, entries, "the numbers of a vote");
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(changed, beats, "the changes of each beat");
    }
    if (status != HALO_OK) {
        free(packet);
        return status;
    }
    free(loop->packet);
    free(loop->changed);
    loop->packet = packet;
    loop->changed = changed;
    loop->entries = entries;
    loop->room = beats;
    return HALO_OK;
}

static halo_status create_local(halo_loop **out, halo_world *world,
                                const halo_loop_options *options)
{
    if (options->sums < 0 || options->sums > INT_MAX / 4 || options->beats_per_vote < 0 ||
        options->beats_per_vote > INT_MAX / 4) {
        return halo_fail(HALO_ARGUMENT, "%d beats per vote with %d sums; use 0 to %d of each",
                         options->beats_per_vote, options->sums, INT_MAX / 4);
    }
    if (options->change_threshold < 0) {
        return halo_fail(HALO_ARGUMENT,
                         "a run cannot end when %" PRId64
                         " changes or fewer are left; use 0 or more",
                         options->change_threshold);
    }
    if (options->change_threshold > 0 && options->beats_per_vote > 1) {
        return halo_fail(HALO_ARGUMENT,
                         "a run that ends when %" PRId64 " cells or fewer change votes on every "
                         "beat; use one beat per exchange, not %d",
                         options->change_threshold, options->beats_per_vote);
    }
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a loop of beats"));
    halo_loop *loop = *out;
    loop->world = world;
    loop->options = *options;
    loop->options.beats_per_vote = options->beats_per_vote > 0 ? options->beats_per_vote : 1;
    loop->report.beats = options->first_beat;
    return make_room(loop, loop->options.beats_per_vote);
}

halo_status halo_loop_create(halo_loop **out, halo_world *world, const halo_loop_options *options)
{
    *out = NULL;
    halo_status status = halo_agree(world, create_local(out, world, options));
    halo_loop *loop = *out;
    if (status == HALO_OK) {
        status =
            halo_vote_create(&loop->vote, world, options->vote, loop->entries - HALO_VOTE_SUMS);
    }
    if (status != HALO_OK) {
        halo_loop_destroy(out);
    }
    return status;
}

void halo_loop_destroy(halo_loop **loop)
{
    if (*loop != NULL) {
        halo_vote_destroy(&(*loop)->vote);
        free((*loop)->packet);
        free((*loop)->changed);
        free(*loop);
        *loop = NULL;
    }
}

/* The last beat's count has its place in every packet; those of the beats before it follow the
 * sums, where they matter: where a beat that changes little ends a run. */
static int64_t *changed_entry(halo_loop *loop, int i, int beats)
{
    return i == beats - 1 ? &loop->packet[HALO_VOTE_CHANGED]
                          : &loop->packet[HALO_VOTE_SUMS + loop->options.sums + i];
}

/* Afterwards the packet and `changed` hold what all ranks have together. */
static halo_status vote(halo_loop *loop, int beats, halo_status mine, bool overdue)
{
    int first = loop->options.converges ? 0 : beats - 1;
    halo_beat_report *report = &loop->report;
    for (int i = first; i < beats; i++) {
        *changed_entry(loop, i, beats) = loop->changed[i];
    }
    loop->packet[HALO_VOTE_FAILED] = mine != HALO_OK;
    loop->packet[HALO_VOTE_STOP] = loop->stop;
    loop->packet[HALO_VOTE_OVERDUE] = overdue;
    halo_vote_counts before = halo_vote_count(loop->vote);
    halo_stretch stretch = halo_clock_begin(loop->world);
    halo_status status = halo_vote_post(loop->vote, loop->packet);
    if (status == HALO_OK) {
        status = halo_vote_collect(loop->vote, loop->packet);
    }
    halo_clock_end(&report->clock, HALO_PHASE_VOTE, stretch, loop->world);
    halo_vote_counts after = halo_vote_count(loop->vote);
    report->votes += after.votes - before.votes;
    report->vote_messages += after.messages - before.messages;
    report->vote_steps += after.steps - before.steps;
    for (int i = first; i < beats; i++) {
        loop->changed[i] = *changed_entry(loop, i, beats);
    }
    return status;
}

/* Beats after the first one that changed nothing anywhere have changed nothing either, and do not
 * count; those after the first one that changed little may have, which is why a threshold asks for
 * one beat a vote. */
static void conclude(halo_loop *loop, const halo_loop_hooks *hooks, void *context,
                     const halo_loop_superstep *superstep)
{
    halo_beat_report *report = &loop->report;
    int counted = 0;
    report->converged = false;
    while (counted < superstep->beats && !report->converged) {
        report->converged = loop->options.converges &&
                            superstep->changed[counted] <= loop->options.change_threshold;
        counted++;
    }
    report->beats += counted;
    report->stopped = loop->packet[HALO_VOTE_STOP] > 0;
    loop->stop = loop->stop && !report->stopped;
    if (hooks->agreed != NULL && hooks->agreed(context, superstep)) {
        report->converged = true;
    }
    if (hooks->watch != NULL &&
        hooks->watch(context, report->beats, loop->packet[HALO_VOTE_CHANGED])) {
        loop->stop = true;
    }
}

static halo_status do_superstep(halo_loop *loop, const halo_loop_hooks *hooks, void *context,
                                int beats)
{
    halo_loop_superstep superstep = {.done = loop->report.beats,
                                     .beats = beats,
                                     .changed = loop->changed,
                                     .sums = loop->packet + HALO_VOTE_SUMS};
    memset(loop->packet, 0, (size_t)loop->entries * sizeof *loop->packet);
    memset(loop->changed, 0, (size_t)beats * sizeof *loop->changed);
    halo_status mine = hooks->superstep(context, &superstep);
    halo_world_count_beats(loop->world, beats);
    HALO_TRY(vote(loop, beats, mine, hooks->overdue != NULL && hooks->overdue(context)));
    loop->overdue = loop->packet[HALO_VOTE_OVERDUE] > 0;
    if (loop->packet[HALO_VOTE_FAILED] > 0) {
        return halo_agree(loop->world, mine);
    }
    conclude(loop, hooks, context, &superstep);
    return HALO_OK;
}

halo_status halo_loop_run(halo_loop *loop, const halo_loop_hooks *hooks, void *context, int64_t max)
{
    loop->report.converged = loop->report.stopped = false;
    for (int64_t done = 0, beats; max == 0 || done < max; done += beats) {
        if (hooks->balance != NULL) {
            HALO_TRY(hooks->balance(context, max > 0 ? max - done : -1, loop->overdue));
        }
        beats = loop->options.beats_per_vote;
        beats = max == 0 || max - done > beats ? beats : max - done;
        HALO_TRY(do_superstep(loop, hooks, context, (int)beats));
        if (loop->report.converged || loop->report.stopped) {
            break;
        }
    }
    return HALO_OK;
}

/* Votes of another size are another vote. What this one has sent has been counted. */
static halo_status set_room(halo_loop *loop, int beats)
{
    halo_vote *vote = NULL;
    int more = loop->options.sums + (loop->options.converges ? beats - 1 : 0);
    if (loop->options.converges) {
        HALO_TRY(halo_vote_create(&vote, loop->world, loop->options.vote, more));
    }
    halo_status status = halo_agree(loop->world, make_room(loop, beats));
    if (status == HALO_OK && vote != NULL) {
        halo_vote_destroy(&loop->vote);
        loop->vote = vote;
        vote = NULL;
    }
    halo_vote_destroy(&vote);
    return status;
}

halo_status halo_loop_set_beats_per_vote(halo_loop *loop, int beats)
{
    if (beats < 1 || (beats > 1 && loop->options.change_threshold > 0)) {
        return halo_fail(HALO_ARGUMENT, "%d beats per vote; use 1 or more, and 1 with a threshold",
                         beats);
    }
    if (beats > loop->room) {
        HALO_TRY(set_room(loop, beats));
    }
    loop->options.beats_per_vote = beats;
    return HALO_OK;
}

void halo_loop_stop(halo_loop *loop)
{
    loop->stop = true;
}

halo_beat_report *halo_loop_get_report(halo_loop *loop)
{
    return &loop->report;
}
