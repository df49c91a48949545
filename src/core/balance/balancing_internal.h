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
    double overhead;                    /* seconds that a plan took, at best, lately */
    int64_t supersteps;                 /* that compute is the mean of */
    int64_t rows, block_rows, blocks;
    float row_cost[HALO_ROW_COST_BLOCKS];
} load_packet;

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
    int urgent;               /* plans to be made without regard to what they cost */
    int64_t end;              /* the beat that ends it all; negative if not known */
    int64_t last;             /* the beat after which the last plan was made */
    int64_t next;             /* the beat after which the next plan is due */
    double recent[RECENT];    /* seconds that the last plans took */
    double seconds_per_row;   /* to move */
    double last_move_seconds; /* of the rank that took longest */
    halo_balance_report report;
};

/* Collective. Gathers on all ranks what each has measured: fills in packets, loads and seconds. */
halo_status halo_balancing_gather(halo_balancing *balancing, const halo_balance_query *query);

#endif
