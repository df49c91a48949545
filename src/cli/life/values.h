#ifndef HALOBEAT_CLI_LIFE_VALUES_H
#define HALOBEAT_CLI_LIFE_VALUES_H

#include "app/options.h"

/* Values of `halobeat life`'s options that are more than a number or a name. Local. */

app_parse life_parse_pattern;  /* a life_pattern */
app_parse life_parse_rule;     /* a const char * */
app_parse life_parse_topology; /* a life_topology */
app_parse life_parse_size;     /* int64_t [HALO_LIFE_AXES] */
app_parse life_parse_at;       /* the same */
app_parse life_parse_view;     /* a life_view */
app_parse life_parse_scale;    /* an int */
app_parse life_parse_until;    /* an app_until */

#endif
