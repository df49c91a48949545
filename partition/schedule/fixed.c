#include "base/minmax.h"
#include "partition/schedule/strategy.h"

#include <math.h>

/* Chunks of one size, on demand. */

static int64_t next_chunk(halo_schedule *schedule, int worker)
{
    (void)worker;
    return schedule->chunk;
}

/* ---- a size ---------------------------------------------------------------------------------- */

static halo_status parse_size(halo_schedule *schedule, const char *parameter)
{
    return halo_schedule_parse_whole(parameter, 1, &schedule->chunk);
}

const halo_schedule_strategy halo_schedule_fixed = {
    .entry = {.name = "fixed", .parameter = ":X", .help = "X tasks at a time, on demand"},
    .parse = parse_size,
    .next = next_chunk};

/* ---- a number of sets ------------------------------------------------------------------------ */

static halo_status parse_sets(halo_schedule *schedule, const char *parameter)
{
    return halo_schedule_parse_whole(parameter, 1, &schedule->whole);
}

/* The larger sets first. */
static int64_t next_set(halo_schedule *schedule, int worker)
{
    (void)worker;
    int64_t sets = halo_max(schedule->whole - schedule->requests, 1);
    return halo_schedule_part(schedule->left, sets);
}

const halo_schedule_strategy halo_schedule_uniform = {
    .entry = {.name = "uniform", .parameter = ":K", .help = "K sets of the same size, on demand"},
    .parse = parse_sets,
    .next = next_set};

/* ---- from what requests cost ----------------------------------------------------------------- */

/* C. Kruskal and A. Weiss, Allocating independent subtasks on parallel processors, 1985. */
static void begin_fsc(halo_schedule *schedule, const halo_schedule_options *options)
{
    double workers = schedule->count;
    double request = options->request_seconds > 0 ? options->request_seconds : .001;
    double deviation = options->deviation_seconds > 0 ? options->deviation_seconds : .01;
    double even = (double)halo_schedule_part(schedule->tasks, schedule->count);
    double chunk = ceil(pow(sqrt(2) * (double)schedule->tasks * request /
                                (deviation * workers * sqrt(log(workers))),
                            2. / 3));
    schedule->chunk = (int64_t)fmin(chunk, even); /* one worker: all at once */
}

const halo_schedule_strategy halo_schedule_fsc = {
    .entry = {.name = "fsc",
              .help = "chunks of one size, from what a request costs and how tasks vary"},
    .begin = begin_fsc,
    .next = next_chunk};

/* The size that needs as many chunks as factoring does: I. Banicescu, F. Ciorba and S. Srivastava,
 * 2013. */
static void begin_mfsc(halo_schedule *schedule, const halo_schedule_options *options)
{
    enum { FEW = 2 };
    (void)options;
    double even = (double)halo_schedule_part(schedule->tasks, schedule->count);
    schedule->chunk = even > FEW ? (int64_t)ceil(.55 + even * log(2) / log(even)) : 1;
}

const halo_schedule_strategy halo_schedule_mfsc = {
    .entry = {.name = "mfsc", .help = "chunks of one size, as many as factoring has"},
    .begin = begin_mfsc,
    .next = next_chunk};
