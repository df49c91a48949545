#include "core/balance/balancing_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/move/migrate.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "partition/balance/decision.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static halo_status create_balancer(halo_balancing *balancing, const char *text)
{
    const char *options;
    HALO_TRY(halo_balancer_parse(&balancing->balancer, &options, text));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        HALO_TRY(balancing->balancer->create(&balancing->states[axis], options));
    }
    return HALO_OK;
}

static halo_status create_local(halo_balancing **out, halo_world *world,
                                const halo_balance_options *options)
{
    HALO_TRY(halo_migrate_check(options->migrate));
    if (options->every < 0) {
        return halo_fail(HALO_ARGUMENT, "plans are 0 or more beats apart, not %" PRId64,
                         options->every);
    }
    size_t ranks = (size_t)halo_world_ranks(world);
    HALO_TRY(HALO_ALLOCATE(*out, 1, "balancing"));
    halo_balancing *balancing = *out;
    balancing->world = world;
    balancing->options = *options;
    HALO_TRY(HALO_ALLOCATE(balancing->packets, ranks, "measurements of ranks"));
    HALO_TRY(HALO_ALLOCATE(balancing->loads, ranks, "loads of ranks"));
    HALO_TRY(HALO_ALLOCATE(balancing->seconds, 2 * ranks, "times of ranks"));
    HALO_TRY(HALO_ALLOCATE(balancing->before, 2 * (ranks + 1), "cuts of ranks"));
    balancing->part_seconds = balancing->seconds + ranks;
    balancing->planned = balancing->before + ranks + 1;
    balancing->turn = HALO_AXES - 1;
    balancing->request = HALO_NO_REQUEST;
    HALO_TRY(halo_link_probe_create(&balancing->probe, world));
    return create_balancer(balancing,
                           options->balancer != NULL ? options->balancer : HALO_BALANCER_DEFAULT);
}

halo_status halo_balancing_create_sized(halo_balancing **out, halo_world *world,
                                        const halo_balance_options *given, size_t given_bytes)
{
    halo_balance_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_balance_options");
    HALO_IF_OK(status, create_local(out, world, &options));
    status = halo_agree(world, status);
    if (status != HALO_OK) {
        halo_balancing_destroy(out);
        return status;
    }
    halo_balancing *balancing = *out;
    balancing->begun = halo_seconds();
    balancing->end = -1;
    halo_balancing_begin_cadence(balancing);
    for (int i = 0; i < RECENT; i++) {
        balancing->recent[i] = INFINITY;
    }
    return HALO_OK;
}

void halo_balancing_destroy(halo_balancing **out)
{
    halo_balancing *balancing = *out;
    if (balancing == NULL) {
        return;
    }
    if (balancing->step != PLAN_NONE) { /* all ranks have begun it, so that it comes to an end */
        halo_wait(balancing->world, 1, &balancing->request);
    }
    for (int axis = 0; balancing->balancer != NULL && axis < HALO_AXES; axis++) {
        balancing->balancer->destroy(&balancing->states[axis]);
    }
    halo_link_probe_destroy(&balancing->probe);
    free(balancing->packets);
    free(balancing->loads);
    free(balancing->seconds);
    free(balancing->before);
    free(balancing);
    *out = NULL;
}

void halo_balancing_set_left(halo_balancing *balancing, int64_t beats)
{
    balancing->end = beats >= 0 ? halo_world_beats(balancing->world) + beats : -1;
}

/* Until its end, if that is known, or else the run's. */
static int64_t beats_left(const halo_balancing *balancing, const halo_balance_query *query)
{
    return balancing->end >= 0 ? halo_max(0, balancing->end - halo_world_beats(balancing->world))
                               : query->beats_left;
}

bool halo_balancing_is_planning(const halo_balancing *balancing)
{
    return balancing != NULL && balancing->step != PLAN_NONE;
}

bool halo_balancing_take(halo_balancing *balancing, bool overdue, halo_row_cost *row_cost,
                         halo_measured *measured)
{
    if (halo_balancing_is_planning(balancing)) {
        return true;
    }
    bool due = balancing != NULL && halo_world_ranks(balancing->world) > 1 &&
               (overdue || halo_world_beats(balancing->world) >= balancing->cadence.next) &&
               halo_row_cost_has_measured(row_cost);
    if (due) {
        halo_row_cost_take(row_cost, measured);
    }
    return due;
}

/* ---- planning -------------------------------------------------------------------------------- */

/* FNV-1a, of the cuts. */
static int64_t digest(const int64_t *cuts, int parts)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int p = 0; p <= parts; p++) {
        hash = (hash ^ (uint64_t)cuts[p]) * UINT64_C(0x100000001b3);
    }
    return (int64_t)(hash >> 2);
}

/* Has everyone planned, and planned the same? */
static halo_status begin_to_agree(halo_balancing *balancing, int parts)
{
    int64_t sum = balancing->status == HALO_OK ? digest(balancing->planned, parts) : 0;
    balancing->checks[0] = balancing->status != HALO_OK;
    balancing->checks[1] = sum;
    balancing->checks[2] = -sum;
    return halo_iallreduce(balancing->world, balancing->checks, balancing->largest, 3,
                           HALO_REDUCE_MAX, &balancing->request);
}

/* Machines that round differently might not have planned the same: then the first rank's plan
 * holds. */
static halo_status agree(halo_balancing *balancing, int parts)
{
    HALO_TRY(halo_wait(balancing->world, 1, &balancing->request));
    if (balancing->largest[0] != 0) {
        return halo_agree(balancing->world, balancing->status);
    }
    return balancing->largest[1] == -balancing->largest[2]
               ? HALO_OK
               : halo_bcast(balancing->world, balancing->planned,
                            ((size_t)parts + 1) * sizeof *balancing->planned, 0);
}

static void notify(halo_balancing *balancing, const halo_balance_query *query,
                   const halo_decision *decision, const int64_t *planned)
{
    if (balancing->options.notify == NULL) {
        return;
    }
    halo_balance_event event = {.beat = halo_world_beats(balancing->world),
                                .seconds = halo_seconds() - balancing->begun,
                                .decision = *decision,
                                .axis = query->axis,
                                .parts = query->partition->parts[query->axis],
                                .before = query->partition->cuts[query->axis],
                                .after = planned,
                                .seconds_a_beat = balancing->part_seconds,
                                .imbalance = balancing->report.imbalance,
                                .move_seconds = balancing->last_move_seconds};
    balancing->options.notify(balancing->options.context, &event);
}

/* Before anything has moved, a guess: at the speed of the slowest link, or of memory. */
static double price_of_row(const halo_balancing *balancing, const halo_balance_query *query)
{
    double bytes_per_second = 5e9;
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        double link = balancing->packets[r].bytes_per_second;
        bytes_per_second = link > 0 ? fmin(link, bytes_per_second) : bytes_per_second;
    }
    return balancing->seconds_per_row > 0 ? balancing->seconds_per_row
                                          : query->row_bytes / bytes_per_second;
}

/* After a plan. */
static void conclude(halo_balancing *balancing, const halo_balance_query *query)
{
    halo_balance_report *report = &balancing->report;
    const halo_partition *partition = query->partition;
    int64_t rows = halo_cuts_moved(partition->cuts[query->axis], balancing->planned,
                                   partition->parts[query->axis]);
    report->imbalance = halo_load_imbalance(balancing->seconds, halo_world_ranks(balancing->world));
    report->moves += rows > 0;
    report->rows_moved += rows;
    balancing->recent[report->plans++ % RECENT] = balancing->plan_seconds;
    notify(balancing, query, &balancing->decision, balancing->planned);
}

int halo_balancing_axis(halo_balancing *balancing, const halo_partition *partition)
{
    if (balancing->step != PLAN_NONE) {
        return balancing->axis;
    }
    do {
        balancing->turn = (balancing->turn + 1) % HALO_AXES;
    } while (balancing->turn > 0 && partition->parts[balancing->turn] == 1);
    return balancing->turn;
}

/* Seconds that a move costs whatever its size: planning, and a number of messages of which each has
 * to arrive before the next is sent. */
static double fixed_price(const halo_balancing *balancing)
{
    enum { MESSAGES = 10 };
    return halo_balancing_longest_plan(balancing) + MESSAGES * halo_balancing_latency(balancing);
}

/* Plan new cuts of the query's axis into `planned`. Local, once loads are gathered. */
static halo_status plan_cuts(halo_balancing *balancing, const halo_balance_query *query)
{
    int axis = query->axis, parts = query->partition->parts[axis];
    halo_decision *decision = &balancing->decision;
    halo_balance_input input = {.loads = balancing->loads,
                                .ranks = parts,
                                .min_rows = query->min_rows,
                                .beats_left = beats_left(balancing, query),
                                .beats_a_plan = balancing->beats,
                                .move_seconds_per_row = price_of_row(balancing, query),
                                .move_seconds_fixed = fixed_price(balancing),
                                .cuts = query->partition->cuts[axis],
                                .may_empty = true};
    HALO_TRY(
        balancing->balancer->plan(balancing->states[axis], &input, balancing->planned, decision));
    if (halo_cuts_check_depth(balancing->planned, parts, (int)query->min_rows) != HALO_OK) {
        /* With too few rows for all ranks a balancer may plan lower strips than halos take. */
        halo_decision_keep(decision, HALO_REASON_BEST, &input, balancing->planned);
    }
    return HALO_OK;
}

static halo_status begin(halo_balancing *balancing, const halo_balance_query *query)
{
    int axis = query->axis, parts = query->partition->parts[axis];
    memcpy(balancing->before, query->partition->cuts[axis],
           ((size_t)parts + 1) * sizeof *balancing->before);
    balancing->axis = axis;
    balancing->parts = parts;
    balancing->beats = halo_world_beats(balancing->world) - balancing->cadence.last;
    balancing->plan_seconds = 0;
    balancing->step = PLAN_GATHERS;
    HALO_TRY(halo_balancing_begin_gather(balancing, query));
    balancing->cadence.begun = halo_seconds();
    balancing->cadence.last = halo_world_beats(balancing->world);
    return HALO_OK;
}

static halo_status gathered(halo_balancing *balancing, const halo_balance_query *query)
{
    HALO_TRY(halo_balancing_end_gather(balancing, query));
    balancing->decision = (halo_decision){0};
    /* A one-shot plan has no later measurement: it is made now. */
    if (query->at_once || halo_balancing_knows_enough(balancing)) {
        balancing->status = plan_cuts(balancing, query);
    } else {
        balancing->status = HALO_OK;
        balancing->decision.reason = HALO_REASON_EARLY;
        memcpy(balancing->planned, balancing->before,
               ((size_t)balancing->parts + 1) * sizeof *balancing->before);
    }
    halo_balancing_schedule(balancing);
    balancing->step = PLAN_AGREES;
    return begin_to_agree(balancing, query->partition->parts[query->axis]);
}

static halo_status agreed(halo_balancing *balancing, const halo_balance_query *query)
{
    int parts = query->partition->parts[query->axis];
    balancing->step = PLAN_NONE;
    HALO_TRY(agree(balancing, parts));
    if (halo_cuts_check_depth(balancing->planned, parts, (int)query->min_rows) != HALO_OK) {
        /* Halos have become deeper since. */
        balancing->decision.reason = HALO_REASON_BEST;
        memcpy(balancing->planned, balancing->before,
               ((size_t)parts + 1) * sizeof *balancing->before);
    }
    return HALO_OK;
}

/* One of the three steps. A failure ends the plan. */
static halo_status take_step(halo_balancing *balancing, const halo_balance_query *query,
                             halo_clock *clock)
{
    static halo_status (*const steps[])(halo_balancing *,
                                        const halo_balance_query *) = {begin, gathered, agreed};
    halo_stretch stretch = halo_clock_begin(balancing->world);
    halo_status status = steps[balancing->step](balancing, query);
    double seconds = halo_clock_end(clock, HALO_PHASE_BALANCE, stretch, balancing->world);
    balancing->plan_seconds += seconds;
    balancing->report.plan_seconds += seconds;
    if (status != HALO_OK) {
        balancing->step = PLAN_NONE;
    }
    return status;
}

/* Are the cuts still those that the plan was begun for? The same on all ranks. */
static bool is_for(const halo_balancing *balancing, const halo_partition *partition)
{
    const int64_t *cuts = partition->cuts[balancing->axis];
    int parts = partition->parts[balancing->axis];
    return balancing->parts == parts &&
           memcmp(balancing->before, cuts, ((size_t)parts + 1) * sizeof *cuts) == 0;
}

/* The cost of a row is that on the busiest rank, in the mean of the last moves: what a move takes
 * varies, and what is planned should not jump with it. */
static halo_status learn_price(halo_balancing *balancing, int parts, double seconds, double bytes)
{
    static const double nanoseconds = 1e9, weight = .25;
    int64_t longest = (int64_t)(seconds * nanoseconds);
    HALO_TRY(halo_allreduce_max(balancing->world, &longest, 1));
    int64_t busiest = halo_cuts_busiest(balancing->before, balancing->planned, parts);
    balancing->last_move_seconds = (double)longest / nanoseconds;
    if (busiest > 0) {
        double of_rows = balancing->last_move_seconds - fixed_price(balancing);
        double measured = fmax(of_rows, 0) / (double)busiest;
        double known = balancing->seconds_per_row;
        balancing->seconds_per_row = known > 0 ? known + weight * (measured - known) : measured;
    }
    balancing->report.move_seconds += seconds;
    balancing->report.bytes_moved += bytes;
    return HALO_OK;
}

halo_status halo_balancing_rebalance(halo_balancing *balancing, const halo_balance_query *query,
                                     halo_clock *clock, halo_balance_move *move, void *context)
{
    int axis = query->axis, parts = query->partition->parts[axis];
    bool at_once = query->at_once || balancing->options.every > 0;
    if (balancing->step != PLAN_NONE && !is_for(balancing, query->partition)) {
        balancing->step = PLAN_NONE;
        return halo_wait(balancing->world, 1, &balancing->request);
    }
    do {
        HALO_TRY(take_step(balancing, query, clock));
    } while (at_once && balancing->step != PLAN_NONE);
    if (balancing->step != PLAN_NONE) {
        return HALO_OK;
    }
    conclude(balancing, query);
    size_t size = ((size_t)parts + 1) * sizeof *balancing->before;
    if (memcmp(balancing->before, balancing->planned, size) == 0) {
        return HALO_OK;
    }
    double begun = halo_seconds(), bytes = 0;
    halo_partition planned = *query->partition;
    planned.cuts[axis] = balancing->planned;
    HALO_TRY(move(context, &planned, balancing->options.migrate, &bytes));
    return learn_price(balancing, parts, halo_seconds() - begun, bytes);
}

void halo_balancing_get_report_sized(const halo_balancing *balancing, halo_balance_report *report,
                                     size_t report_bytes)
{
    halo_balance_report own = balancing->report;
    for (int end = 0; end < HALO_ENDS; end++) {
        own.links[end] = halo_link_probe_link(balancing->probe, end);
    }
    halo_report_give(report, report_bytes, &own, sizeof own);
}
