#ifndef HALOBEAT_CORE_MASTER_REPEATED_WORK_H
#define HALOBEAT_CORE_MASTER_REPEATED_WORK_H

#include "core/master/master_worker.h"
#include "partition/balance/lb_lines.h"
#include "partition/balance/share_planner.h"

#include <stddef.h>

/* A computation of N equal, independent units that a master repeats with its workers, such as the
 * rows of a picture or the points of a contour, balanced as in the paper on LB1 and LB2. In each
 * beat every worker is sent a constant part, the same for all, and a proportional part, the data of
 * its units; it returns a constant and a proportional part. The measured times decide how many
 * units each rank gets in the next beat. Rank 0 is the master, and also works by default. The
 * `work` function must observe what core/master/master_worker.h says of threads. */
typedef struct halo_repeated_work halo_repeated_work;

/* Units lo to hi - 1. All data are aligned to 8 bytes; data of units begin with unit `lo`. */
typedef struct {
    int64_t lo, hi;
    const void *constant; /* [constant_out] bytes */
    const void *units;    /* [(hi - lo) * unit_out] bytes */
    void *constant_back;  /* [constant_back] bytes, output; 0 at first. A rank that gets its
                           * units in several calls gets the same bytes in each */
    void *units_back;     /* [(hi - lo) * unit_back] bytes, output */
} halo_work_part;

/* Options, the same on all ranks except what `context` points to. Zero-initialise it: 0 means the
 * default. */
typedef struct {
    int64_t units;                      /* N, at least 1 */
    size_t constant_out, constant_back; /* bytes per worker, whatever the number of units */
    size_t unit_out, unit_back;         /* bytes per unit */
    halo_status (*work)(void *context, const halo_work_part *part);
    void *context;
    const char *balancer; /* a name of HALO_SHARE_METHOD_LIST; NULL: lb2 */
    int kinds;            /* kinds of beats, whose units cost different amounts; 0: 1 */
    int reserved;         /* 0. `workers` begins at a multiple of 8, and so stays where it is: */
    halo_master_worker_options workers; /* it may grow */
} halo_repeated_work_options;

/* One beat. Pointers to data are read and written on rank 0 only. */
typedef struct {
    int kind;             /* 0 to the kinds - 1; the same on all ranks */
    bool same_constant;   /* the constant part is that of the beat before and is not sent again;
                           * the same on all ranks */
    const void *constant; /* [constant_out] bytes */
    const void *units;    /* [units * unit_out] bytes */
    void *units_back;     /* [units * unit_back] bytes, output */
    void *constants_back; /* [ranks * constant_back] bytes in rank order, output; 0 for a master
                           * that does not work */
} halo_repeated_work_beat;

/* One rank's work and times in the last beat. */
typedef struct {
    int64_t lo, hi; /* the units it had */
    halo_master_worker_time time;
    double predicted;   /* predicted seconds, from its line before the beat; 0: unknown */
    halo_lb_line after; /* predicted seconds for n units after the beat; 0: unknown */
} halo_repeated_work_load;

typedef struct {
    int64_t beats;
    double seconds;      /* seconds of the last beat until all results had arrived */
    double imbalance;    /* index of load imbalance of its finishing times, over the ranks that
                          * work */
    double plan_seconds; /* seconds of planning in all beats */
    int ranks;
    const halo_repeated_work_load *loads; /* rank 0: [ranks], of the last beat; NULL on other
                                           * ranks */
} halo_repeated_work_report;

/* Collective. Creates the computation. The world must outlive it; the caller destroys it. Every
 * rank allocates memory for all units. HALO_ARGUMENT for sizes out of range, an unknown balancer or
 * `kinds` below 0; HALO_MEMORY; the same on all ranks. */
halo_status halo_repeated_work_create_sized(halo_repeated_work **out, halo_world *world,
                                            const halo_repeated_work_options *options,
                                            size_t options_bytes);
#define halo_repeated_work_create(...) \
    halo_repeated_work_create_sized(__VA_ARGS__, sizeof(halo_repeated_work_options))

/* Local. Frees the computation and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_repeated_work_destroy(halo_repeated_work **work);

/* Collective. Does one beat. Times are added to `clock`, which may be NULL. HALO_ARGUMENT for a
 * kind out of range, what `work` returns, HALO_TRANSPORT; the same on all ranks. */
halo_status halo_repeated_work_run(halo_repeated_work *work, const halo_repeated_work_beat *beat,
                                   halo_clock *clock);

/* Local. The report, complete on rank 0 only. Valid until the next beat. */
void halo_repeated_work_get_report_sized(const halo_repeated_work *work,
                                         halo_repeated_work_report *report, size_t report_bytes);
static inline halo_repeated_work_report
halo_repeated_work_get_report(const halo_repeated_work *work)
{
    halo_repeated_work_report halo_filled;
    halo_repeated_work_get_report_sized(work, &halo_filled, sizeof(halo_repeated_work_report));
    return halo_filled;
}

#endif
