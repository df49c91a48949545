#ifndef HALOBEAT_APP_RANKS_RANKS_H
#define HALOBEAT_APP_RANKS_RANKS_H

#include "app/command.h"
#include "app/options/options.h"
#include "app/options/shared_options.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* The ranks of a process that no launcher has started: its threads. */

/* Local, pure. True if ranks of a command can be threads: its syntax has app_ranks_rows. */
bool app_ranks_are_threads(const app_syntax *syntax);

typedef struct {
    int count;
    bool is_requested; /* for this number, by --ranks or HALOBEAT_RANKS: no other will do */
} app_ranks;

/* Local. Chooses how many ranks there are: `requested`, of app_ranks_requested, if it is not 0;
 * else HALOBEAT_RANKS of the environment, if it is set and not empty; else the cores that this
 * process may use (base/cores.h). HALO_ARGUMENT if HALOBEAT_RANKS is not a number from 1 to
 * APP_MOST_THREADS. */
halo_status app_ranks_choose(int64_t requested, app_ranks *ranks);

/* Local. The number of ranks that the command line asks for: the value of --ranks; without it, nor
 * HALOBEAT_RANKS, the parts of --decomposition AxB. 0 if it leaves that open. */
int64_t app_ranks_requested(const app_arguments *arguments);

enum { APP_RANKS_REMEDY = 48 };

/* Local. Writes the words of a command line that start `ranks` ranks to `text`: "--ranks 4" for
 * threads, "mpiexec -n 4" for processes. Returns `text`. */
const char *app_ranks_remedy(char text[APP_RANKS_REMEDY], int64_t ranks);

/* Local. False if nobody has asked for this number of ranks: they are threads, as many as there are
 * cores. Then data that are too small for all of them are left to fewer. */
bool app_ranks_are_given(const app_run *run);

#endif
