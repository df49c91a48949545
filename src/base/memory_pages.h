#ifndef HALOBEAT_BASE_MEMORY_PAGES_H
#define HALOBEAT_BASE_MEMORY_PAGES_H

#include <stdbool.h>

/* Which pages blocks of memory.h get. Not installed: a caller of the library could not see which of
 * its blocks follow the choice. */

/* Local. With true, blocks of 1 MiB and more that the calling thread takes from now on, rooms
 * apart, have a huge page at their end, too, if they fill half of it: a block then takes up to 1
 * MiB more, and its end is touched for the first time, and given back, about ten times as fast.
 * Returns what it was before; it is false in a new thread. */
bool halo_memory_prefer_huge(bool prefers);

#endif
