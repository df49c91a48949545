#ifndef HALOBEAT_CORE_BALANCE_BALANCING_INTERNAL_H
#define HALOBEAT_CORE_BALANCE_BALANCING_INTERNAL_H

#include "core/balance/balancing.h"

/* What the files of balancing share. Internal to them. */

enum {
    RECENT = 8,       /* plans whose times are kept, to know how long one takes */
    FIRST_PLANS = 4,  /* that are made at once: what begins uneven costs more than planning */
    PLANS_A_LINK = 16 /* plans for which a measurement of links holds */
};

/* What a rank sends the others before a plan. */
typedef struct {
    double compute, noise, fixed, link; /* seconds a beat */
    double bytes_per_second;            /* of its slower link; 0 if not known */
    double latency;                     /* seconds, likewise */
    double overhead;                    /* seconds that a plan took, at best, lately */
    double beat_seconds;                /* since the last plan, waiting included */
    int64_t supersteps;                 /* that compute is the mean of */
    int64_t rows, block_rows, blocks;
    float row_cost[HALO_ROW_COST_BLOCKS];
} load_packet;

/* Where a plan is. Between two steps of it beats may be done, so that its messages travel while
 * they are computed, and nobody waits for them. */
typedef enum { PLAN_NONE, PLAN_GATHERS, PLAN_AGREES } plan_step;

/* How often there are plans: see cadence.c. */
typedef struct {
    double interval; /* seconds, that the noise of what was measured asks for */
    double begun;    /* when the last plan began to be made; on this rank's clock */
    int64_t last;    /* the beat after which that was */
    int64_t next;    /* the beat after which the next one is due */
    int urgent;      /* plans to be made without regard to what they cost */
} plan_cadence;

struct halo_balancing {
    halo_world *world;
    halo_balance_options options;
    const halo_balancer *balancer;
    void *states[HALO_AXES]; /* one for each axis: what one learns says nothing of another */
    int turn;                /* the axis of the last plan */
    halo_link_probe *probe;
    load_packet *packets; /* [ranks] */
    halo_load *loads;     /* [ranks], of the parts of an axis */
    double *seconds;      /* [ranks] of a beat, measured, of the ranks */
    double *part_seconds; /* [ranks] and of the parts of an axis */
    int64_t *before;      /* [ranks + 1] cuts of the axis that is planned, as they are */
    int64_t *planned;     /* [ranks + 1] and as they are to be */
    double begun;
    int64_t end; /* the beat that ends it all; negative if not known */
    plan_cadence cadence;

    /* The plan that is being made. */
    plan_step step;
    int axis, parts;     /* of the axis */
    int64_t beats;       /* since the one before */
    load_packet mine;    /* on its way to the others */
    MPI_Request request; /* of what is on its way */
    halo_status status;  /* this rank's */
    halo_decision decision;
    int64_t checks[3], largest[3]; /* that all have planned the same; over all ranks */
    double plan_seconds;           /* so far, no waiting in it */

    double recent[RECENT];    /* seconds that the last plans took */
    double seconds_per_row;   /* to move */
    double last_move_seconds; /* of the rank that took longest */
    halo_balance_report report;
};

/* Collective. Begins to send all ranks what each has measured. */
halo_status halo_balancing_begin_gather(halo_balancing *balancing, const halo_balance_query *query);

/* Collective. Waits for that: fills in packets, loads and seconds. */
halo_status halo_balancing_end_gather(halo_balancing *balancing, const halo_balance_query *query);

/* Local, the same on all ranks once loads are gathered. The largest of all ranks, at least 0, of a
 * double of load_packet, which lies at `field`. */
double halo_balancing_largest(const halo_balancing *balancing, size_t field);

/* What a plan takes on the slowest rank, waiting left out. */
double halo_balancing_longest_plan(const halo_balancing *balancing);

/* Local. Of the slowest link, as far as is known; the same on all ranks once loads are gathered. */
double halo_balancing_latency(const halo_balancing *balancing);

/* Local. Plans begin here and now. */
void halo_balancing_begin_cadence(halo_balancing *balancing);

/* Local, the same on all ranks, once loads are gathered. Can they be told from noise, or has as
 * much been measured as ever is between plans? */
bool halo_balancing_knows_enough(const halo_balancing *balancing);

/* Local, the same on all ranks, once loads are gathered: the beat after which the next plan is due.
 */
void halo_balancing_schedule(halo_balancing *balancing);

#endif
