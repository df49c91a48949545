#ifndef HALOBEAT_APP_REPORT_REPORT_H
#define HALOBEAT_APP_REPORT_REPORT_H

#include "app/options/shared_options.h"
#include "base/memory.h"
#include "core/beat/beat.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/cuts.h"

#include <jansson.h>
#include <stdbool.h>

/* Measurements of all ranks, gathered at the end of a command for the summary (summary.c) and
 * JSON. */

/* Measurements of one rank. */
typedef struct report_line {
    int axes;                   /* axes of the domain if ranks own blocks, 1 for strips */
    int64_t n[HALO_AXES];       /* owned cells along each axis */
    double phases[HALO_PHASES]; /* seconds */
    double seconds;             /* of the whole job */
    int64_t peak_bytes;         /* of its process; of ranks of one process, rank 0 has it */
    int64_t data_bytes;         /* at most at a time; both are set by report_create */
    halo_beat_report beats;     /* without its clock, which is in `phases` */
} report_line;

/* All ranks. */
typedef struct report {
    halo_world *world;
    const char *vote; /* name of the method */
    int ranks;
    report_line *lines; /* [ranks], on rank 0 */
    report_line sum;    /* on rank 0: sums of counts and bytes; maxima of seconds, steps, data */
} report;

/* Collective. Gathers the ranks' lines; call report_free (local) in any case. HALO_MEMORY,
 * HALO_TRANSPORT. */
halo_status report_create(report *all, halo_world *world, const char *vote,
                          const report_line *mine);
void report_free(report *all);

/* As report_create for one of many images, without memory. */
halo_status report_create_small(report *all, halo_world *world, const char *vote,
                                const report_line *mine);

/* Local. A line from the report of beats, times of other work in `besides`, and the owned cells:
 * `n` along each axis of the domain, which is cut into `parts` [axes], or NULL for strips. A box
 * without cells has no rows. The caller sets `seconds`. */
report_line report_line_of(const halo_beat_report *beats, const halo_clock *besides, int axes,
                           const int64_t *n, const int *parts);

/* Local. The line of a rank that has a strip, and no beats. */
report_line report_line_of_strip(const halo_world *world, const halo_clock *clock, int axes,
                                 const halo_partition *strips);

/* Local, on rank 0: adds what every command reports to `json`, without replacing existing keys,
 * also within objects. False if there is no memory. */
bool report_add_json(const report *all, json_t *json);

/* Collective. Writes rank 0's text to the file `path`, if `made` is HALO_OK there. */
halo_status report_save_text(halo_world *world, const char *path, halo_status made,
                             const halo_buffer *text);

/* Collective. Writes rank 0's `json`, whose reference it takes (NULL: there was no memory), to the
 * file `path`. */
halo_status report_save_json(halo_world *world, const char *path, json_t *json);

/* Collective. Flushes rank 0's standard output. HALO_FILE. */
halo_status report_flush(halo_world *world);

/* Speed of beats, and shares of the ranks' time in them. */
typedef struct {
    double nanoseconds;                    /* per update of a cell, over all ranks; 0 without
                                            * updates */
    double computing, exchanging, waiting; /* shares of the ranks' time; exchanging includes
                                            * votes */
    double imbalance;                      /* index of load imbalance over all beats */
} report_shares;

/* Local, on rank 0. For beats that took `seconds` and updated `updates` cells on all ranks
 * together. HALO_MEMORY. */
halo_status report_shares_find(const report *all, double seconds, double updates,
                               report_shares *shares);

#endif
