#include "partition/schedule/strategy.h"

/* Adaptive weighted factoring: I. Banicescu, V. Velusamy and J. Devaprasad, 2003; R. Carino and I.
 * Banicescu, 2008. A worker's time for a task is the mean over its chunks, the later ones counted
 * more: pi = sum(k t_k) / sum(k n_k). Until all have reported, weights are as given. */

enum { AT_CHUNK = 1, WITH_WAITING = 2 };

static void weigh(halo_schedule *schedule, bool waiting)
{
    for (int i = 0; i < schedule->count; i++) {
        schedule_worker *w = &schedule->workers[i];
        double seconds = w->weighted_seconds + (waiting ? w->weighted_waited : 0);
        if (seconds <= 0) {
            halo_schedule_weigh_as_given(schedule);
            return;
        }
        w->weight = w->weighted_tasks / seconds;
    }
    halo_schedule_normalise(schedule);
}

static int64_t next_chunk(halo_schedule *schedule, int worker, int kind)
{
    bool begins = halo_schedule_begin_batch(schedule);
    if (begins || (kind & AT_CHUNK) != 0) {
        weigh(schedule, (kind & WITH_WAITING) != 0);
    }
    int64_t even = (kind & AT_CHUNK) != 0
                       ? halo_schedule_part(schedule->left, 2 * (int64_t)schedule->count)
                       : schedule->chunk;
    return halo_schedule_weighted(schedule, worker, even);
}

static int64_t next_b(halo_schedule *schedule, int worker)
{
    return next_chunk(schedule, worker, 0);
}

static int64_t next_c(halo_schedule *schedule, int worker)
{
    return next_chunk(schedule, worker, AT_CHUNK);
}

static int64_t next_d(halo_schedule *schedule, int worker)
{
    return next_chunk(schedule, worker, WITH_WAITING);
}

static int64_t next_e(halo_schedule *schedule, int worker)
{
    return next_chunk(schedule, worker, WITH_WAITING | AT_CHUNK);
}

const halo_schedule_strategy halo_schedule_awf_b = {
    .entry = {.name = "awf-b", .help = "factoring by speeds over the whole run, at each batch"},
    .next = next_b};

const halo_schedule_strategy halo_schedule_awf_c = {
    .entry = {.name = "awf-c", .help = "the same at each chunk"}, .next = next_c};

const halo_schedule_strategy halo_schedule_awf_d = {
    .entry = {.name = "awf-d", .help = "awf-b with the time waited for chunks"}, .next = next_d};

const halo_schedule_strategy halo_schedule_awf_e = {
    .entry = {.name = "awf-e", .help = "awf-c with the time waited for chunks"}, .next = next_e};
