#ifndef HALOBEAT_APP_UNTIL_H
#define HALOBEAT_APP_UNTIL_H

#include "app/options.h"

/* What --until asks for: an end of the run before its last beat. */
typedef struct {
    bool steady;    /* when nothing changes any more */
    int64_t period; /* when all is as this many beats before; 0: not asked for */
    double share;   /* when at most this share changes in a beat; 0: not asked for */
} app_until;

/* Local. Values of --until for commands that can end so; they are stored in an app_until. The words
 * `still` and `period:N` of version 0.1 are understood, too. */
app_parse app_parse_steady;           /* steady */
app_parse app_parse_steady_or_cycle;  /* steady, cycle:N */
app_parse app_parse_steady_or_change; /* steady, change:SHARE */
app_parse app_parse_change;           /* SHARE alone: the old --stop-changed and --stop-moved */

#endif
