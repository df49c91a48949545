#ifndef HALOBEAT_BASE_WILDCARDS_H
#define HALOBEAT_BASE_WILDCARDS_H

#include "base/memory.h"

#include <stdbool.h>

/* Patterns of file names as shells have them: *, ? and [...]. All of it is local. */

/* Is it such a pattern, and not the name of a file that is there? */
bool halo_wildcards_are_in(const char *text);

/* Append the names of all files that are like the pattern, in the order of strcoll, each with its 0
 * byte. HALO_ARGUMENT if there are none; HALO_FILE if they cannot be listed; HALO_MEMORY. */
halo_status halo_wildcards_expand(halo_buffer *names, const char *pattern);

#endif
