#include "partition/schedule/strategy.h"

#include <math.h>

/* Chunks that shrink with every request. */

/* "": B_i = ceil((1 - 1/P)^i N / P), i from 0, the closed form of A. L. de Oliveira and others;
 * 1987: ceil(R / P), C. Polychronopoulos and D. Kuck. */
static halo_status parse_guided(halo_schedule *schedule, const char *parameter)
{
    static const char *const words[] = {"", "1987"};
    return halo_schedule_parse_variant(schedule, parameter, words, 2);
}

static int64_t next_guided(halo_schedule *schedule, int worker)
{
    (void)worker;
    if (schedule->variant == 1) {
        return halo_schedule_part(schedule->left, schedule->count);
    }
    double workers = schedule->count, tiny = 1e-9;
    return (int64_t)ceil(pow(1 - 1 / workers, (double)schedule->requests) *
                             (double)schedule->tasks / workers -
                         tiny);
}

const halo_schedule_strategy halo_schedule_guided = {
    .entry = {.name = "guided",
              .parameter = "[:1987]",
              .help = "a P-th of what is left; P workers"},
    .parse = parse_guided,
    .next = next_guided};

/* Trapezoid self-scheduling: T. Tzen and L. Ni, 1993. From a 2P-th of all down to 1. */
static void begin_tss(halo_schedule *schedule, const halo_schedule_options *options)
{
    (void)options;
    int64_t first = halo_schedule_part(schedule->tasks, 2 * (int64_t)schedule->count);
    int64_t steps = halo_schedule_part(2 * schedule->tasks, first + 1);
    schedule->chunk = first;
    schedule->batch = steps > 1 ? (first - 1) / (steps - 1) : 0; /* less for each request */
}

static int64_t next_tss(halo_schedule *schedule, int worker)
{
    (void)worker;
    return schedule->chunk - schedule->requests * schedule->batch;
}

const halo_schedule_strategy halo_schedule_tss = {
    .entry = {.name = "tss", .help = "chunks that shrink by the same number each"},
    .begin = begin_tss,
    .next = next_tss};
