#ifndef HALOBEAT_PARTITION_BALANCE_OPTIONS_H
#define HALOBEAT_PARTITION_BALANCE_OPTIONS_H

#include "base/status.h"

#include <stdbool.h>

/* Options of a balancer as text: names and numbers, "m=4,alpha=.5". */

typedef struct {
    const char *name;
    double *value; /* set where the text names it, otherwise left alone */
    double least, most;
    bool whole; /* a whole number */
} halo_balance_option;

/* Local. Read `text` (NULL or empty: nothing) for `balancer`, whose name the message gives. The
 * options end with a name of NULL. HALO_ARGUMENT: an unknown name, not a number, out of range. */
halo_status halo_balance_options_read(const char *balancer, const char *text,
                                      const halo_balance_option *options);

#endif
