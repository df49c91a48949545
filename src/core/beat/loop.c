#include "core/beat/loop.h"

#include "base/memory.h"
#include "base/option.h"
#include "core/beat/vote.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A superstep whose vote is pending. */
typedef struct {
    int beats;     /* of this superstep */
    int64_t done;  /* beats before it */
    bool settled;  /* its numbers are those of all ranks */
    bool answered; /* a plan that it may ask for has been asked for */
} pending_vote;

struct halo_loop {
    halo_world *world;
    halo_loop_options options;
    halo_vote *vote;
    int lateness;     /* votes that may be under way when the next superstep begins */
    int room;         /* beats that there are entries for */
    int entries;      /* of a packet */
    int64_t *numbers; /* of the superstep at hand and of each vote: a packet, and what each beat of
                       * it has changed; see packet_of, changed_of */
    pending_vote *pending; /* [lateness + 1], the oldest first, from pending[oldest] round */
    int oldest, under_way;
    bool overdue; /* a rank's clock asked for a plan in the last vote */
    bool stop;    /* this rank requests it, and no vote has carried that yet */
    bool failed;  /* a vote of this run has said that a rank failed */
    halo_beat_report report;
};

/* Slot -1 is the current superstep; slots from 0 hold pending votes. */
enum { AT_HAND = -1 };

/* The vote's, the hooks' sums, what beats before the last changed: [entries]. */
static int64_t *packet_of(const halo_loop *loop, int slot)
{
    return loop->numbers + (size_t)(slot + 1) * (size_t)(loop->entries + loop->room);
}

/* By each beat of a superstep: [room]. */
static int64_t *changed_of(const halo_loop *loop, int slot)
{
    return packet_of(loop, slot) + loop->entries;
}

static int entries_of(const halo_loop *loop, int beats)
{
    return HALO_VOTE_SUMS + loop->options.sums + (loop->options.converges ? beats - 1 : 0);
}

/* Local. For supersteps of this number of beats. Votes may be under way. */
static halo_status make_room(halo_loop *loop, int beats)
{
    halo_loop wider = *loop;
    wider.entries = entries_of(loop, beats);
    wider.room = beats;
    size_t sets = (size_t)loop->lateness + 2, set = (size_t)wider.entries + (size_t)beats;
    HALO_TRY(HALO_ALLOCATE(wider.numbers, sets * set, "the numbers of votes"));
    for (int slot = AT_HAND; loop->numbers != NULL && slot <= loop->lateness; slot++) {
        memcpy(packet_of(&wider, slot), packet_of(loop, slot),
               sizeof *loop->numbers * (size_t)loop->entries);
        memcpy(changed_of(&wider, slot), changed_of(loop, slot),
               sizeof *loop->numbers * (size_t)loop->room);
    }
    free(loop->numbers);
    *loop = wider;
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
    if (options->change_threshold > 0 && options->votes_late) {
        return halo_fail(HALO_ARGUMENT,
                         "a run that ends when %" PRId64
                         " cells or fewer change needs the result of each vote at once; "
                         "use another vote than pipeline",
                         options->change_threshold);
    }
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a loop of beats"));
    halo_loop *loop = *out;
    loop->world = world;
    loop->options = *options;
    loop->options.beats_per_vote = options->beats_per_vote > 0 ? options->beats_per_vote : 1;
    loop->report.beats = options->first_beat;
    return HALO_OK;
}

/* Once there is a vote. */
static halo_status allocate(halo_loop *loop)
{
    loop->lateness = loop->options.votes_late ? halo_vote_lateness(loop->vote) : 0;
    HALO_TRY(HALO_ALLOCATE(loop->pending, (size_t)loop->lateness + 1, "votes under way"));
    return make_room(loop, loop->options.beats_per_vote);
}

halo_status halo_loop_create_sized(halo_loop **out, halo_world *world,
                                   const halo_loop_options *given, size_t given_bytes)
{
    halo_loop_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_loop_options");
    HALO_IF_OK(status, create_local(out, world, &options));
    status = halo_agree(world, status);
    halo_loop *loop = *out;
    if (status == HALO_OK) {
        int more = entries_of(loop, loop->options.beats_per_vote) - HALO_VOTE_SUMS;
        status = halo_vote_create(&loop->vote, world, options.vote, more);
    }
    if (status == HALO_OK) {
        status = halo_agree(world, allocate(loop));
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
        free((*loop)->numbers);
        free((*loop)->pending);
        free(*loop);
        *loop = NULL;
    }
}

/* ---- voting ---------------------------------------------------------------------------------- */

/* The last beat's count has its place in every packet; those of the beats before it follow the
 * sums, where they matter: where a beat that changes little ends a run. */
static int64_t *changed_entry(const halo_loop *loop, int64_t *packet, int i, int beats)
{
    return i == beats - 1 ? &packet[HALO_VOTE_CHANGED]
                          : &packet[HALO_VOTE_SUMS + loop->options.sums + i];
}

static int first_counted(const halo_loop *loop, int beats)
{
    return loop->options.converges ? 0 : beats - 1;
}

static int slot_of(const halo_loop *loop, int place)
{
    return (loop->oldest + place) % (loop->lateness + 1);
}

static int64_t beats_under_way(const halo_loop *loop)
{
    int64_t beats = 0;
    for (int place = 0; place < loop->under_way; place++) {
        beats += loop->pending[slot_of(loop, place)].beats;
    }
    return beats;
}

/* Add the cost of votes since `before` to the report. */
static void count_votes(halo_loop *loop, halo_vote_counts before)
{
    halo_vote_counts after = halo_vote_count(loop->vote);
    loop->report.votes += after.votes - before.votes;
    loop->report.vote_messages += after.messages - before.messages;
    loop->report.vote_steps += after.steps - before.steps;
}

static halo_status post(halo_loop *loop, const halo_loop_superstep *superstep, halo_status mine,
                        bool overdue)
{
    int beats = superstep->beats, slot = slot_of(loop, loop->under_way++);
    int64_t *packet = packet_of(loop, AT_HAND);
    for (int i = first_counted(loop, beats); i < beats; i++) {
        *changed_entry(loop, packet, i, beats) = superstep->changed[i];
    }
    packet[HALO_VOTE_FAILED] = mine != HALO_OK;
    packet[HALO_VOTE_STOP] = loop->stop;
    packet[HALO_VOTE_OVERDUE] = overdue;
    loop->pending[slot] = (pending_vote){.beats = beats, .done = superstep->done};
    memcpy(changed_of(loop, slot), superstep->changed, sizeof *packet * (size_t)beats);
    halo_vote_counts before = halo_vote_count(loop->vote);
    halo_stretch stretch = halo_clock_begin(loop->world);
    halo_status status = halo_vote_post(loop->vote, packet);
    halo_clock_end(&loop->report.clock, HALO_PHASE_VOTE, stretch, loop->world);
    count_votes(loop, before);
    return status;
}

/* Afterwards the slot holds what all ranks have together. */
static halo_status settle(halo_loop *loop, int slot)
{
    pending_vote *vote = &loop->pending[slot];
    int64_t *packet = packet_of(loop, slot), *changed = changed_of(loop, slot);
    if (vote->settled) {
        return HALO_OK;
    }
    halo_vote_counts before = halo_vote_count(loop->vote);
    halo_stretch stretch = halo_clock_begin(loop->world);
    halo_status status = halo_vote_collect(loop->vote, packet);
    halo_clock_end(&loop->report.clock, HALO_PHASE_VOTE, stretch, loop->world);
    count_votes(loop, before);
    HALO_TRY(status);
    for (int i = first_counted(loop, vote->beats); i < vote->beats; i++) {
        changed[i] = *changed_entry(loop, packet, i, vote->beats);
    }
    vote->settled = true;
    return HALO_OK;
}

/* Collective. Waits for the votes under way, after which all ranks have ended their supersteps.
 * Hooks still get these results as late as otherwise. HALO_TRANSPORT. */
static halo_status settle_all(halo_loop *loop)
{
    for (int place = 0; place < loop->under_way; place++) {
        HALO_TRY(settle(loop, slot_of(loop, place)));
    }
    return HALO_OK;
}

/* Beats after the first one that changed nothing anywhere have changed nothing either, and do not
 * count; those after the first one that changed little may have, which is why a threshold asks for
 * one beat a vote. */
static void conclude(halo_loop *loop, const halo_loop_hooks *hooks, void *context, int slot)
{
    halo_beat_report *report = &loop->report;
    const int64_t *packet = packet_of(loop, slot);
    const halo_loop_superstep superstep = {.done = loop->pending[slot].done,
                                           .beats = loop->pending[slot].beats,
                                           .changed = changed_of(loop, slot),
                                           .sums = packet_of(loop, slot) + HALO_VOTE_SUMS};
    int counted = 0;
    while (counted < superstep.beats && !report->converged) {
        report->converged =
            loop->options.converges && superstep.changed[counted] <= loop->options.change_threshold;
        counted++;
    }
    report->beats += counted;
    bool stopped = packet[HALO_VOTE_STOP] > 0;
    report->stopped = report->stopped || stopped;
    loop->stop = loop->stop && !stopped;
    if (hooks->agreed != NULL && hooks->agreed(context, &superstep)) {
        report->converged = true;
    }
    if (hooks->watch != NULL && hooks->watch(context, report->beats, packet[HALO_VOTE_CHANGED])) {
        loop->stop = true;
    }
}

/* Waits for the oldest vote; this rank's status is `mine`. Of what was done after a superstep
 * that failed, or in which a run has converged, only failures are of interest. */
static halo_status collect_oldest(halo_loop *loop, const halo_loop_hooks *hooks, void *context,
                                  halo_status mine)
{
    int slot = loop->oldest;
    const int64_t *packet = packet_of(loop, slot);
    halo_status status = settle(loop, slot);
    if (status != HALO_OK) { /* messages fail: nothing will be heard of any of them */
        loop->under_way = 0;
        return status;
    }
    loop->oldest = slot_of(loop, 1);
    loop->under_way--;
    loop->overdue = packet[HALO_VOTE_OVERDUE] > 0 && !loop->pending[slot].answered;
    if (loop->failed) {
        return HALO_OK;
    }
    if (packet[HALO_VOTE_FAILED] > 0) {
        loop->failed = true;
        return halo_agree(loop->world, mine);
    }
    if (!loop->report.converged) {
        conclude(loop, hooks, context, slot);
    }
    return HALO_OK;
}

/* ---- supersteps ------------------------------------------------------------------------------ */

static bool is_over(const halo_loop *loop)
{
    return loop->report.converged || loop->report.stopped;
}

/* At the end of a run all votes are waited for. */
static halo_status do_superstep(halo_loop *loop, const halo_loop_hooks *hooks, void *context,
                                int beats, bool last)
{
    halo_loop_superstep superstep = {.done = loop->report.beats + beats_under_way(loop),
                                     .beats = beats,
                                     .changed = changed_of(loop, AT_HAND),
                                     .sums = packet_of(loop, AT_HAND) + HALO_VOTE_SUMS};
    memset(packet_of(loop, AT_HAND), 0, (size_t)loop->entries * sizeof *loop->numbers);
    memset(superstep.changed, 0, (size_t)beats * sizeof *superstep.changed);
    halo_status mine = hooks->superstep(context, &superstep);
    halo_world_count_beats(loop->world, beats);
    HALO_TRY(post(loop, &superstep, mine, hooks->overdue != NULL && hooks->overdue(context)));
    while (loop->under_way > (last || is_over(loop) ? 0 : loop->lateness)) {
        HALO_TRY(collect_oldest(loop, hooks, context, mine));
    }
    return HALO_OK;
}

/* Votes that are under way may ask for a plan as well: the one made now serves for them, too. */
static halo_status balance(halo_loop *loop, const halo_loop_hooks *hooks, void *context,
                           int64_t left)
{
    for (int place = 0; loop->overdue && place < loop->under_way; place++) {
        loop->pending[slot_of(loop, place)].answered = true;
    }
    return hooks->balance != NULL ? hooks->balance(context, left, loop->overdue) : HALO_OK;
}

static halo_status run(halo_loop *loop, const halo_loop_hooks *hooks, void *context, int64_t max)
{
    for (int64_t done = 0, beats; (max == 0 || done < max) && !is_over(loop); done += beats) {
        HALO_TRY(balance(loop, hooks, context, max > 0 ? max - done : -1));
        beats = loop->options.beats_per_vote;
        beats = max == 0 || max - done > beats ? beats : max - done;
        HALO_TRY(do_superstep(loop, hooks, context, (int)beats, done + beats == max));
    }
    return HALO_OK;
}

halo_status halo_loop_run(halo_loop *loop, const halo_loop_hooks *hooks, void *context, int64_t max)
{
    loop->report.vote = halo_vote_name(loop->vote);
    loop->report.converged = loop->report.stopped = loop->failed = false;
    halo_status status = run(loop, hooks, context, max);
    /* After a failure, of all ranks together: what was done before counts, if that was between two
     * supersteps. */
    while (status != HALO_TRANSPORT && loop->under_way > 0) {
        status = halo_status_first(status, collect_oldest(loop, hooks, context, HALO_OK));
    }
    loop->under_way = 0;
    return status;
}

/* Votes of another size are another vote. What this one has sent has been counted. */
static halo_status set_room(halo_loop *loop, int beats)
{
    halo_vote *vote = NULL;
    if (loop->options.converges) {
        HALO_TRY(settle_all(loop));
        HALO_TRY(halo_vote_create(&vote, loop->world, loop->options.vote,
                                  entries_of(loop, beats) - HALO_VOTE_SUMS));
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
