#ifndef HALOBEAT_APP_REPORT_H
#define HALOBEAT_APP_REPORT_H

#include "app/balance.h"
#include "app/shared_options.h"
#include "core/beat/beat.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/box.h"

#include <jansson.h>
#include <stdbool.h>

/* What the ranks of a command have to say in the end, for people and for programs. */

/* One rank's part. */
typedef struct {
    int axes;                   /* of the domain where ranks own blocks of it, 1 for strips */
    int64_t n[HALO_AXES];       /* cells along each axis that it owns */
    double phases[HALO_PHASES]; /* seconds */
    double edge_seconds;        /* of computing: cells that had to wait for halos */
    double seconds;             /* the whole job */
    int64_t peak_bytes;         /* filled in by report_create */
    int64_t beats, votes;       /* the same on all ranks */
    int64_t messages, bytes;    /* of the halo exchange */
    int64_t vote_messages, vote_steps;
} report_line;

/* All ranks together. */
typedef struct {
    halo_world *world;
    const app_balance *balance;
    const char *vote; /* the method, by name */
    int ranks;
    report_line *lines; /* [ranks], on rank 0 */
    report_line sum;    /* on rank 0: of counts and bytes; the largest of seconds and steps */
} report;

/* Collective. Bring the ranks' lines together; report_free in any case. */
halo_status report_create(report *all, app_balance *balance, const char *vote,
                          const report_line *mine);
void report_free(report *all);

/* Local. A line of what beats were reported, and what else took time; what the rank owns and the
 * seconds are the caller's to fill in. */
report_line report_line_of(const halo_beat_report *beats, const halo_clock *besides);

/* Local. Fill in what the rank owns: `n` cells along each of the domain's axes, which are cut into
 * `parts` [axes]. A box without cells has no rows. */
void report_line_own(report_line *line, int axes, const int64_t *n, const int *parts);

/* A part of the time, as people are told it. */
typedef struct {
    const char *name;
    double seconds; /* of the rank that took longest */
} report_part;

/* Local, on rank 0: lines of text on stdout. */
void report_print_seconds(const report *all, const report_part *parts, int count); /* and waiting */
void report_print_balance(const report *all, bool verbose); /* moves, and what made ranks slow */
void report_print_ranks(const report *all, bool every); /* a table; of very many only extremes */
void report_print_written(const char *const *paths, int count); /* entries may be NULL */

/* Local, on rank 0: add what every command's JSON holds; what `json` says of the same keys, those
 * within objects too, stays. `json` is handed over; returns it, or NULL if it is NULL or memory ran
 * out. */
json_t *report_add_json(const report *all, json_t *json);

/* A file's name as JSON, which is UTF-8: bytes that do not fit become question marks. */
json_t *report_json_of_name(const char *name);

/* Collective. Write `json` of rank 0, which may be NULL for want of memory and is handed over, to
 * the file `path`. */
halo_status report_save_json(halo_world *world, const char *path, json_t *json);

/* Collective. Has all that rank 0 printed gone out? */
halo_status report_flush(halo_world *world);

/* ---- shares of the time ---------------------------------------------------------------------- */

/* How fast beats were, and what the ranks' time in them went into. */

/* To be filled in down to `exchanges`; report_shares_find does the rest. */
typedef struct {
    double seconds; /* in the beats */
    double updates; /* of cells, in all beats of all ranks together */
    bool exchanges; /* cells beside others' are brought; if not, ranks tell each other only votes */

    double nanoseconds;                    /* an update, all ranks together; 0 if there was none */
    double computing, exchanging, waiting; /* shares of the ranks' time; votes are exchanged */
    double imbalance;                      /* index of load imbalance of all beats together */
} report_shares;

/* Local, on rank 0. HALO_MEMORY. */
halo_status report_shares_find(report_shares *shares, const report *all);

/* Local, on rank 0: add the shares to `json`, which may be NULL for want of memory. */
void report_shares_add_json(const report_shares *shares, json_t *json);

#endif
