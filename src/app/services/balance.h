#ifndef HALOBEAT_APP_SERVICES_BALANCE_H
#define HALOBEAT_APP_SERVICES_BALANCE_H

#include "app/options/shared_options.h"
#include "app/services/decisions.h"
#include "core/balance/balancing.h"
#include "core/world/os_noise.h"
#include "core/world/slowdown.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Balancing of a command: created before its work, reported in its summary. */

enum { IMBALANCE_DIAGNOSIS_TEXT = 192 };

/* Report of one rank at the end of the command. */
typedef struct {
    char diagnosis[IMBALANCE_DIAGNOSIS_TEXT]; /* why it was slow, as far as Linux tells; or empty */
    halo_os_noise spent; /* differences over the command's time; negative: unknown */
    halo_link links[HALO_ENDS];
    double bytes_moved; /* sent to other ranks */
} balance_line;

typedef struct app_balance {
    halo_world *world;
    const balance_arguments *arguments;
    halo_slowdown *slowdown;
    halo_balancing *balancing; /* NULL: cuts do not move */
    bool explains; /* what made ranks slow: their counters are read at the beginning and the end */
    halo_os_noise before;
    balance_line *lines; /* [ranks], on rank 0, after app_balance_gather */
    int ranks;
    FILE *log; /* on rank 0, or NULL */
    bool columns, log_failed;
    app_decisions decisions; /* on rank 0 */
    int64_t first_beat;      /* first beat of the log */
} app_balance;

/* Local, before a world exists: reads slowdowns. The same on all ranks, unless only some can read a
 * file. Free it in any case. HALO_ARGUMENT, HALO_FILE, HALO_FORMAT, HALO_MEMORY. */
halo_status app_balance_create(app_balance *balance, const common_arguments *common);

/* Collective. Begins balancing; `mine` is what app_balance_create returned. */
halo_status app_balance_begin(app_balance *balance, halo_world *world, halo_status mine);

/* Local. The path of the log; NULL if there is none, or it is stderr. */
const char *app_balance_log_file(const app_balance *balance);

/* Collective. Opens the log, if there is one, after all other checks, since this replaces a file.
 * Beats are counted from `first`. A run that is `resumed` appends to the earlier log. HALO_FILE. */
halo_status app_balance_open_log(app_balance *balance, int64_t first, bool resumed);

/* Collective. Gathers the ranks' lines on rank 0 and checks that the log was written. HALO_FILE,
 * HALO_MEMORY. */
halo_status app_balance_gather(app_balance *balance);

/* Local, on rank 0, after gathering: prints lines about the ranks' links and the causes of
 * slowness; the reason why balancing was requested but no plan made, or NULL; an object for the
 * JSON summary (NULL if there is no memory). */
void app_balance_print(const app_balance *balance, bool verbose);
const char *app_balance_obstacle(const app_balance *balance);
json_t *app_balance_json(const app_balance *balance);

/* Local. Prints the causes of slowness of all ranks on stdout, empty for none. Ranks whose texts
 * differ only in numbers share a line with ranges of numbers. `lines` [ranks] begin with the text
 * and are `stride` bytes apart. */
void imbalance_diagnosis_print(const char *lines, size_t stride, int ranks);

/* Local. app_balance_end is called before the world is destroyed and keeps what the world needs;
 * app_balance_free is called after it. */
void app_balance_end(app_balance *balance);
void app_balance_free(app_balance *balance);

#endif
