#ifndef HALOBEAT_CORE_BALANCE_BALANCING_INTERNAL_H
#define HALOBEAT_CORE_BALANCE_BALANCING_INTERNAL_H

#include "core/balance/balancing.h"

/* Internals of balancing. */

enum {
    RECENT = 8,       /* plans whose times are kept for an estimate */
    FIRST_PLANS = 4,  /* first plans, made as soon as possible, since an uneven start costs more
                       * than planning */
    PLANS_A_LINK = 16 /* plans for which a measurement of links is used */
};

/* Every rank sends this to the others before a plan. */
typedef struct {
    double compute, noise, fixed, link; /* seconds per beat */
    double bytes_per_second;            /* of its slower link; 0: unknown */
    double latency;                     /* seconds of its slower link; 0: unknown */
    double overhead;                    /* minimum seconds of recent plans */
    double beat_seconds;                /* since the last plan, including waiting */
    int64_t supersteps;                 /* number of supersteps in the means */
    int64_t block_rows, blocks;
    float row_cost[HALO_ROW_COST_BLOCKS];
} load_packet;

/* Steps of a plan. Beats may be done between them, so that messages of the plan travel while these
 * are computed, without waiting. */
typedef enum { PLAN_NONE, PLAN_GATHERS, PLAN_AGREES } plan_step;

/* When plans are made: see cadence.c. */
typedef struct {
    double interval; /* seconds between plans required by the noise of the measurements */
    double begun;    /* time at which the last plan was begun, on this rank's clock */
    int64_t last;    /* beat after which it was begun */
    int64_t next;    /* beat after which the next plan is due */
    int urgent;      /* number of plans to be made whatever they cost */
} plan_cadence;

struct halo_balancing {
    halo_world *world;
    halo_balance_options options;
    const halo_balancer *balancer;
    void *states[HALO_AXES]; /* one per axis, since what is learnt on one does not apply to
                              * another */
    int turn;                /* the axis of the last plan */
    halo_link_probe *probe;
    load_packet *packets; /* [ranks] */
    halo_load *loads;     /* [ranks], of the parts of an axis */
    double *seconds;      /* [ranks] measured seconds per beat of the ranks */
    double *part_seconds; /* [ranks] and of the parts of the axis */
    int64_t *before;      /* [ranks + 1] present cuts of the planned axis */
    int64_t *planned;     /* [ranks + 1] planned cuts */
    double begun;
    int64_t end; /* last beat of all runs; negative: unknown */
    plan_cadence cadence;

    /* The current plan. */
    plan_step step;
    int axis, parts;      /* number of parts of the axis */
    int64_t beats;        /* since the plan before */
    load_packet mine;     /* this rank's packet while it is sent */
    halo_request request; /* of the messages under way */
    halo_status status;   /* of this rank */
    halo_decision decision;
    int64_t checks[3], largest[3]; /* to check that all ranks have the same plan; maximum over
                                    * all ranks */
    double plan_seconds;           /* so far, without waiting */

    double recent[RECENT];    /* seconds of the last plans */
    double seconds_per_row;   /* cost of a move per row */
    double last_move_seconds; /* of the slowest rank */
    halo_balance_report report;
};

/* Collective. Starts sending this rank's measurements to all ranks. */
halo_status halo_balancing_begin_gather(halo_balancing *balancing, const halo_balance_query *query);

/* Collective. Waits for the measurements and fills in packets, loads and seconds. */
halo_status halo_balancing_end_gather(halo_balancing *balancing, const halo_balance_query *query);

/* Local, after loads are gathered; the same on all ranks. The maximum over ranks, at least 0, of
 * the double of load_packet at offset `field`. */
double halo_balancing_largest(const halo_balancing *balancing, size_t field);

/* Seconds of a plan on the slowest rank, without waiting. */
double halo_balancing_longest_plan(const halo_balancing *balancing);

/* Local, after loads are gathered; the same on all ranks. Latency of the slowest link, if known. */
double halo_balancing_latency(const halo_balancing *balancing);

/* Local. Starts the cadence of plans at the present time. */
void halo_balancing_begin_cadence(halo_balancing *balancing);

/* Local, after loads are gathered; the same on all ranks. True if the measurements exceed the
 * noise, or if there are as many as there ever are between plans. */
bool halo_balancing_knows_enough(const halo_balancing *balancing);

/* Local, after loads are gathered; the same on all ranks. Sets the beat after which the next plan
 * is due. */
void halo_balancing_schedule(halo_balancing *balancing);

#endif
