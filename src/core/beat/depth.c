#include "base/minmax.h"
#include "core/beat/beat_internal.h"
#include "core/beat/beats_per_exchange.h"
#include "core/world/collect.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A depth of halos that is chosen: before the first beat from the latency that is measured and the
 * time an ordinary cell takes, and again from the time that this kernel's cells take, after the
 * first superstep, and after 2, 4, 8 and so on, since what else runs on the machines may change.
 * All ranks look at the same sums, which ride on the votes, and choose the same. */

/* A shorter beat that is worth making other fields. */
static const double worth = .9;

static const double nanoseconds = 1e9;

/* Of halos for so many beats. */
static double predict(const halo_beat *beat, const halo_partition *partition, int beats)
{
    halo_workload workload = halo_beats_per_exchange_workload(beat->kernel, &beat->domain);
    workload.beats = beats;
    return halo_model_predict(&beat->depth.machine, &workload, partition->parts).seconds;
}

static int choose(const halo_beat *beat, const halo_partition *partition, int min, int max)
{
    halo_workload workload = halo_beats_per_exchange_workload(beat->kernel, &beat->domain);
    int best = halo_model_best_beats(&beat->depth.machine, &workload, partition->parts, min, max);
    return predict(beat, partition, best) < worth * predict(beat, partition, min) ? best : min;
}

static void find_limits(const halo_beat *beat, const halo_partition *partition, int *min, int *max)
{
    bool moves = beat->options.balancing != NULL;
    *min = halo_beats_per_exchange_default(beat->kernel, &beat->domain, partition, moves);
    *max = halo_beats_per_exchange_max(beat->kernel, &beat->domain, partition, moves);
    if (beat->options.change_threshold > 0) {
        *min = *max = 1; /* each beat may be the last one */
    }
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
        depth->machine.cell_seconds = halo_machine_ordinary().cell_seconds;
        depth->next = 1;
        HALO_TRY(halo_beats_per_exchange_measure(beat->world, &workload, partition->parts, *beats,
                                                 max, &depth->machine));
        *beats = choose(beat, partition, *beats, max);
    }
    return HALO_OK;
}

/* Nothing is known of this kernel's cells in the first superstep, which must not compute many more
 * than are needed. */
int halo_beat_first_beats(const halo_beat *beat, int beats)
{
    enum { SHARE = 4 };
    int min, max;
    find_limits(beat, &beat->partition, &min, &max);
    return beat->depth.automatic ? (int)halo_min(beats, halo_max(min, max / SHARE)) : beats;
}

void halo_beat_count_cells(halo_beat *beat, int64_t sums[BEAT_DEPTH_SUMS])
{
    beat_depth *depth = &beat->depth;
    double seconds = beat->superstep->report->clock.seconds[HALO_PHASE_COMPUTE];
    sums[BEAT_DEPTH_NANOSECONDS] = (int64_t)(nanoseconds * fmax(seconds - depth->seconds, 0));
    sums[BEAT_DEPTH_CELLS] = (int64_t)(beat->superstep->cells - depth->cells);
    depth->seconds = seconds;
    depth->cells = beat->superstep->cells;
}

void halo_beat_hear_cells(halo_beat *beat, const int64_t sums[BEAT_DEPTH_SUMS])
{
    beat->depth.supersteps++;
    beat->depth.all_nanoseconds += (double)sums[BEAT_DEPTH_NANOSECONDS];
    beat->depth.all_cells += (double)sums[BEAT_DEPTH_CELLS];
}

/* Fields with halos for so many beats take the place of those there are, if there is memory for
 * both. */
static halo_status replace(halo_beat *beat, int beats)
{
    halo_stretch stretch = halo_clock_begin(beat->world);
    halo_status status = halo_beat_set_depth(beat, beats);
    halo_clock_end(&beat->superstep->report->clock, HALO_PHASE_MIGRATE, stretch, beat->world);
    beat->depth.cells = beat->superstep->cells;
    if (status == HALO_MEMORY) {
        beat->depth.automatic = false;
        return HALO_OK;
    }
    return status;
}

halo_status halo_beat_adapt_depth(halo_beat *beat)
{
    beat_depth *depth = &beat->depth;
    int min, max, now = beat->superstep->beats_per_exchange;
    if (!depth->automatic || depth->supersteps < depth->next || depth->all_cells <= 0) {
        return HALO_OK;
    }
    depth->next = 2 * depth->supersteps;
    depth->machine.cell_seconds = depth->all_nanoseconds / nanoseconds / depth->all_cells;
    depth->all_nanoseconds = depth->all_cells = 0;
    find_limits(beat, &beat->partition, &min, &max);
    max = (int)halo_max(min, halo_min(max, depth->longest_run));
    int best = choose(beat, &beat->partition, min, max);
    if (now > max ||
        predict(beat, &beat->partition, best) < worth * predict(beat, &beat->partition, now)) {
        HALO_TRY(replace(beat, best));
    }
    return halo_loop_set_beats_per_vote(beat->loop, beat->superstep->beats_per_exchange);
}
