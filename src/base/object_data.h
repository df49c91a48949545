#ifndef HALOBEAT_BASE_OBJECT_DATA_H
#define HALOBEAT_BASE_OBJECT_DATA_H

/* Variables of shared objects that last as long as the program, and that code may write: static
 * ones, and those outside functions. Two threads that run the code share them. */

typedef enum {
    HALO_DATA_NONE,  /* there are none */
    HALO_DATA_OWN,   /* a copy of the file, loaded as well, has its own */
    HALO_DATA_UNIQUE /* all copies share some (STB_GNU_UNIQUE): C++'s in inline functions, templates
                      * and classes */
} halo_object_data;

/* Local. Looks into a shared object that this machine can load, without loading it. Thread-local
 * variables, constants, and what the loader writes do not count. HALO_DATA_OWN if the file cannot
 * be read, or has no symbols left that would tell. */
halo_object_data halo_object_data_of(const char *path);

#endif
