#define _GNU_SOURCE /* memfd_create, gettid's number */
#include "cli/run/object.h"

#include "base/loading.h"
#include "base/object_data.h"
#include "core/beat/export_check.h"
#include "core/transport/processes.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLACE = 4096 };

static halo_status check_file(const char *path)
{
    struct stat there;
    HALO_FAIL_IF(stat(path, &there) != 0, HALO_FILE, "the kernel \"%s\" cannot be loaded: %s", path,
                 strerror(errno));
    return HALO_REQUIRE(S_ISREG(there.st_mode), HALO_FILE,
                        "the kernel \"%s\" cannot be loaded: it is no file", path);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* A descriptor of a copy in memory, or -1. */
static int copy_file(const char *path)
{
    struct stat about;
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int copy = from >= 0 ? memfd_create("kernel", MFD_CLOEXEC) : -1;
    bool good = copy >= 0 && fstat(from, &about) == 0;
    for (off_t done = 0; good && done < about.st_size;) {
        ssize_t some = sendfile(copy, from, &done, (size_t)(about.st_size - done));
        good = some > 0;
        errno = some == 0 ? EIO : errno; /* it has become shorter */
    }
    int reason = errno;
    if (!good && copy >= 0) {
        close(copy);
    }
    if (from >= 0) {
        close(from);
    }
    errno = reason;
    return good ? copy : -1;
}

/* `shortage`: as of halo_loading_shortage. */
static halo_status complain_of_copy(const char *path, const char *why, int shortage)
{
    char processes[HALO_PROCESSES_REMEDY], remedy[HALO_PROCESSES_REMEDY + 32];
    snprintf(remedy, sizeof remedy, "use --ranks 1, or %s", halo_processes_remedy(processes, 0));
    return halo_fail(halo_loading_remedy(shortage, NULL) != NULL ? HALO_FILE : HALO_MEMORY,
                     "the kernel \"%s\" has static variables, so each rank that is a thread needs "
                     "a copy of it, which cannot be loaded: %s; %s",
                     path, why, halo_loading_remedy(shortage, remedy));
}

/* The loader takes two files of one name for the same: descriptors' numbers are used again, and
 * threads' numbers are not while the threads run. */
static halo_status open_copy(void **object, const char *path)
{
    char place[PLACE];
    int copy = copy_file(path);
    if (copy < 0) {
        return complain_of_copy(path, strerror(errno), errno);
    }
    snprintf(place, sizeof place, "/proc/self/task/%ld/fd/%d", (long)syscall(SYS_gettid), copy);
    *object = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    close(copy);
    if (*object != NULL) {
        return HALO_OK;
    }
    const char *why = dlerror();
    int shortage = halo_loading_shortage(why);
    return complain_of_copy(path, shortage != 0 ? strerror(shortage) : why, shortage);
}

/* ---- loading --------------------------------------------------------------------------------- */

static halo_status find_kernel(run_object *loaded, const char *path)
{
    const halo_kernel_export *found = dlsym(loaded->object, "halo_exported_kernel");
    HALO_FAIL_IF(found == NULL, HALO_FORMAT,
                 "\"%s\" exports no kernel: write HALO_KERNEL_EXPORT(its table) behind the table "
                 "in its source",
                 path);
    HALO_TRY(halo_kernel_check_export(found, path));
    loaded->kernel = found->kernel;
    return HALO_OK;
}

static halo_status load(run_object *loaded, const char *path, bool apart)
{
    char place[PLACE];
    *loaded = (run_object){0};
    HALO_TRY(check_file(path));
    /* A name without a folder would be looked for among the system's libraries. */
    snprintf(place, sizeof place, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    halo_object_data data = halo_object_data_of(place);
    if (apart && data == HALO_DATA_OWN) {
        HALO_TRY(open_copy(&loaded->object, place));
        return find_kernel(loaded, path);
    }
    loaded->object = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    const char *why = loaded->object == NULL ? dlerror() : NULL;
    HALO_FAIL_IF(loaded->object == NULL, HALO_FORMAT, "the kernel cannot be loaded: %s; %s", why,
                 halo_loading_remedy(halo_loading_shortage(why), "build it by cc -shared -fPIC"));
    loaded->shared = data == HALO_DATA_UNIQUE
                         ? "has variables of C++ that all its copies share (compile it with "
                           "-fno-gnu-unique)"
                         : NULL;
    return find_kernel(loaded, path);
}

/* One rank at a time, as the loader itself does: a copy takes up to three file descriptors until it
 * is loaded, and there may be more ranks than descriptors. */
halo_status run_object_load(run_object *loaded, const char *path, bool apart)
{
    static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&loading);
    halo_status status = load(loaded, path, apart);
    pthread_mutex_unlock(&loading);
    return status;
}

void run_object_unload(run_object *loaded)
{
    if (loaded->object != NULL) {
        dlclose(loaded->object);
    }
    *loaded = (run_object){0};
}
