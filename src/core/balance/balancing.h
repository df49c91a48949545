#ifndef HALOBEAT_CORE_BALANCE_BALANCING_H
#define HALOBEAT_CORE_BALANCE_BALANCING_H

#include "core/balance/link_probe.h"
#include "core/balance/row_cost.h"
#include "core/move/migrate.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/balance/balance.h"
#include "partition/cuts.h"

/* Balancing as it runs: measured loads are gathered, every rank plans the same cuts, and a callback
 * is notified of the decision. It may outlive the run it balances, and go on with the next. It
 * moves nothing itself: the heartbeat does, or whoever else has rows to move. */
typedef struct halo_balancing halo_balancing;

/* One decision, moved or not; the same on all ranks but for the seconds since balancing began. */
typedef struct {
    int64_t beat;   /* of the world, done */
    double seconds; /* since balancing began */
    halo_decision decision;
    int axis;              /* whose cuts were planned */
    int parts;             /* of it; as many as ranks with strips */
    const int64_t *before; /* [parts + 1] cuts; valid during the call */
    const int64_t *after;
    const double *seconds_a_beat; /* [parts] measured on the slowest rank of each, no waiting in
                                   * them; valid during the call */
    double imbalance;             /* index of load imbalance, of all ranks */
    double move_seconds;          /* of the last move before this decision, on the rank that took
                                   * longest; 0 for none yet */
} halo_balance_event;

/* Zero-initialise it: 0 means the default. */
typedef struct {
    const char *balancer; /* "NAME" or "NAME:OPTIONS" of the balancers' list; NULL means
                           * HALO_BALANCER_DEFAULT */
    int64_t every;        /* beats between plans; 0: as often as costs less than .5 %, and as what
                           * is measured varies asks for, but at least every 2 seconds */
    const char *migrate;  /* a name of HALO_MIGRATE_LIST; NULL means "auto" */
    /* Called on every rank after each decision. */
    void (*notify)(void *context, const halo_balance_event *event);
    void *context;
} halo_balance_options;

/* What balancing has done so far; the same on all ranks but for the links. */
typedef struct {
    int64_t plans, moves; /* decisions; those that moved something */
    int64_t rows_moved;
    double imbalance;    /* measured for the last decision */
    double plan_seconds; /* gathering and planning, this rank */
    double move_seconds; /* this rank */
    double bytes_moved;  /* sent by this rank to others */
    halo_link links[HALO_ENDS];
} halo_balance_report;

/* Collective. `options` may be NULL; its strings must outlive the balancing. HALO_ARGUMENT for an
 * unknown balancer or option or way to migrate, HALO_MEMORY. */
halo_status halo_balancing_create(halo_balancing **out, halo_world *world,
                                  const halo_balance_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_balancing_destroy(halo_balancing **balancing);

/* Local. Has too much time gone by since the last plan for this rank to go by the count of beats
 * any longer? For the loop's hook `overdue`. */
bool halo_balancing_is_overdue(const halo_balancing *balancing);

/* Local, the same on all ranks. Must halo_balancing_rebalance be called now? It must to continue a
 * plan that has begun; `*measured` is then left as it is. It must, too, when a plan is due, by the
 * count of the world's beats or since a rank is `overdue`, and something has been measured. Then
 * `*measured` is what this rank's rows have cost since the last plan, and measuring begins anew.
 * Never with a single rank; nor with `balancing` NULL. */
bool halo_balancing_take(halo_balancing *balancing, bool overdue, halo_row_cost *row_cost,
                         halo_measured *measured);

/* Local, the same on all ranks. Has a plan been begun that is not finished? */
bool halo_balancing_is_planning(const halo_balancing *balancing);

/* Local, the same on all ranks. Sets how many beats are to come, over all runs: gains of later
 * beats do not count. Negative: not known. Without this call each run counts its own beats. */
void halo_balancing_set_left(halo_balancing *balancing, int64_t beats);

/* What a plan is asked for. */
typedef struct {
    int64_t beats_left; /* of this run; negative if not known */
    const halo_domain *domain;
    const halo_partition *partition; /* as it is */
    int axis;                        /* whose cuts are to be planned: rows are its layers */
    int64_t min_rows;                /* as in halo_balance_input */
    const halo_measured *measured;   /* this rank's; not read while a plan is continued */
    double row_bytes;                /* that travel with a row, about */
    size_t halo_bytes;               /* to each neighbour */
    double exchanges;                /* a beat */
    bool overlaps; /* a beat's rows are computed while they are under way: links cost only the
                    * time that they take longer */
    bool at_once;  /* all of the plan, and the move, in one call: nothing is computed between */
} halo_balance_query;

/* Local, the same on all ranks. The axis of a plan that has been begun, or else the one whose turn
 * it is: those that are cut take turns. */
int halo_balancing_axis(halo_balancing *balancing, const halo_partition *partition);

/* Collective. Moves what ranks own, so that each has its part of `planned`, and makes that the
 * partition in use; `planned` is valid during the call and shares the cuts of other axes with the
 * partition of the query. `how` is the way to migrate that the options name; *bytes, 0 before,
 * is what this rank sent to others. Errors are the same on all ranks. */
typedef halo_status halo_balance_move(void *context, const halo_partition *planned, const char *how,
                                      double *bytes);

/* Collective. Gathers the loads and plans, the same on all ranks; notifies of the decision, and
 * calls `move`, with `context`, if the cuts change. With blocks, a part of an axis is as slow as
 * the slowest rank that has a block in it. Planning is timed as BALANCE and WAIT of `clock`; `move`
 * times itself. HALO_MEMORY, HALO_MPI and what `move` returns, on all ranks.
 *
 * Unless it is to be done at once, or plans come every so many beats, a call does one step of
 * three: it begins to gather the loads, plans and begins to agree on that, or decides. What is sent
 * travels while the next beats are done, so that plans cost next to no time on slow networks, too.
 * A plan for a partition that is no more is given up. */
halo_status halo_balancing_rebalance(halo_balancing *balancing, const halo_balance_query *query,
                                     halo_clock *clock, halo_balance_move *move, void *context);

/* Local. What has been done so far, with the links as last measured. */
halo_balance_report halo_balancing_get_report(const halo_balancing *balancing);

#endif
