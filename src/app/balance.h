#ifndef HALOBEAT_APP_BALANCE_H
#define HALOBEAT_APP_BALANCE_H

#include "app/balance_options.h"
#include "app/imbalance_diagnosis.h"
#include "core/balance/balancing.h"
#include "core/world/os_noise.h"
#include "core/world/slowdown.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Balancing as a command sees it: made before its work, told of in its summary. */

/* What a rank has to tell in the end. */
typedef struct {
    char slowness[IMBALANCE_DIAGNOSIS_TEXT]; /* why it was slow, as far as Linux tells; may be empty
                                              */
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
} app_balance;

/* Local, before there is a world: ranks that are slow on purpose. The same on all ranks, but for a
 * file that only some can read. HALO_ARGUMENT, HALO_FILE, HALO_FORMAT, HALO_MEMORY. To be freed in
 * any case. */
halo_status app_balance_create(app_balance *balance, const balance_arguments *arguments);

/* Collective. Begin: `mine` is what creating came to. */
halo_status app_balance_begin(app_balance *balance, halo_world *world, halo_status mine);

/* Collective. Before any work is done: is the log none of the command's other files, `files`
 * [count] (entries may be NULL), and not the trace of loads? It would replace them. HALO_ARGUMENT.
 */
halo_status app_balance_check_log(const app_balance *balance, const char *const *files, int count);

/* Collective. Once nothing else is wrong with the command, since it replaces a file: open the log,
 * if there is one. HALO_FILE. */
halo_status app_balance_open_log(app_balance *balance);

/* Collective. What ranks have to tell; is the log whole? */
halo_status app_balance_gather(app_balance *balance);

/* Local, on rank 0, once gathered: lines on stdout, where what moves is a number of `unit`, "row"
 * or the like; an object of the JSON summary (NULL for want of memory). */
void app_balance_print(const app_balance *balance, const char *unit, bool verbose);
json_t *app_balance_json(const app_balance *balance);

/* Local. Before the world is destroyed, but for what the world itself needs; and after it. */
void app_balance_end(app_balance *balance);
void app_balance_free(app_balance *balance);

#endif
