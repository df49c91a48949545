#ifndef HALOBEAT_APP_SERVICES_BALANCE_H
#define HALOBEAT_APP_SERVICES_BALANCE_H

#include "app/options/shared_options.h"
#include "app/services/decisions.h"
#include "app/services/service.h"
#include "core/balance/balancing.h"
#include "core/world/os_noise.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Balancing of a run: the service app_balance_service, and what others ask it. */

enum { IMBALANCE_DIAGNOSIS_TEXT = 192 };

/* Report of one rank at the end of the command. */
typedef struct {
    char diagnosis[IMBALANCE_DIAGNOSIS_TEXT]; /* why it was slow, as far as Linux tells; or empty */
    halo_os_noise spent; /* differences over the command's time; negative: unknown */
    halo_link links[HALO_ENDS];
    double bytes_moved; /* sent to other ranks */
} balance_line;

/* The options of the service. */
typedef struct {
    const char *balancer; /* "NAME[:OPTIONS]"; NULL: cuts do not move */
    int64_t every;        /* 0: chosen */
    const char *migrate;  /* NULL: auto */
    const char *log;      /* or NULL */
} balance_arguments;

extern const halo_option app_balance_rows[];

typedef struct app_balance {
    halo_world *world;
    const balance_arguments *arguments;
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

/* Local. The balancing of a run whose boundaries move, or NULL. */
halo_balancing *app_balancing_of(const app_run *run);

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

#endif
