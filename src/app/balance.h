#ifndef HALOBEAT_APP_BALANCE_H
#define HALOBEAT_APP_BALANCE_H

#include "app/decisions.h"
#include "app/shared_options.h"
#include "core/balance/balancing.h"
#include "core/world/os_noise.h"
#include "core/world/slowdown.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Balancing as a command sees it: made before its work, reported in its summary. */

enum { IMBALANCE_DIAGNOSIS_TEXT = 192 };

/* What each rank reports when the command ends. */
typedef struct {
    char diagnosis[IMBALANCE_DIAGNOSIS_TEXT]; /* why it was slow, as far as Linux knows; or empty */
    halo_os_noise spent; /* differences over the command's time; negative: not known */
    halo_link links[HALO_ENDS];
    double bytes_moved; /* sent to others */
} balance_line;

typedef struct {
    halo_world *world;
    const balance_arguments *arguments;
    halo_slowdown *slowdown;
    halo_balancing *balancing; /* NULL: boundaries stay */
    halo_os_noise before;
    balance_line *lines; /* [ranks], on rank 0, once gathered */
    int ranks;
    FILE *log; /* on rank 0, or NULL */
    bool columns, log_failed;
    app_decisions decisions; /* on rank 0 */
    int64_t first_beat;      /* what the log's beats count from */
} app_balance;

/* Local, before there is a world: ranks that are slow on purpose. The same on all ranks, but for a
 * file that only some can read. HALO_ARGUMENT, HALO_FILE, HALO_FORMAT, HALO_MEMORY. To be freed in
 * any case. */
halo_status app_balance_create(app_balance *balance, const balance_arguments *arguments);

/* Collective. Begin: `mine` is what creating came to. */
halo_status app_balance_begin(app_balance *balance, halo_world *world, halo_status mine);

/* Local. The file of the log; NULL if there is none, or it goes to stderr. */
const char *app_balance_log_file(const app_balance *balance);

/* Collective. Once nothing else is wrong with the command, since it replaces a file: open the log,
 * if there is one. Beats are counted from `first` on, before which others were done. A run that
 * is `resumed` adds to the log of the run before. HALO_FILE. */
halo_status app_balance_open_log(app_balance *balance, int64_t first, bool resumed);

/* Collective. Gather the ranks' lines on rank 0; is the log whole? HALO_FILE, HALO_MEMORY. */
halo_status app_balance_gather(app_balance *balance);

/* Local, on rank 0, once gathered: lines on stdout about the ranks' links and what made them slow;
 * why balancing was asked for but nothing planned, or NULL; an object of the JSON summary (NULL for
 * want of memory). */
void app_balance_print(const app_balance *balance, bool verbose);
const char *app_balance_obstacle(const app_balance *balance);
json_t *app_balance_json(const app_balance *balance);

/* Local. Print what made ranks slow on stdout, `text` of each, empty for nothing: ranks of which
 * the same is said, but for the numbers, share a line, in which numbers become spans. `lines`
 * [ranks] begin with the text and are `stride` bytes apart. */
void imbalance_diagnosis_print(const char *lines, size_t stride, int ranks);

/* Local. Before the world is destroyed, but for what the world itself needs; and after it. */
void app_balance_end(app_balance *balance);
void app_balance_free(app_balance *balance);

#endif
