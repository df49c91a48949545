#ifndef HALOBEAT_BASE_PROGRAM_PATH_H
#define HALOBEAT_BASE_PROGRAM_PATH_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Find the helper programs that the library starts, and the libraries that it loads. */

/* Local. Writes the path of a helper program to `path`, of `size` bytes. It is looked for in the
 * folder $HALOBEAT_LIBEXEC if that is set; or else in libexec/halobeat beside the folder of the
 * program or shared library that has this code, or beside the folder above; or else where the
 * build would be installed. One that belongs neither to root, nor to this user, nor to the owner
 * of that program or library is passed over. HALO_FILE if there is none. */
halo_status halo_program_path(const char *name, char *path, size_t size);

/* Local. The same for a library: in $HALOBEAT_LIBDIR if that is set; or else beside this code, or
 * in the folder of libraries beside its folder. HALO_FILE if there is none. */
halo_status halo_library_path(const char *name, char *path, size_t size);

/* Local. The same without a message: the last one may be that of a failure which is to be told. */
bool halo_library_find(const char *name, char *path, size_t size);

#endif
