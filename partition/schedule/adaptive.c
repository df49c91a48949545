#include "partition/schedule/strategy.h"

/* Weighted factoring by the mean time of a task in each worker's last chunk: MERB6 of A. L. de
 * Oliveira and others, whose weights are these times themselves ("2008"), so that the slowest
 * worker gets most; here they are one over them. */

enum { BY_SPEED, AS_PRINTED };

static halo_status parse_adaptive(halo_schedule *schedule, const char *parameter)
{
    static const char *const words[] = {"", "2008"};
    return halo_schedule_parse_variant(schedule, parameter, words, 2);
}

static const double shortest = 1e-9; /* seconds of a task, so that no weight is infinite */

static bool all_have_reported(const halo_schedule *schedule)
{
    for (int i = 0; i < schedule->count; i++) {
        if (schedule->workers[i].chunks == 0) {
            return false;
        }
    }
    return true;
}

/* `latency`: what a chunk waited for counts, as part of each of its tasks. */
static void weigh(halo_schedule *schedule, bool latency)
{
    for (int i = 0; i < schedule->count; i++) {
        schedule_worker *w = &schedule->workers[i];
        double seconds = w->last_seconds;
        seconds += latency ? w->last_waited / (double)w->last_tasks : 0;
        seconds = seconds > shortest ? seconds : shortest;
        w->weight = schedule->variant == AS_PRINTED ? seconds : 1 / seconds;
    }
    halo_schedule_normalise(schedule);
}

static int64_t next_by_times(halo_schedule *schedule, int worker, bool latency)
{
    if (!all_have_reported(schedule)) {
        return halo_schedule_probe(schedule);
    }
    if (halo_schedule_begin_batch(schedule)) {
        weigh(schedule, latency);
    }
    return halo_schedule_weighted(schedule, worker, schedule->chunk);
}

static int64_t next_adaptive(halo_schedule *schedule, int worker)
{
    return next_by_times(schedule, worker, false);
}

static int64_t next_adaptive_latency(halo_schedule *schedule, int worker)
{
    return next_by_times(schedule, worker, true);
}

const halo_schedule_strategy halo_schedule_adaptive = {
    .entry = {.name = "adaptive",
              .parameter = "[:2008]",
              .help = "weighted factoring by the time of a task in each worker's last chunk"},
    .parse = parse_adaptive,
    .next = next_adaptive};

const halo_schedule_strategy halo_schedule_adaptive_latency = {
    .entry = {.name = "adaptive-latency",
              .parameter = "[:2008]",
              .help = "the same, with what each chunk was waited for"},
    .parse = parse_adaptive,
    .next = next_adaptive_latency};
