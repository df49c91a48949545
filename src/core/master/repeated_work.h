#ifndef HALOBEAT_CORE_MASTER_REPEATED_WORK_H
#define HALOBEAT_CORE_MASTER_REPEATED_WORK_H

#include "core/master/master_worker.h"
#include "partition/balance/lb_lines.h"
#include "partition/balance/share_planner.h"

/* A computation of N equal, independent units that a master repeats with its workers, such as the
 * lines of a picture or the points of a contour, balanced as in the paper on LB1 and LB2: in each
 * beat every worker is sent a constant part, the same for all, and a proportional part, the data of
 * its units, and sends back a constant and a proportional part. What it took decides how many units
 * each rank gets in the next beat. Rank 0 is the master, and works unless told otherwise; functions
 * that work must then keep to what core/master/master_worker.h says of threads. */
typedef struct halo_repeated_work halo_repeated_work;

/* Units lo to hi - 1. All data are aligned to 8 bytes; those of units begin with unit `lo`. */
typedef struct {
    int64_t lo, hi;
    const void *constant; /* [constant_out] bytes */
    const void *units;    /* [(hi - lo) * unit_out] bytes */
    void *constant_back;  /* [constant_back] bytes to be filled, 0 at first; a rank that is given
                           * its units in pieces gets the same ones each time */
    void *units_back;     /* [(hi - lo) * unit_back] bytes to be filled */
} halo_work_part;

/* The same on all ranks, but for what `context` points to. Zero-initialised fields mean the
 * default. */
typedef struct {
    int64_t units;                      /* N, at least 1 */
    size_t constant_out, constant_back; /* bytes, whatever the units */
    size_t unit_out, unit_back;         /* bytes of each unit */
    halo_status (*work)(void *context, const halo_work_part *part);
    void *context;
    const char *balancer; /* a name of HALO_SHARE_METHOD_LIST; NULL: lb2 */
    int kinds;            /* of beats, whose units cost different amounts; 0: 1 */
    halo_master_worker_options workers;
} halo_repeated_work_options;

/* A beat. Pointers to data are rank 0's. */
typedef struct {
    int kind;             /* 0 to the kinds - 1; the same on all ranks */
    bool same_constant;   /* the constant part is that of the beat before, and is not sent again;
                           * the same on all ranks */
    const void *constant; /* [constant_out] bytes */
    const void *units;    /* [units * unit_out] bytes */
    void *units_back;     /* [units * unit_back] bytes, filled */
    void *constants_back; /* [ranks * constant_back] bytes, filled: one after the other, 0 of a
                           * master that rests */
} halo_repeated_work_beat;

/* What one rank did in the last beat. */
typedef struct {
    int64_t lo, hi; /* its units */
    halo_master_worker_time time;
    double predicted;   /* seconds, before the beat, from the line below; 0: not known */
    halo_lb_line after; /* seconds for n units, as expected after the beat; 0: not known */
} halo_repeated_work_load;

typedef struct {
    int64_t beats;
    double seconds;      /* of the last beat, until all was collected */
    double imbalance;    /* index of load imbalance of its finishing times, of ranks that work */
    double plan_seconds; /* spent on planning and learning, in all beats */
    int ranks;
    const halo_repeated_work_load *loads; /* rank 0: [ranks], of the last beat; elsewhere NULL */
} halo_repeated_work_report;

/* Collective. The world must outlive it. Every rank allocates room for all units. HALO_ARGUMENT for
 * sizes out of range, an unknown balancer or kinds below 0, HALO_MEMORY; on all ranks. */
halo_status halo_repeated_work_create(halo_repeated_work **out, halo_world *world,
                                      const halo_repeated_work_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_repeated_work_destroy(halo_repeated_work **work);

/* Collective. One beat; times go to `clock`, which may be NULL. What the work fails with, HALO_MPI,
 * on all ranks. */
halo_status halo_repeated_work_run(halo_repeated_work *work, const halo_repeated_work_beat *beat,
                                   halo_clock *clock);

/* Local. What has been done; complete on rank 0. Valid until the next beat. */
halo_repeated_work_report halo_repeated_work_get_report(const halo_repeated_work *work);

#endif
