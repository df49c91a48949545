#ifndef HALOBEAT_BASE_BUILD_H
#define HALOBEAT_BASE_BUILD_H

#include <stdbool.h>

/* Which build of a program or library this process runs: the beginning of the build-id that the
 * linker put into the file (`file` and `readelf -n` show it) or, where there is none, a hash of its
 * instructions. Two links of one source with the same compiler and options have the same. */

enum { HALO_BUILD_TEXT = 17 }; /* 16 digits and a zero */

/* Local. Of the program. */
void halo_build_of_program(char text[HALO_BUILD_TEXT]);

/* Local. Of the shared object that has this address, of a function or a constant. False, and no
 * text, if it is part of the program itself. */
bool halo_build_of_object(char text[HALO_BUILD_TEXT], const void *inside);

#endif
