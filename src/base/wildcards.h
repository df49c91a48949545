#ifndef HALOBEAT_BASE_WILDCARDS_H
#define HALOBEAT_BASE_WILDCARDS_H

#include "base/memory.h"

#include <stdbool.h>

/* Shell patterns of file names: *, ? and [...]. All functions are local. */

/* True if the text is a pattern, and not the name of an existing file. */
bool halo_wildcards_are_in(const char *text);

/* Appends the names of all files that match the pattern, sorted by strcoll, each followed by a 0
 * byte. HALO_ARGUMENT if there are none; HALO_FILE if they cannot be listed; HALO_MEMORY. */
halo_status halo_wildcards_expand(halo_buffer *names, const char *pattern);

#endif
