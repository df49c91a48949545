#define HDF5_LIBRARY_OWN_NAMES
#include "io/image/hdf5_library.h"

#ifdef HALOBEAT_HDF5

#ifdef HALOBEAT_HDF5_LIBRARY

#include <dlfcn.h>
#include <string.h>

hdf5_library halo_hdf5;

static void *library; /* stays until the program ends */

/* C has no conversion from void * to a pointer to a function; POSIX wants them to be alike. */
static bool find(void *pointer, const char *name)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}

static bool find_all(void)
{
    bool there = true;
#define FIND(name) there = find(&halo_hdf5.name, #name) && there;
    HDF5_FUNCTIONS(FIND)
    HDF5_VARIABLES(FIND)
#undef FIND
    return there;
}

halo_status halo_hdf5_load(const char *path)
{
    if (library != NULL) {
        return HALO_OK;
    }
    /* By its name, as the loader of programs would; or else where it was when this was built. */
    library = dlopen(HALOBEAT_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        library = dlopen(HALOBEAT_HDF5_FILE, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) {
        return halo_fail(HALO_FORMAT,
                         "%s: HDF5 files need the library " HALOBEAT_HDF5_LIBRARY
                         ", which is not on this machine; install libhdf5, or save the data set "
                         "as .npy",
                         path);
    }
    if (!find_all()) {
        dlclose(library);
        library = NULL;
        return halo_fail(HALO_FORMAT,
                         "%s: HDF5 files need another version of " HALOBEAT_HDF5_LIBRARY
                         " than the one on this machine; build halobeat again, or save the data "
                         "set as .npy",
                         path);
    }
    return HALO_OK;
}

#else

halo_status halo_hdf5_load(const char *path)
{
    (void)path;
    return HALO_OK;
}

#endif

#endif
