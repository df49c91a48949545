#include "base/minmax.h"
#include "partition/schedule/strategy.h"

/* Batches of one request for each worker, each with about half of what is left. */

/* "": ceil(N / (P 2^(i + 1))), batch i from 0, of A. L. de Oliveira and others; 1992: ceil(R / 2P)
 * with what is left when the batch begins, S. Hummel, E. Schonberg and L. Flynn (FAC2). */
static halo_status parse_factoring(halo_schedule *schedule, const char *parameter)
{
    static const char *const words[] = {"", "1992"};
    return halo_schedule_parse_variant(schedule, parameter, words, 2);
}

/* N / 2^batch, rounded up: `batch` is 1 for the first one. */
static int64_t tasks_of_batch(const halo_schedule *schedule)
{
    enum { MOST = 62 };
    return halo_schedule_part(schedule->tasks, INT64_C(1) << halo_min(schedule->batch, MOST));
}

static int64_t next_factoring(halo_schedule *schedule, int worker)
{
    (void)worker;
    schedule->batch += halo_schedule_begin_batch(schedule);
    return schedule->variant == 1 ? schedule->chunk
                                  : halo_schedule_part(tasks_of_batch(schedule), schedule->count);
}

const halo_schedule_strategy halo_schedule_factoring = {
    .entry = {.name = "factoring",
              .parameter = "[:1992]",
              .help = "batches of half of what is left, in equal chunks"},
    .parse = parse_factoring,
    .next = next_factoring};

/* ---- weighted -------------------------------------------------------------------------------- */

enum { CLOCK, AT_START, AT_BATCH, AS_PRINTED };

/* S. Hummel, J. Schmidt, R. Uma and J. Wein, 1996. Weights are the clocks of the processors; with
 * "start" times the processor time that is free at the start, with "batch" at each batch (MERB3 to
 * MERB5 of A. L. de Oliveira and others, whose Algorithm 1 is "2008"). */
static halo_status parse_weighted(halo_schedule *schedule, const char *parameter)
{
    static const char *const words[] = {"", "start", "batch", "2008"};
    return halo_schedule_parse_variant(schedule, parameter, words, 4);
}

/* Algorithm 1: what is left over of a batch is a block by itself, and blocks may be of no task; of
 * one, here. `batch` is the batch's number, `chunk` what is left of it, `whole` what it had. */
static int64_t next_as_printed(halo_schedule *schedule, int worker)
{
    if (schedule->chunk <= 0) {
        schedule->batch++;
        schedule->whole = schedule->chunk = tasks_of_batch(schedule);
    }
    double share = (double)schedule->whole * schedule->workers[worker].weight;
    int64_t block = halo_max((int64_t)share, 1);
    schedule->chunk -= block;
    return block;
}

static int64_t next_weighted(halo_schedule *schedule, int worker)
{
    if (schedule->variant == AS_PRINTED) {
        return next_as_printed(schedule, worker);
    }
    halo_schedule_begin_batch(schedule);
    return halo_schedule_weighted(schedule, worker, schedule->chunk);
}

const halo_schedule_strategy halo_schedule_weighted_factoring = {
    .entry = {.name = "weighted-factoring",
              .parameter = "[:start|batch|2008]",
              .help = "batches of half of what is left, in chunks by the speed of each worker"},
    .parse = parse_weighted,
    .next = next_weighted};

bool halo_schedule_wants_weights(const halo_schedule *schedule)
{
    return schedule->strategy == &halo_schedule_weighted_factoring &&
           schedule->variant == AT_BATCH && schedule->requested % schedule->count == 0;
}

bool halo_schedule_wants_load(const halo_schedule *schedule)
{
    return schedule->strategy == &halo_schedule_static_weighted ||
           (schedule->strategy == &halo_schedule_weighted_factoring &&
            (schedule->variant == AT_START || schedule->variant == AT_BATCH));
}
