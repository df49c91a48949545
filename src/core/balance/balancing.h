#ifndef HALOBEAT_CORE_BALANCE_BALANCING_H
#define HALOBEAT_CORE_BALANCE_BALANCING_H

#include "core/balance/link_probe.h"
#include "core/balance/row_cost.h"
#include "core/move/migrate.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/balance/balance.h"
#include "partition/cuts.h"

#include <stddef.h>

/* Balancing during a run: measured loads are gathered, every rank plans the same cuts, and a
 * callback is told of the decision. The object does not move rows itself: the heartbeat, or another
 * owner of the rows, does. It may be used for several runs. */
typedef struct halo_balancing halo_balancing;

/* One decision, whether cuts moved or not; the same on all ranks except `seconds`. */
typedef struct {
    int64_t beat;   /* beats done in the world */
    double seconds; /* since the balancing was created */
    halo_decision decision;
    int axis;              /* the axis whose cuts were planned */
    int parts;             /* parts of that axis; with strips, the number of ranks */
    const int64_t *before; /* [parts + 1] cuts; valid during the call */
    const int64_t *after;
    const double *seconds_a_beat; /* [parts] measured on the slowest rank of each part, without
                                   * waiting; valid during the call */
    double imbalance;             /* index of load imbalance (halo_load_imbalance) over all ranks */
    double move_seconds;          /* seconds of the last move before this decision, on the
                                   * slowest rank; 0 if there was none */
} halo_balance_event;

/* Options of balancing. Zero-initialise it: 0 means the default. */
typedef struct {
    const char *balancer; /* "NAME" or "NAME:OPTIONS" of HALO_BALANCER_LIST; NULL:
                           * HALO_BALANCER_DEFAULT */
    int64_t every;        /* beats between plans; 0: chosen so that planning costs less than 0.5
                           * % of the time, by how much the measurements vary, and at least every
                           * 2 seconds */
    const char *migrate;  /* a name of HALO_MIGRATE_LIST; NULL: "auto" */
    /* called on every rank after each decision; may be NULL */
    void (*notify)(void *context, const halo_balance_event *event);
    void *context;
} halo_balance_options;

/* The results of balancing so far; the same on all ranks except where noted. */
typedef struct {
    int64_t plans, moves; /* number of decisions, and of those that moved rows */
    int64_t rows_moved;
    double imbalance;    /* index measured for the last decision */
    double plan_seconds; /* seconds of gathering and planning on this rank */
    double move_seconds; /* seconds of moving on this rank */
    double bytes_moved;  /* bytes sent by this rank to others */
    halo_link links[HALO_ENDS];
} halo_balance_report;

/* Collective. Creates a balancing. `options` may be NULL; its strings must outlive the balancing.
 * The caller destroys it. HALO_ARGUMENT for an unknown balancer, option or way to migrate, or
 * `every` below 0; HALO_MEMORY. */
halo_status halo_balancing_create_sized(halo_balancing **out, halo_world *world,
                                        const halo_balance_options *options, size_t options_bytes);
#define halo_balancing_create(...) \
    halo_balancing_create_sized(__VA_ARGS__, sizeof(halo_balance_options))

/* Local. Frees the balancing and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_balancing_destroy(halo_balancing **balancing);

/* Local. True if the maximum time between plans has passed on this rank's clock. For the loop's
 * hook `overdue`. */
bool halo_balancing_is_overdue(const halo_balancing *balancing);

/* Local, the same on all ranks. True if halo_balancing_rebalance must be called now: to continue a
 * plan that has begun (*measured is then not written), or because a plan is due and there are
 * measurements. A plan is due by the count of the world's beats, or if `overdue`. Then *measured is
 * set to the cost of this rank's rows since the last plan, and measuring starts again. Always false
 * on one rank, and if `balancing` is NULL. */
bool halo_balancing_take(halo_balancing *balancing, bool overdue, halo_row_cost *row_cost,
                         halo_measured *measured);

/* Local, the same on all ranks. True while a plan has begun and is not finished. */
bool halo_balancing_is_planning(const halo_balancing *balancing);

/* Local, the same on all ranks. Sets the number of beats still to come, over all runs; the gain of
 * a move is counted over these beats. Negative: unknown. Without this call, each run counts its own
 * beats. */
void halo_balancing_set_left(halo_balancing *balancing, int64_t beats);

/* Arguments of a plan. */
typedef struct {
    int64_t beats_left; /* beats left in this run; negative if unknown */
    const halo_domain *domain;
    const halo_partition *partition; /* the current partition */
    int axis;                        /* the axis whose cuts are planned; rows are its layers */
    int64_t min_rows;                /* see halo_balance_input */
    const halo_measured *measured;   /* this rank's measurements; not read while a plan is
                                      * continued */
    double row_bytes;                /* approximate bytes that move with a row */
    size_t halo_bytes;               /* bytes of halo sent to each neighbour */
    double exchanges;                /* exchanges per beat */
    bool overlaps; /* rows are computed while halos are under way, so that links cost only the
                    * time beyond that */
    bool at_once;  /* do the whole plan, and the move, in this call: nothing is computed in
                    * between */
} halo_balance_query;

/* Local, the same on all ranks. The axis of the plan that has begun, otherwise of the next plan:
 * axes that are cut take turns. */
int halo_balancing_axis(halo_balancing *balancing, const halo_partition *partition);

/* Collective. Moves rows so that each rank owns its part of `planned`, and makes it the current
 * partition. `planned` is valid during the call and shares the cuts of other axes with the query's
 * partition. `how` is the `migrate` of the options; *bytes, 0 at first, is set to the bytes this
 * rank sent. Errors must be the same on all ranks. */
typedef halo_status halo_balance_move(void *context, const halo_partition *planned, const char *how,
                                      double *bytes);

/* Collective. Gathers loads and plans, with the same result on all ranks; then calls the `notify`
 * of the options, and `move` with `context` if the cuts change. With blocks, a part of an axis is
 * as slow as the slowest rank in it. Planning is timed as BALANCE and WAIT of `clock`; `move` times
 * itself. HALO_MEMORY, HALO_TRANSPORT and what `move` returns, on all ranks.
 *
 * Unless `at_once` or `every` is set, each call does one of three steps: begin to gather the loads;
 * plan, and begin to agree on the plan; decide. Messages travel while the next beats are computed,
 * so that plans cost almost no time on slow networks. A plan for a partition that is no longer in
 * use is dropped. */
halo_status halo_balancing_rebalance(halo_balancing *balancing, const halo_balance_query *query,
                                     halo_clock *clock, halo_balance_move *move, void *context);

/* Local. The report on plans and moves so far, with the last measurements of the links. */
void halo_balancing_get_report_sized(const halo_balancing *balancing, halo_balance_report *report,
                                     size_t report_bytes);
static inline halo_balance_report halo_balancing_get_report(const halo_balancing *balancing)
{
    halo_balance_report halo_filled;
    halo_balancing_get_report_sized(balancing, &halo_filled, sizeof(halo_balance_report));
    return halo_filled;
}

#endif
