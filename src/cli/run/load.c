#define _POSIX_C_SOURCE 200809L
#include "cli/run/load.h"

#include "base/version.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static halo_status check_file(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0) {
        return halo_fail(HALO_FILE, "the kernel \"%s\" cannot be loaded: %s", path,
                         strerror(errno));
    }
    return S_ISREG(there.st_mode)
               ? HALO_OK
               : halo_fail(HALO_FILE, "the kernel \"%s\" cannot be loaded: it is no file", path);
}

static halo_status check_export(const halo_kernel_export *found, const char *path)
{
    if (memcmp(found->mark, HALO_KERNEL_MARK, sizeof found->mark) != 0) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" has something else under the name halo_exported_kernel; export "
                         "the kernel by HALO_KERNEL_EXPORT(its table)",
                         path);
    }
    if (found->abi != HALO_KERNEL_ABI || found->sizes != HALO_KERNEL_SIZES) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" was built for another Halobeat (kernels of version %d, %d bytes) "
                         "than this one, %s (version %d, %d bytes); build it again with the "
                         "headers of this one",
                         path, (int)found->abi, (int)found->sizes, HALOBEAT_VERSION,
                         (int)HALO_KERNEL_ABI, (int)HALO_KERNEL_SIZES);
    }
    const halo_kernel *kernel = found->kernel;
    if (kernel == NULL || kernel->name == NULL || kernel->help == NULL) {
        return halo_fail(HALO_FORMAT, "\"%s\" exports a kernel without name and help; fill in both",
                         path);
    }
    return HALO_OK;
}

halo_status run_load(run_loaded *loaded, const char *path)
{
    char place[4096];
    *loaded = (run_loaded){0};
    HALO_TRY(check_file(path));
    /* A name without a folder would be looked for among the system's libraries. */
    snprintf(place, sizeof place, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    loaded->object = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (loaded->object == NULL) {
        return halo_fail(HALO_FORMAT,
                         "the kernel cannot be loaded: %s; build it by mpicc -shared -fPIC",
                         dlerror());
    }
    const halo_kernel_export *found = dlsym(loaded->object, "halo_exported_kernel");
    if (found == NULL) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" exports no kernel: write HALO_KERNEL_EXPORT(its table) behind the "
                         "table in its source",
                         path);
    }
    HALO_TRY(check_export(found, path));
    loaded->kernel = found->kernel;
    return HALO_OK;
}

void run_unload(run_loaded *loaded)
{
    if (loaded->object != NULL) {
        dlclose(loaded->object);
    }
    *loaded = (run_loaded){0};
}
