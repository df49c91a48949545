#ifndef HALOBEAT_IO_LIBRARY_LIBRARY_H
#define HALOBEAT_IO_LIBRARY_LIBRARY_H

#include "base/status.h"

#include <stddef.h>

/* Libraries of formats are loaded when the first file needs them, and stay until the process ends:
 * libtiff and libblosc with all that they need take a millisecond to load, as long as a small
 * picture takes in all. The build needs their headers.
 *
 * A header beside this one lists the functions of one library that are used. They are members of a
 * table: of libtiff, halo_libtiff.GetField is TIFFGetField. Members are NULL until the library is
 * loaded; a reader loads it when it opens a file. */

typedef struct {
    const char *name;    /* "libtiff" */
    const char *file;    /* by which the system finds the one of this build: "libtiff.so.6" */
    const char *package; /* Debian's */
    void *table;         /* [count] pointers to functions */
    const char *const *functions; /* [count] their names */
    size_t count;
} halo_library;

/* Local; threads may call it at the same time. Fills the table, unless that was done before. `path`
 * is the file that needs it, for the message. HALO_FORMAT if the library is not there, HALO_FILE
 * if no more files can be open, HALO_MEMORY. */
halo_status halo_library_load(const halo_library *library, const char *path);

/* Declares halo_NAME and halo_NAME_library, of which LIST(X) has X(PREFIX, FUNCTION) for each
 * function PREFIXFUNCTION. */
#define HALO_LIBRARY_MEMBER(prefix, function) __typeof__(prefix##function) *function;
#define HALO_LIBRARY_DECLARE(name, LIST)        \
    typedef struct {                            \
        LIST(HALO_LIBRARY_MEMBER)               \
    } halo_##name##_functions;                  \
    extern halo_##name##_functions halo_##name; \
    extern const halo_library halo_##name##_library

#endif
