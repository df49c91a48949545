#ifndef HALOBEAT_APP_REPORT_H
#define HALOBEAT_APP_REPORT_H

#include "app/balance.h"
#include "app/shared_options.h"
#include "base/memory.h"
#include "core/beat/beat.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/box.h"

#include <jansson.h>
#include <stdbool.h>

/* What the ranks of a command measured, gathered when the work is done: for the summary (summary.c)
 * and JSON. */

/* One rank's part. */
typedef struct {
    int axes;                   /* of the domain where ranks own blocks of it, 1 for strips */
    int64_t n[HALO_AXES];       /* cells along each axis that it owns */
    double phases[HALO_PHASES]; /* seconds */
    double seconds;             /* the whole job */
    int64_t peak_bytes;         /* filled in by report_create */
    halo_beat_report beats;     /* its clock is not used: `phases` has its seconds */
} report_line;

/* All ranks together. */
typedef struct {
    halo_world *world;
    const app_balance *balance;
    const char *vote; /* the method, by name */
    int ranks;
    report_line *lines; /* [ranks], on rank 0 */
    report_line sum;    /* on rank 0: sums of counts and bytes; maxima of seconds and steps */
} report;

/* Collective. Gather the ranks' lines; report_free (local) in any case. HALO_MEMORY, HALO_MPI. */
halo_status report_create(report *all, app_balance *balance, const char *vote,
                          const report_line *mine);
void report_free(report *all);

/* The same of one of many images: nothing of balancing and memory. */
halo_status report_create_small(report *all, halo_world *world, const char *vote,
                                const report_line *mine);

/* Local. A line of what beats were reported, what else took time, and what the rank owns: `n` cells
 * along each of the domain's axes, which are cut into `parts` [axes], or NULL, strips. A box
 * without cells has no rows. Its seconds are the caller's to fill in. */
report_line report_line_of(const halo_beat_report *beats, const halo_clock *besides, int axes,
                           const int64_t *n, const int *parts);

/* Local, on rank 0: add what every command's JSON holds to `json`; what it has under the same keys,
 * those within objects too, stays. False for want of memory. */
bool report_add_json(const report *all, json_t *json);

/* Collective. Write rank 0's text to the file `path`, if making it went well there. */
halo_status report_save_text(halo_world *world, const char *path, halo_status made,
                             const halo_buffer *text);

/* Collective. Write `json` of rank 0, which may be NULL for want of memory and is handed over, to
 * the file `path`. */
halo_status report_save_json(halo_world *world, const char *path, json_t *json);

/* Collective. Has all that rank 0 printed gone out? */
halo_status report_flush(halo_world *world);

/* How fast beats were, and what the ranks' time in them went into. */
typedef struct {
    double nanoseconds;                    /* an update, all ranks together; 0 if there was none */
    double computing, exchanging, waiting; /* shares of the ranks' time; votes are exchanged */
    double imbalance;                      /* index of load imbalance of all beats together */
} report_shares;

/* Local, on rank 0. Of beats that took `seconds` and made `updates` updates of cells on all ranks
 * together. HALO_MEMORY. */
halo_status report_shares_find(const report *all, double seconds, double updates,
                               report_shares *shares);

#endif
