#include "io/library/library.h"

#include "base/loading.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
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

static halo_status fail(const halo_library *library, const char *path)
{
    const char *reason = dlerror();
    int shortage = halo_loading_shortage(reason);
    if (shortage == ENOMEM) {
        return halo_fail(HALO_MEMORY, "out of memory: %s needs %s, which cannot be loaded", path,
                         library->name);
    }
    if (shortage != 0) {
        return halo_fail(HALO_FILE, "%s: needs %s, which cannot be loaded: %s; %s", path,
                         library->name, strerror(shortage), halo_loading_remedy(shortage, ""));
    }
    return halo_fail(
        HALO_FORMAT, "%s: needs %s, which cannot be loaded (%s); install it (Debian: %s)", path,
        library->name, reason != NULL ? reason : "no reason is known", library->package);
}

/* The C library ends the process if it has no memory for the tables of a library in C++: what these
 * take is asked for before. */
static halo_status check_memory(const halo_library *library, const char *path)
{
    enum { TABLES = 1 << 16 };
    void *volatile tables = malloc(TABLES);
    bool there = tables != NULL;
    free(tables);
    return there ? HALO_OK
                 : halo_fail(HALO_MEMORY, "out of memory: %s needs %s, which cannot be loaded",
                             path, library->name);
}

static halo_status load(const halo_library *library, const char *path)
{
    HALO_TRY(check_memory(library, path));
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle != NULL && i < library->count; i++) {
        void *found = dlsym(handle, library->functions[i]);
        if (found == NULL) {
            return fail(library, path);
        }
        memcpy(member(library, i), &found, sizeof found);
    }
    return handle != NULL ? HALO_OK : fail(library, path);
}

halo_status halo_library_load(const halo_library *library, const char *path)
{
    pthread_mutex_lock(&loading);
    halo_status status = is_loaded(library) ? HALO_OK : load(library, path);
    pthread_mutex_unlock(&loading);
    return status;
}
