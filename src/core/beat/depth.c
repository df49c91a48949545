#include "base/minmax.h"
#include "core/beat/beat_internal.h"
#include "core/beat/beats_per_exchange.h"

#include <math.h>

/* A depth of halos that is chosen: before the first beat from the latency that is measured and the
 * time an ordinary cell takes, and again from the time that this kernel's cells take and from what
 * beats took so far: after the first superstep, a few after each change, and otherwise after 2, 4,
 * 8 and so on, since what else runs on the machines may change. All ranks look at the same sums,
 * which ride on the votes, and choose the same. */

static const double nanoseconds = 1e9;

static void find_limits(const halo_beat *beat, const halo_partition *partition, int *min, int *max)
{
    bool moves = beat->options.balancing != NULL;
    *min = halo_beats_per_exchange_default(beat->kernel, &beat->domain, partition, moves);
    *max = halo_beats_per_exchange_max(beat->kernel, &beat->domain, partition, moves);
    if (beat->options.change_threshold > 0) {
        *min = *max = 1; /* each beat may be the last one */
    }
    if (beat->options.last_beat > beat->options.first_beat) {
        int64_t left = beat->options.last_beat - beat->options.first_beat;
        *min = (int)halo_min(*min, left);
        *max = (int)halo_min(*max, left);
    }
}

/* Nothing is known of this kernel's cells in the first superstep, which must not compute many more
 * than are needed. */
static int few_beats(int min, int max, int beats)
{
    enum { SHARE = 4 };
    return (int)halo_min(beats, halo_max(min, max / SHARE));
}

/* Does a superstep of so many beats take so long that none should be spent on finding out what
 * others take? If not, depths grow step by step, since what the model says may be far from the
 * truth. */
static bool is_long(const halo_depth_trials *trials, const halo_depth_range *range, int beats)
{
    static const double long_seconds = .03;
    return beats * halo_depth_trials_expect(trials, range, beats) > long_seconds;
}

static int choose_first(const halo_depth_range *range)
{
    static const halo_depth_trials none;
    int best = halo_depth_trials_choose(&none, range, range->min);
    int few = few_beats(range->min, range->max, best);
    return is_long(&none, range, few) ? best : few;
}

halo_status halo_beat_begin_depth(halo_beat *beat, const halo_partition *partition, int *beats)
{
    beat_depth *depth = &beat->depth;
    *beats = beat->options.beats_per_exchange > 0 ? beat->options.beats_per_exchange : 1;
    if (beat->options.beats_per_exchange != HALO_BEATS_PER_EXCHANGE_AUTO) {
        return HALO_OK;
    }
    int max;
    find_limits(beat, partition, beats, &max);
    depth->automatic = halo_world_ranks(beat->world) > 1 && max > *beats;
    if (depth->automatic) {
        halo_workload workload = halo_beats_per_exchange_workload(beat->kernel, &beat->domain);
        const halo_depth_range range = {.machine = &depth->machine,
                                        .workload = &workload,
                                        .parts = partition->parts,
                                        .min = *beats,
                                        .max = max};
        depth->machine.cell_seconds = halo_machine_ordinary().cell_seconds;
        depth->next = depth->skipped = 1;
        HALO_TRY(halo_beats_per_exchange_measure(beat->world, &workload, partition->parts, *beats,
                                                 max, &depth->machine));
        if (halo_beat_votes_late(beat->world, beat->kernel, &beat->options)) {
            depth->machine.vote_seconds = 0; /* nobody waits */
        }
        *beats = choose_first(&range);
    }
    return HALO_OK;
}

int halo_beat_first_beats(const halo_beat *beat, int beats)
{
    int min, max;
    find_limits(beat, &beat->partition, &min, &max);
    return beat->depth.automatic ? few_beats(min, max, beats) : beats;
}

/* Supersteps that end early do not tell what a beat takes, nor does the first one with new fields.
 */
static void end_timing(halo_beat *beat)
{
    beat_depth *depth = &beat->depth;
    if (depth->begun > 0) {
        bool whole = depth->beats_now == beat->superstep->beats_per_exchange;
        depth->taken = halo_seconds() - depth->begun;
        depth->beats = whole && depth->skipped == 0 ? depth->beats_now : 0;
        depth->skipped -= depth->skipped > 0;
        depth->begun = 0;
    }
}

void halo_beat_begin_superstep(halo_beat *beat, int beats)
{
    beat->depth.begun = halo_seconds();
    beat->depth.beats_now = beats;
}

void halo_beat_count_superstep(halo_beat *beat, int64_t sums[BEAT_DEPTH_SUMS])
{
    beat_depth *depth = &beat->depth;
    double seconds = beat->superstep->report->clock.seconds[HALO_PHASE_COMPUTE];
    sums[BEAT_DEPTH_NANOSECONDS] = (int64_t)(nanoseconds * fmax(seconds - depth->seconds, 0));
    sums[BEAT_DEPTH_CELLS] = (int64_t)(beat->superstep->cells - depth->cells);
    sums[BEAT_DEPTH_TAKEN] = depth->beats > 0 ? (int64_t)(nanoseconds * depth->taken) : 0;
    sums[BEAT_DEPTH_BEATS] = depth->beats;
    sums[BEAT_DEPTH_CHANGING] = (int64_t)depth->changing;
    depth->seconds = seconds;
    depth->cells = beat->superstep->cells;
    depth->changing = 0;
    depth->under_way++;
}

void halo_beat_hear_superstep(halo_beat *beat, const int64_t sums[BEAT_DEPTH_SUMS])
{
    beat_depth *depth = &beat->depth;
    depth->supersteps++;
    depth->under_way--;
    depth->all_nanoseconds += (double)sums[BEAT_DEPTH_NANOSECONDS];
    depth->all_cells += (double)sums[BEAT_DEPTH_CELLS];
    if (depth->stale == 0) {
        depth->all_taken += (double)sums[BEAT_DEPTH_TAKEN];
        depth->all_beats += (double)sums[BEAT_DEPTH_BEATS];
    }
    depth->stale -= depth->stale > 0;
    if (sums[BEAT_DEPTH_CHANGING] > 0) {
        depth->all_changing = (double)sums[BEAT_DEPTH_CHANGING];
    }
    end_timing(beat);
}

/* Fields with halos for so many beats take the place of those there are, if there is memory for
 * both. */
static halo_status replace(halo_beat *beat, int beats)
{
    enum {
        SKIPPED = 1,
        LOOK = 3
    }; /* supersteps: the second one is timed, and known after the third */
    beat_depth *depth = &beat->depth;
    double begun = halo_seconds();
    halo_stretch stretch = halo_clock_begin(beat->world);
    bool changed;
    halo_status status = halo_beat_set_depth(beat, beats, &changed);
    halo_clock_end(&beat->superstep->report->clock, HALO_PHASE_MIGRATE, stretch, beat->world);
    depth->cells = beat->superstep->cells;
    depth->changing = nanoseconds * (halo_seconds() - begun);
    depth->beats = 0;
    depth->skipped = SKIPPED;
    depth->stale = depth->under_way;
    depth->next = depth->supersteps + depth->under_way + LOOK;
    if (status == HALO_MEMORY && !changed) {
        depth->automatic = false;
        return HALO_OK;
    }
    return status;
}

/* Update the machine's figures from the sums over all ranks since the last look. */
static void learn(halo_beat *beat)
{
    beat_depth *depth = &beat->depth;
    depth->machine.cell_seconds = depth->all_nanoseconds / nanoseconds / depth->all_cells;
    if (depth->all_beats > 0) {
        halo_depth_trials_note(&depth->trials, beat->superstep->beats_per_exchange,
                               depth->all_taken / nanoseconds / depth->all_beats);
    }
    depth->all_nanoseconds = depth->all_cells = depth->all_taken = depth->all_beats = 0;
    depth->next = 2 * depth->supersteps;
}

/* Seconds a beat that a change, and one back if it was wrong, cost the beats that are left; where
 * nobody knows how many these are, as many as there were. */
static double change_seconds(const halo_beat *beat, int64_t left)
{
    enum { CHANGES = 2 };
    double seconds = beat->depth.all_changing / nanoseconds / halo_world_ranks(beat->world);
    int64_t beats = left >= 0 ? left : halo_loop_get_report(beat->loop)->beats;
    return CHANGES * seconds / (double)halo_max(beats, 1);
}

halo_status halo_beat_adapt_depth(halo_beat *beat, int64_t left)
{
    beat_depth *depth = &beat->depth;
    int now = beat->superstep->beats_per_exchange;
    end_timing(beat); /* where votes are late, none may have been heard of yet */
    if (!depth->automatic || depth->supersteps < depth->next || depth->all_cells <= 0) {
        return HALO_OK;
    }
    learn(beat);
    halo_workload workload = halo_beats_per_exchange_workload(beat->kernel, &beat->domain);
    halo_depth_range range = {.machine = &depth->machine,
                              .workload = &workload,
                              .parts = beat->partition.parts,
                              .change = change_seconds(beat, left)};
    find_limits(beat, &beat->partition, &range.min, &range.max);
    range.max = (int)halo_max(range.min, halo_min(range.max, depth->longest_run));
    if (!is_long(&depth->trials, &range, now)) {
        range.max = (int)halo_max(range.min, halo_min(range.max, 2 * now));
    }
    int best = halo_depth_trials_choose(&depth->trials, &range, now);
    if (best != now) {
        HALO_TRY(replace(beat, best));
    }
    return halo_loop_set_beats_per_vote(beat->loop, beat->superstep->beats_per_exchange);
}
