#include "core/balance/balancing_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/migrate.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "partition/balance/decision.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share of the computing time that planning may cost. */
static const double allowed = .005;

/* Seconds between plans, at least: at first, and later. Slices of time that an operating system
 * gives out tell nothing of a rank, and virtual machines may be held up for tens of milliseconds; a
 * plan also leaves a cold cache behind, which costs more than the plan. */
static const double shortest = .005, usual = .05;

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
    HALO_TRY(halo_link_probe_create(&balancing->probe, world));
    return create_balancer(balancing, options->balancer != NULL ? options->balancer : "chain");
}

halo_status halo_balancing_create(halo_balancing **out, halo_world *world,
                                  const halo_balance_options *options)
{
    static const halo_balance_options defaults;
    *out = NULL;
    options = options != NULL ? options : &defaults;
    halo_status status = halo_agree(world, create_local(out, world, options));
    if (status != HALO_OK) {
        halo_balancing_destroy(out);
        return status;
    }
    halo_balancing *balancing = *out;
    balancing->begun = halo_seconds();
    balancing->urgent = FIRST_PLANS;
    balancing->end = -1;
    balancing->last = halo_world_beats(world);
    balancing->next = balancing->last + halo_max(1, options->every);
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
static int64_t beats_left(const halo_balancing *balancing, const halo_balance_question *question)
{
    return balancing->end >= 0 ? halo_max(0, balancing->end - halo_world_beats(balancing->world))
                               : question->beats_left;
}

bool halo_balancing_take(const halo_balancing *balancing, halo_row_cost *row_cost,
                         halo_measured *measured)
{
    bool due = balancing != NULL && halo_world_ranks(balancing->world) > 1 &&
               halo_world_beats(balancing->world) >= balancing->next &&
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

/* Has everyone planned, and planned the same? Machines that round differently might not have: then
 * the first rank's plan holds. */
static halo_status agree_on_plan(halo_balancing *balancing, halo_status mine, int64_t *planned,
                                 int parts)
{
    int64_t sum = mine == HALO_OK ? digest(planned, parts) : 0;
    int64_t largest[] = {mine != HALO_OK, sum, -sum};
    HALO_TRY(halo_allreduce_max(balancing->world, largest, 3));
    if (largest[0] != 0) {
        return halo_agree(balancing->world, mine);
    }
    return largest[1] == -largest[2]
               ? HALO_OK
               : halo_bcast(balancing->world, planned, ((size_t)parts + 1) * sizeof *planned, 0);
}

static void tell(halo_balancing *balancing, const halo_balance_question *question,
                 const halo_decision *decision, const int64_t *planned)
{
    if (balancing->options.tell == NULL) {
        return;
    }
    halo_balance_event event = {.beat = halo_world_beats(balancing->world),
                                .seconds = halo_seconds() - balancing->begun,
                                .decision = *decision,
                                .axis = question->axis,
                                .parts = question->partition->parts[question->axis],
                                .before = question->partition->cuts[question->axis],
                                .after = planned,
                                .seconds_a_beat = balancing->part_seconds,
                                .imbalance = balancing->report.imbalance,
                                .move_seconds = balancing->last_move_seconds};
    balancing->options.tell(balancing->options.context, &event);
}

/* Before anything has moved, a guess: at the speed of the slowest link, or of memory. */
static double price_of_row(const halo_balancing *balancing, const halo_balance_question *question)
{
    double bytes_per_second = 5e9;
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        double link = balancing->packets[r].bytes_per_second;
        bytes_per_second = link > 0 ? fmin(link, bytes_per_second) : bytes_per_second;
    }
    return balancing->seconds_per_row > 0 ? balancing->seconds_per_row
                                          : question->row_bytes / bytes_per_second;
}

/* What a plan takes on the slowest rank; and any move, however few its rows: it is agreed on by
 * about as many messages. */
static double longest_plan(const halo_balancing *balancing)
{
    double longest = 0;
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        longest = fmax(longest, balancing->packets[r].overhead);
    }
    return longest;
}

/* The next plan is due when enough has been measured, and it costs little compared with what is
 * computed until then. */
static void schedule(halo_balancing *balancing)
{
    double longest = 0;
    for (int r = 0; r < halo_world_ranks(balancing->world); r++) {
        longest = fmax(longest, balancing->seconds[r]);
    }
    double wanted =
        balancing->urgent > 0 ? shortest : fmax(usual, longest_plan(balancing) / allowed);
    double beats = longest > 0 ? ceil(wanted / longest) : 1;
    int64_t chosen = beats < (double)INT_MAX ? (int64_t)fmax(beats, 1) : INT_MAX;
    balancing->urgent -= balancing->urgent > 0;
    balancing->next = halo_world_beats(balancing->world) +
                      (balancing->options.every > 0 ? balancing->options.every : chosen);
}

/* After a plan that began at `begun`. */
static void conclude(halo_balancing *balancing, const halo_balance_question *question,
                     const int64_t *planned, double begun)
{
    halo_balance_report *report = &balancing->report;
    const halo_partition *partition = question->partition;
    int64_t rows =
        halo_cuts_moved(partition->cuts[question->axis], planned, partition->parts[question->axis]);
    report->imbalance = halo_load_imbalance(balancing->seconds, halo_world_ranks(balancing->world));
    report->moves += rows > 0;
    report->rows_moved += rows;
    schedule(balancing);
    balancing->last = halo_world_beats(balancing->world);
    balancing->recent[report->plans++ % RECENT] = halo_seconds() - begun;
    report->plan_seconds += halo_seconds() - begun;
}

int halo_balancing_axis(halo_balancing *balancing, const halo_partition *partition)
{
    do {
        balancing->turn = (balancing->turn + 1) % HALO_AXES;
    } while (balancing->turn > 0 && partition->parts[balancing->turn] == 1);
    return balancing->turn;
}

/* Of the axis in question, into `planned`. */
static halo_status plan(halo_balancing *balancing, const halo_balance_question *question)
{
    int axis = question->axis, parts = question->partition->parts[axis];
    int64_t *planned = balancing->planned;
    double begun = halo_seconds();
    HALO_TRY(halo_balancing_gather(balancing, question));
    halo_balance_input input = {.loads = balancing->loads,
                                .ranks = parts,
                                .least_rows = question->least_rows,
                                .beats_left = beats_left(balancing, question),
                                .beats_a_plan =
                                    halo_world_beats(balancing->world) - balancing->last,
                                .move_seconds_per_row = price_of_row(balancing, question),
                                .move_seconds_fixed = longest_plan(balancing),
                                .cuts = question->partition->cuts[axis],
                                .may_empty = true};
    halo_decision decision = {0};
    halo_status status =
        balancing->balancer->plan(balancing->states[axis], &input, planned, &decision);
    if (status == HALO_OK &&
        halo_cuts_check_depth(planned, parts, (int)question->least_rows) != HALO_OK) {
        /* With too few rows for all ranks a balancer may plan lower strips than halos take. */
        halo_decision_keep(&decision, HALO_REASON_BEST, &input, planned);
    }
    HALO_TRY(agree_on_plan(balancing, status, planned, parts));
    conclude(balancing, question, planned, begun);
    tell(balancing, question, &decision, planned);
    return HALO_OK;
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
        double of_rows = balancing->last_move_seconds - longest_plan(balancing);
        double measured = fmax(of_rows, 0) / (double)busiest;
        double known = balancing->seconds_per_row;
        balancing->seconds_per_row = known > 0 ? known + weight * (measured - known) : measured;
    }
    balancing->report.move_seconds += seconds;
    balancing->report.bytes_moved += bytes;
    return HALO_OK;
}

halo_status halo_balancing_rebalance(halo_balancing *balancing,
                                     const halo_balance_question *question, halo_clock *clock,
                                     halo_balance_move *move, void *context)
{
    int axis = question->axis, parts = question->partition->parts[axis];
    size_t size = ((size_t)parts + 1) * sizeof *balancing->before;
    halo_stretch stretch = halo_clock_begin(balancing->world);
    halo_status status = plan(balancing, question);
    halo_clock_end(clock, HALO_PHASE_BALANCE, stretch, balancing->world);
    HALO_TRY(status);
    memcpy(balancing->before, question->partition->cuts[axis], size);
    if (memcmp(balancing->before, balancing->planned, size) == 0) {
        return HALO_OK;
    }
    double begun = halo_seconds(), bytes = 0;
    halo_partition planned = *question->partition;
    planned.cuts[axis] = balancing->planned;
    HALO_TRY(move(context, &planned, balancing->options.migrate, &bytes));
    return learn_price(balancing, parts, halo_seconds() - begun, bytes);
}

halo_balance_report halo_balancing_report(const halo_balancing *balancing)
{
    halo_balance_report report = balancing->report;
    for (int end = 0; end < HALO_ENDS; end++) {
        report.links[end] = halo_link_probe_link(balancing->probe, end);
    }
    return report;
}
