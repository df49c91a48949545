#ifndef HALOBEAT_CLI_RUN_LOAD_H
#define HALOBEAT_CLI_RUN_LOAD_H

#include "base/status.h"
#include "core/beat/kernel_export.h"

/* Kernels of shared objects. Local: the object's code is run, and may do what it likes. */
typedef struct {
    void *object;
    const halo_kernel *kernel;
} run_loaded;

/* Load the kernel that the object `path` exports. HALO_FILE if there is no such file, HALO_FORMAT
 * if it is no shared object, exports no kernel, or one made for another version of its table. The
 * message says how to build it. */
halo_status run_load(run_loaded *loaded, const char *path);

/* Its functions and table are gone. Accepts what was never loaded. */
void run_unload(run_loaded *loaded);

#endif
