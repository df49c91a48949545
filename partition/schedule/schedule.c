#include "partition/schedule/schedule.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "partition/schedule/strategy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list -------------------------------------------------------------------------------- */

static const halo_schedule_strategy *const all[] = {&halo_schedule_static,
                                                    &halo_schedule_static_weighted,
                                                    &halo_schedule_fixed,
                                                    &halo_schedule_uniform,
                                                    &halo_schedule_timed,
                                                    &halo_schedule_mfsc,
                                                    &halo_schedule_fsc,
                                                    &halo_schedule_guided,
                                                    &halo_schedule_tss,
                                                    &halo_schedule_factoring,
                                                    &halo_schedule_weighted_factoring,
                                                    &halo_schedule_awf_b,
                                                    &halo_schedule_awf_c,
                                                    &halo_schedule_awf_d,
                                                    &halo_schedule_awf_e,
                                                    &halo_schedule_af,
                                                    &halo_schedule_adaptive,
                                                    &halo_schedule_adaptive_latency,
                                                    &halo_schedule_exponential,
                                                    &halo_schedule_hierarchical,
                                                    &halo_schedule_diffusive,
                                                    &halo_schedule_pipeline};

enum { COUNT = sizeof all / sizeof *all };

const halo_schedule_entry *halo_schedule_list(int i)
{
    return i >= 0 && i < COUNT ? &all[i]->entry : NULL;
}

/* "static, ..., uniform:K or pipeline". */
static halo_status refuse_name(const char *words)
{
    char list[HALO_MESSAGE_SIZE / 2];
    size_t used = 0;
    for (int i = 0; i < COUNT && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0          ? ""
                                 : i < COUNT - 1 ? ", "
                                                 : " or ",
                                 all[i]->entry.name);
    }
    return halo_fail(HALO_ARGUMENT, "unknown schedule \"%s\"; use %s", words, list);
}

/* The strategy, and what follows the colon. */
static halo_status find(const char *words, const halo_schedule_strategy **strategy,
                        const char **parameter)
{
    size_t length = strcspn(words, ":");
    for (int i = 0; i < COUNT; i++) {
        const char *name = all[i]->entry.name;
        if (strlen(name) == length && strncmp(name, words, length) == 0) {
            *strategy = all[i];
            *parameter = words + length + (words[length] == ':');
            return words[length] == ':' && all[i]->parse == NULL
                       ? halo_fail(HALO_ARGUMENT,
                                   "schedule \"%s\" takes no parameter, and has \"%s\"", name,
                                   *parameter)
                       : HALO_OK;
        }
    }
    return refuse_name(words);
}

/* ---- making ---------------------------------------------------------------------------------- */

void halo_schedule_normalise(halo_schedule *schedule)
{
    double sum = 0;
    for (int i = 0; i < schedule->count; i++) {
        sum += schedule->workers[i].weight;
    }
    for (int i = 0; i < schedule->count; i++) {
        schedule->workers[i].weight /= sum;
    }
}

void halo_schedule_weigh_as_given(halo_schedule *schedule)
{
    for (int i = 0; i < schedule->count; i++) {
        schedule->workers[i].weight = schedule->workers[i].given_weight;
    }
}

void halo_schedule_set_weights(halo_schedule *schedule, const double *weights)
{
    for (int i = 0; i < schedule->count; i++) {
        schedule->workers[i].weight = weights[i];
    }
    halo_schedule_normalise(schedule);
    for (int i = 0; i < schedule->count; i++) {
        schedule->workers[i].given_weight = schedule->workers[i].weight;
    }
}

static halo_status check(const halo_schedule_options *options)
{
    static const int64_t most = INT64_C(1) << 50; /* exact as a double, with room for products */
    if (options->tasks < 0 || options->tasks > most || options->workers < 1) {
        return halo_fail(HALO_ARGUMENT,
                         "%" PRId64 " tasks for %d workers; use 0 to %" PRId64 " for 1 or more",
                         options->tasks, options->workers, most);
    }
    for (int i = 0; i < options->workers; i++) {
        if (options->weights != NULL &&
            !(options->weights[i] > 0 && isfinite(options->weights[i]))) {
            return halo_fail(HALO_ARGUMENT, "worker %d has the weight %g; weights are above 0", i,
                             options->weights[i]);
        }
        if (options->groups != NULL && options->groups[i] < 0) {
            return halo_fail(HALO_ARGUMENT, "worker %d is in group %d; groups are 0 or more", i,
                             options->groups[i]);
        }
    }
    return HALO_OK;
}

static halo_status make(halo_schedule **out, const char *words,
                        const halo_schedule_options *options)
{
    const halo_schedule_strategy *strategy = NULL;
    const char *parameter = NULL;
    HALO_TRY(find(words, &strategy, &parameter));
    HALO_TRY(check(options));
    size_t count = (size_t)options->workers;
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a schedule"));
    halo_schedule *schedule = *out;
    HALO_TRY(HALO_ALLOCATE(schedule->workers, count, "the workers of a schedule"));
    HALO_TRY(HALO_ALLOCATE(schedule->groups, count, "the groups of a schedule"));
    schedule->strategy = strategy;
    schedule->tasks = schedule->left = options->tasks;
    schedule->count = options->workers;
    schedule->seed = options->seed;
    for (size_t i = 0; i < count; i++) {
        schedule->workers[i].given_weight = schedule->workers[i].weight = 1. / (double)count;
        schedule->groups[i] = options->groups != NULL ? options->groups[i] : 0;
    }
    if (options->weights != NULL) {
        halo_schedule_set_weights(schedule, options->weights);
    }
    if (strategy->parse != NULL && strategy->parse(schedule, parameter) != HALO_OK) {
        return halo_fail(HALO_ARGUMENT, "schedule \"%s\"; use %s%s", words, strategy->entry.name,
                         strategy->entry.parameter);
    }
    if (strategy->begin != NULL) {
        strategy->begin(schedule, options);
    }
    return HALO_OK;
}

halo_status halo_schedule_create_sized(halo_schedule **out, const char *words,
                                       const halo_schedule_options *given, size_t given_bytes)
{
    halo_schedule_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_schedule_options");
    HALO_IF_OK(status, make(out, words, &options));
    if (status != HALO_OK) {
        halo_schedule_destroy(out);
    }
    return status;
}

void halo_schedule_destroy(halo_schedule **schedule)
{
    if (*schedule != NULL) {
        free((*schedule)->workers);
        free((*schedule)->groups);
        free(*schedule);
        *schedule = NULL;
    }
}

/* ---- shared by strategies -------------------------------------------------------------------- */

int64_t halo_schedule_weighted(const halo_schedule *schedule, int worker, int64_t chunk)
{
    static const double half = .5 + 1e-9; /* sums of weights are rounded, too */
    double tasks = schedule->workers[worker].weight * schedule->count * (double)chunk;
    return (int64_t)floor(tasks + half);
}

bool halo_schedule_begin_batch(halo_schedule *schedule)
{
    bool due = schedule->requested % schedule->count == 0;
    if (due) {
        schedule->chunk = halo_schedule_part(schedule->left, 2 * (int64_t)schedule->count);
    }
    schedule->requested++;
    return due;
}

int64_t halo_schedule_probe(const halo_schedule *schedule)
{
    enum { SHARE = 20 };
    return halo_schedule_part(schedule->tasks, SHARE * (int64_t)schedule->count);
}

/* ---- requests -------------------------------------------------------------------------------- */

halo_schedule_place halo_schedule_where(const halo_schedule *schedule)
{
    return schedule->strategy->entry.place;
}

int64_t halo_schedule_left(const halo_schedule *schedule)
{
    return schedule->left;
}

void halo_schedule_note(halo_schedule *schedule, int worker, const halo_schedule_done *done)
{
    schedule_worker *w = &schedule->workers[worker];
    if (done->tasks <= 0) {
        return;
    }
    double chunk = (double)++w->chunks;
    w->tasks += done->tasks;
    w->seconds += done->seconds;
    w->squares += done->squares;
    w->last_tasks = done->tasks;
    w->last_seconds = done->seconds / (double)done->tasks;
    w->last_waited = done->waited;
    w->weighted_tasks += chunk * (double)done->tasks;
    w->weighted_seconds += chunk * done->seconds;
    w->weighted_waited += chunk * done->waited;
}

static int64_t give(halo_schedule *schedule, int64_t wanted)
{
    int64_t count = halo_min(halo_max(wanted, 1), schedule->left);
    schedule->left -= count;
    schedule->requests++;
    return count;
}

int64_t halo_schedule_next(halo_schedule *schedule, int worker, int64_t there)
{
    halo_schedule_place place = halo_schedule_where(schedule);
    if (place == HALO_SCHEDULE_GROUPS || (place == HALO_SCHEDULE_CHAIN && worker > 0)) {
        return halo_min(there, 1); /* one by one */
    }
    return schedule->left > 0 ? give(schedule, schedule->strategy->next(schedule, worker)) : 0;
}

int64_t halo_schedule_next_group(halo_schedule *schedule, int group)
{
    int64_t workers = 0;
    for (int i = 0; i < schedule->count; i++) {
        workers += schedule->groups[i] == group;
    }
    return schedule->left > 0 ? give(schedule, halo_min(schedule->whole, schedule->left) * workers)
                              : 0;
}

int64_t halo_schedule_redundant(int64_t unfinished, int workers)
{
    return halo_schedule_part(unfinished, 2 * (int64_t)workers);
}
