#include "base/minmax.h"
#include "base/random.h"
#include "partition/schedule/strategy.h"

#include <string.h>

/* Without a master: who is idle takes tasks from others' queues (the diffusive method of the report
 * on uniform, exponential and diffusive decomposition), or from the left neighbour of a chain. */

enum { IN_TURN, AT_RANDOM, BY_SECONDS };

static const char *const ways[] = {"turn", "random", "seconds"};

/* "p", "p,WAY", "WAY" or "". */
static halo_status parse(halo_schedule *schedule, const char *parameter)
{
    enum { ROOM = 32 };
    char number[ROOM] = "2";
    const char *comma = strchr(parameter, ',');
    bool only_way = comma == NULL && *parameter >= 'a' && *parameter <= 'z';
    size_t length = comma != NULL ? (size_t)(comma - parameter) : strlen(parameter);
    if (!only_way && *parameter != '\0') {
        if (length >= sizeof number) {
            return HALO_ARGUMENT;
        }
        memcpy(number, parameter, length);
        number[length] = '\0';
    }
    HALO_TRY(halo_schedule_parse_ratio(number, &schedule->number));
    const char *way = only_way ? parameter : comma != NULL ? comma + 1 : "";
    if (*way == '\0') {
        schedule->variant = BY_SECONDS;
        return comma != NULL ? HALO_ARGUMENT : HALO_OK;
    }
    return halo_schedule_parse_variant(schedule, way, ways, (int)(sizeof ways / sizeof *ways));
}

static void begin(halo_schedule *schedule, const halo_schedule_options *options)
{
    (void)options;
    halo_schedule_share_out(schedule);
}

int64_t halo_schedule_share(const halo_schedule *schedule, int worker)
{
    return schedule->workers[worker].share;
}

int64_t halo_schedule_take(const halo_schedule *schedule, int64_t there)
{
    return halo_min(there, halo_max((int64_t)((double)there / schedule->number), 1));
}

/* Victims in turn begin with the next worker, so that not all ask the same one. */
static int in_turn(const halo_schedule *schedule, int worker, int64_t requested)
{
    return (int)((worker + 1 + requested) % schedule->count);
}

static int at_random(const halo_schedule *schedule, int worker, int64_t requested)
{
    uint64_t others = (uint64_t)schedule->count - 1;
    uint32_t number = halo_random_at(schedule->seed, (uint64_t)worker, requested);
    int other = (int)(((uint64_t)number * others) >> 32);
    return other + (other >= worker);
}

/* The one that has most to do; of those of which nothing is known, the next in turn. */
static int most_loaded(const halo_schedule *schedule, int worker, int64_t requested,
                       const double *seconds_left)
{
    int best = -1;
    for (int i = 0; i < schedule->count; i++) {
        int other = in_turn(schedule, worker, requested + i);
        if (other != worker &&
            (best < 0 || (seconds_left[best] >= 0 &&
                          (seconds_left[other] < 0 || seconds_left[other] > seconds_left[best])))) {
            best = other;
        }
    }
    return best;
}

int halo_schedule_victim(const halo_schedule *schedule, int worker, int64_t requested,
                         const double *seconds_left)
{
    bool any = false;
    for (int i = 0; i < schedule->count; i++) {
        any = any || (i != worker && seconds_left[i] != 0);
    }
    if (!any) {
        return -1;
    }
    int victim = schedule->variant == AT_RANDOM ? at_random(schedule, worker, requested)
                 : schedule->variant == IN_TURN
                     ? in_turn(schedule, worker, requested)
                     : most_loaded(schedule, worker, requested, seconds_left);
    return victim != worker ? victim : in_turn(schedule, worker, requested + 1);
}

const halo_schedule_strategy halo_schedule_diffusive = {
    .entry = {.name = "diffusive",
              .parameter = "[:p|WAY|p,WAY]",
              .help =
                  "a queue on each worker; who is idle takes a p-th (default: 2) of another's; WAY:"
                  " the next one's (turn), anyone's (random), or that of one with most seconds"
                  " left (seconds, the default)",
              .place = HALO_SCHEDULE_QUEUES},
    .parse = parse,
    .begin = begin};

static int64_t next_one(halo_schedule *schedule, int worker)
{
    (void)schedule;
    (void)worker;
    return 1;
}

const halo_schedule_strategy halo_schedule_pipeline = {
    .entry = {.name = "pipeline",
              .help = "a chain of workers with one slot each; each asks its left neighbour",
              .place = HALO_SCHEDULE_CHAIN},
    .next = next_one};
