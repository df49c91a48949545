#include "core/beat/beat_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/transport/processes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Ranks that share the variables of a kernel would compute something else without a word. */
static halo_status check_threads(const halo_world *world, const halo_kernel *kernel)
{
    int ranks = halo_world_ranks(world);
    char remedy[HALO_PROCESSES_REMEDY];
    if ((kernel->flags & HALO_KERNEL_NOT_THREAD_SAFE) == 0 || ranks == 1 ||
        !halo_world_is_process(world)) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "kernel \"%s\" is not thread-safe, as its table says, and there are %d ranks "
                     "that are threads of one process; use one rank, or %s",
                     kernel->name, ranks, halo_processes_remedy(remedy, ranks));
}

static halo_status check_memory(const halo_world *world, const halo_beat_options *options)
{
    HALO_FAIL_IF(options->beats_per_exchange == HALO_BEATS_PER_EXCHANGE_AUTO, HALO_ARGUMENT,
                 "memory of the caller has room for halos of one depth; give the number of beats "
                 "per exchange");
    return HALO_REQUIRE(!halo_exchange_shares_fields(world, options->exchange), HALO_ARGUMENT,
                        "other processes cannot read memory of the caller; use another exchange "
                        "mode than shared");
}

static halo_status check(halo_world *world, const halo_domain *domain,
                         const halo_partition *partition, const halo_kernel *kernel,
                         const halo_beat_options *options)
{
    int parts = halo_partition_parts(partition);
    if (parts != halo_world_ranks(world)) {
        return halo_fail(HALO_ARGUMENT, "%d ranks cannot own %d parts; use one part per rank",
                         halo_world_ranks(world), parts);
    }
    if (kernel->axes != 0 && kernel->axes != domain->axes) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" is made for %d axes, and the domain has %d; give it a size "
                         "with as many numbers",
                         kernel->name, kernel->axes, domain->axes);
    }
    HALO_TRY(check_threads(world, kernel));
    if (options->async != NULL && kernel->monotone_bytes == 0) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" cannot compute asynchronously: its cells do not only fall, "
                         "or only rise, towards their end",
                         kernel->name);
    }
    if (options->beats_per_exchange < HALO_BEATS_PER_EXCHANGE_AUTO) {
        return halo_fail(HALO_ARGUMENT, "%d beats per exchange; use 1 or more",
                         options->beats_per_exchange);
    }
    return HALO_OK;
}

/* Does no beat depend on the votes of those just before it? All ranks end an asynchronous one
 * together, so that nothing is gained there by not waiting. */
static bool may_vote_late(const halo_kernel *kernel, const halo_beat_options *options)
{
    return options->change_threshold == 0 && options->async == NULL &&
           (kernel->sums == 0 || kernel->sums_can_wait);
}

static const char *choose_vote(const halo_world *world, const halo_kernel *kernel,
                               const halo_beat_options *options)
{
    if (options->vote != NULL && strcmp(options->vote, "auto") != 0) {
        return options->vote;
    }
    bool late = !kernel->converges && may_vote_late(kernel, options);
    return late && halo_world_ranks(world) > 1 ? "pipeline" : "allreduce";
}

bool halo_beat_votes_late_sized(const halo_world *world, const halo_kernel *kernel,
                                const halo_beat_options *given, size_t given_bytes)
{
    halo_beat_options options;
    halo_options_take_known(&options, sizeof options, given, given_bytes);
    return may_vote_late(kernel, &options) &&
           strcmp(choose_vote(world, kernel, &options), "pipeline") == 0;
}

/* Check the arguments and set up what needs no communication. */
static halo_status create_local(halo_beat **out, halo_world *world, const halo_domain *domain,
                                const halo_partition *partition, const halo_kernel *kernel,
                                const halo_beat_options *options)
{
    HALO_TRY(check(world, domain, partition, kernel, options));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a heartbeat"));
    halo_beat *beat = *out;
    beat->world = world;
    beat->kernel = kernel;
    beat->options = *options;
    if (options->async != NULL) {
        beat->async = *options->async;
        beat->options.async = &beat->async;
    }
    beat->exchange = (halo_exchange_options){
        .mode = options->exchange, .corner_way = options->corner_way, .packing = options->packing};
    beat->domain = *domain;
    HALO_TRY(halo_exchange_check(&beat->exchange));
    HALO_TRY(options->memory != NULL ? check_memory(world, options) : HALO_OK);
    return halo_partition_copy(&beat->partition, partition);
}

static halo_status create_superstep(halo_beat *beat, int beats)
{
    const halo_kernel *kernel = beat->kernel;
    halo_superstep_options superstep = {.beats_per_exchange = beats,
                                        .movable = halo_beat_moves_in_place(beat, &beat->partition),
                                        .balanced = beat->options.balancing != NULL,
                                        .exchange = beat->exchange,
                                        .report = halo_loop_get_report(beat->loop),
                                        .async = beat->options.async,
                                        .async_report = &beat->async_report,
                                        .memory = beat->options.memory};
    HALO_TRY(halo_superstep_create(&beat->superstep, beat->world, &beat->domain, &beat->partition,
                                   kernel, &superstep));
    return kernel->create != NULL ? kernel->create(&beat->superstep->state, &beat->domain,
                                                   beat->options.kernel_options)
                                  : HALO_OK;
}

static halo_status create_all(halo_beat *beat)
{
    const halo_beat_options *options = &beat->options;
    int beats;
    HALO_TRY(halo_beat_begin_depth(beat, &beat->partition, &beats));
    int more = beat->depth.automatic ? BEAT_DEPTH_SUMS : 0;
    const halo_loop_options of_loop = {.vote = choose_vote(beat->world, beat->kernel, options),
                                       .sums = beat->kernel->sums + more,
                                       .beats_per_vote = beats,
                                       .converges = beat->kernel->converges,
                                       .change_threshold = options->change_threshold,
                                       .first_beat = options->first_beat,
                                       .votes_late = may_vote_late(beat->kernel, options)};
    HALO_TRY(halo_loop_create(&beat->loop, beat->world, &of_loop));
    HALO_TRY(halo_agree(beat->world, create_superstep(beat, beats)));
    HALO_TRY(halo_loop_set_beats_per_vote(beat->loop, halo_beat_first_beats(beat, beats)));
    return halo_beat_connect(beat);
}

halo_status halo_beat_create_sized(halo_beat **out, halo_world *world, const halo_domain *domain,
                                   const halo_partition *partition, const halo_kernel *kernel,
                                   const halo_beat_options *given, size_t given_bytes)
{
    halo_beat_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_beat_options");
    HALO_IF_OK(status, create_local(out, world, domain, partition, kernel, &options));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = create_all(*out);
    }
    if (status != HALO_OK) {
        halo_beat_destroy(out);
    }
    return status;
}

void halo_kernel_free_state(void **state)
{
    free(*state);
    *state = NULL;
}

void halo_beat_destroy(halo_beat **out)
{
    halo_beat *beat = *out;
    if (beat == NULL) {
        return;
    }
    if (beat->superstep != NULL && beat->kernel->destroy != NULL &&
        beat->superstep->state != NULL) {
        beat->kernel->destroy(&beat->superstep->state);
    }
    halo_superstep_destroy(&beat->superstep);
    halo_loop_destroy(&beat->loop);
    halo_partition_free(&beat->partition);
    free(beat);
    *out = NULL;
}

const halo_view *halo_beat_view(const halo_beat *beat, int field)
{
    return &beat->superstep->views[beat->superstep->now][field];
}

void *halo_beat_state(const halo_beat *beat)
{
    return beat->superstep->state;
}

const halo_partition *halo_beat_partition(const halo_beat *beat)
{
    return &beat->partition;
}

int halo_beat_beats_per_exchange(const halo_beat *beat)
{
    return beat->superstep->beats_per_exchange;
}

const int64_t *halo_beat_cuts(const halo_beat *beat)
{
    return beat->partition.cuts[0];
}

/* Numbers of the kernel that ride on the vote: to be filled in, or `agreed` on. */
static void ride(halo_beat *beat, int64_t *sums, bool agreed)
{
    halo_superstep *superstep = beat->superstep;
    if (beat->kernel->beat != NULL && superstep->failure == HALO_OK) {
        halo_superstep_note(superstep, beat->kernel->beat(superstep->state, sums, agreed));
    }
}

static halo_status do_superstep(void *context, halo_loop_superstep *step)
{
    halo_beat *beat = context;
    if (beat->depth.automatic) {
        halo_beat_begin_superstep(beat, step->beats);
    }
    halo_superstep_run(beat->superstep, step->done, step->beats, step->changed);
    ride(beat, step->sums, false);
    if (beat->depth.automatic) {
        halo_beat_count_superstep(beat, step->sums + beat->kernel->sums);
    }
    return halo_superstep_noted(beat->superstep);
}

/* A failure here rides on the next superstep's vote. */
static bool hear_sums(void *context, const halo_loop_superstep *step)
{
    halo_beat *beat = context;
    ride(beat, step->sums, true);
    if (beat->depth.automatic) {
        halo_beat_hear_superstep(beat, step->sums + beat->kernel->sums);
    }
    return false;
}

static bool watch(void *context, int64_t beats, int64_t changed)
{
    const halo_beat_options *options = &((halo_beat *)context)->options;
    return options->watch != NULL && options->watch(options->context, beats, changed);
}

halo_status halo_beat_run(halo_beat *beat, int64_t max)
{
    static const halo_loop_hooks hooks = {.balance = halo_beat_balance,
                                          .overdue = halo_beat_is_overdue,
                                          .superstep = do_superstep,
                                          .agreed = hear_sums,
                                          .watch = watch};
    if (max < 0 || (max == 0 && !beat->kernel->converges)) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" needs a number of beats: it does not settle by itself",
                         beat->kernel->name);
    }
    beat->depth.longest_run = halo_max(beat->depth.longest_run, max > 0 ? max : INT_MAX);
    beat->depth.under_way = beat->depth.stale = 0;
    HALO_TRY(halo_beat_connect(beat));
    HALO_TRY(halo_loop_run(beat->loop, &hooks, beat, max));
    return beat->kernel->beat != NULL
               ? halo_agree(beat->world, halo_superstep_noted(beat->superstep))
               : HALO_OK;
}

void halo_beat_stop(halo_beat *beat)
{
    halo_loop_stop(beat->loop);
}

void halo_beat_get_report_sized(const halo_beat *beat, halo_beat_report *report,
                                size_t report_bytes)
{
    halo_beat_report own = *halo_loop_get_report(beat->loop);
    halo_superstep_count(beat->superstep, &own.messages, &own.bytes);
    own.messages += beat->async_report.mine;
    own.bytes += beat->async_report.mine_bytes;
    halo_report_give(report, report_bytes, &own, sizeof own);
}

void halo_beat_get_async_report_sized(const halo_beat *beat, halo_async_report *report,
                                      size_t report_bytes)
{
    halo_report_give(report, report_bytes, &beat->async_report, sizeof beat->async_report);
}
