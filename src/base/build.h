#ifndef HALOBEAT_BASE_BUILD_H
#define HALOBEAT_BASE_BUILD_H

#include <stdbool.h>

/* Identification of the build of a program or library: the beginning of the build-id that the
 * linker wrote to the file (`file` and `readelf -n` show it), or if there is none a hash of its
 * code. Two builds from the same source with the same compiler and options have the same. */

enum { HALO_BUILD_TEXT = 17 }; /* 16 digits and a 0 byte */

/* Local. The build of the program. */
void halo_build_of_program(char text[HALO_BUILD_TEXT]);

/* Local. The build of the shared object that contains this address, of a function or constant.
 * False if that is the program itself. */
bool halo_build_of_object(char text[HALO_BUILD_TEXT], const void *inside);

#endif
