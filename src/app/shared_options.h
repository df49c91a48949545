#ifndef HALOBEAT_APP_SHARED_OPTIONS_H
#define HALOBEAT_APP_SHARED_OPTIONS_H

#include "app/balance_options.h"
#include "app/options.h"
#include "app/schedule.h"

#include <stdbool.h>

/* Options that several commands share: what they ask for, and their rows. */

/* ---- movies -----------------------------------------------------------------------------------
 */

/* A movie of a run as users ask for it. */
typedef struct {
    const char *path;          /* or NULL; belongs to argv */
    int64_t every;             /* beats from one picture to the next; 0: as many as suit */
    int64_t frames_per_second; /* 0: as many as suit */
} movie_arguments;

/* --movie, --every, --fps. Their structure is movie_arguments. */
extern const app_option app_movie_rows[];

/* ---- checkpoints ------------------------------------------------------------------------------
 */

/* Checkpoints as users ask for them. Strings belong to argv; NULL: not asked for. */
typedef struct {
    const char *checkpoint, *restore;
    int64_t every; /* beats; 0: only at the end */
} checkpoint_arguments;

/* --checkpoint, --checkpoint-every, --restore. Their structure is checkpoint_arguments. */
extern const app_option app_checkpoint_rows[];

/* Local. When checkpoints are due. */
schedule_event checkpoint_event(const checkpoint_arguments *arguments);

/* ---- decomposition and exchange ---------------------------------------------------------------
 */

/* How a user wants a grid to be cut between ranks, and its halos to be exchanged. Strings belong to
 * argv or are constants; those that were not asked for are NULL. */
typedef struct {
    const char *parts;    /* of --decomposition */
    const char *exchange; /* as in halo_exchange_options: mode, corner_way, packing */
    const char *corners;
    const char *packing;
    int64_t beats_per_exchange; /* beats an exchange lasts for; 0: auto */
} decomposition_arguments;

/* --decomposition; --halo-depth; --exchange; --corners and --packing. Their structure is
 * decomposition_arguments. */
extern const app_option app_decomposition_rows[], app_depth_rows[], app_exchange_rows[],
    app_corner_rows[];

/* The way to make messages, or the default's name. */
const char *decomposition_exchange(const decomposition_arguments *arguments);

/* ---- what every command takes -----------------------------------------------------------------
 */

/* Options that every command takes. Strings belong to argv, or are constants. */
typedef struct {
    const char *vote, *wait, *progress; /* names; "auto" where that is the default */
    const char *instructions;           /* or NULL for the best */
    const char *json;                   /* or NULL */
    bool quiet, verbose;
    balance_arguments balance;
} common_arguments;

/* The heading of options that change how a result is computed but not the result: a command's own
 * rows of that kind end its last table, below this row. */
#define APP_HOW_SECTION                                                                   \
    {                                                                                     \
        .type = APP_SECTION, .help = "How it is computed; the result is always the same:" \
    }

/* The end of the help of commands that signals can stop. */
#define APP_EXIT_STATUS                                                                      \
    "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may make 0), 2 " \
    "unusable arguments."

/* --instructions; --vote and --wait; reports. Their structure is common_arguments. */
extern const app_option app_isa_rows[], app_wait_rows[], app_report_rows[];

/* The best instructions are NULL to kernels. */
app_check app_isa_check;

/* A line that is drawn again and again would be torn by a log on the same terminal. */
app_check app_report_check;

#endif
