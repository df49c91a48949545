#ifndef HALOBEAT_CLI_SNAKE_VALUES_H
#define HALOBEAT_CLI_SNAKE_VALUES_H

#include "app/options.h"

/* Values of options of `halobeat snake`. All local. */

app_parse snake_parse_init;   /* one more of a snake_inits */
app_parse snake_parse_window; /* an int64_t: 3, 5 or 7 */
app_parse snake_parse_until;  /* a double: the share of points that may still move */

#endif
