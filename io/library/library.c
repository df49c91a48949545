#include "io/library/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static void *member(const halo_library *library, size_t i)
{
    return (char *)library->table + i * sizeof(void *);
}

/* Members are set in their order: the last one tells of all. */
static bool is_loaded(const halo_library *library)
{
    void *last;
    memcpy(&last, member(library, library->count - 1), sizeof last);
    return last != NULL;
}

/* NULL, or the system's reason. */
static const char *load(const halo_library *library)
{
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle != NULL && i < library->count; i++) {
        void *found = dlsym(handle, library->functions[i]);
        if (found == NULL) {
            const char *reason = dlerror();
            return reason != NULL ? reason : "a function is missing";
        }
        memcpy(member(library, i), &found, sizeof found);
    }
    return handle == NULL ? dlerror() : NULL;
}

halo_status halo_library_load(const halo_library *library, const char *path)
{
    halo_status status = HALO_OK;
    pthread_mutex_lock(&loading);
    const char *reason = is_loaded(library) ? NULL : load(library);
    if (reason != NULL) {
        status = halo_fail(HALO_FORMAT,
                           "%s: needs %s, which cannot be loaded (%s); install it (Debian: %s)",
                           path, library->name, reason, library->package);
    }
    pthread_mutex_unlock(&loading);
    return status;
}
