#ifndef HALOBEAT_CLI_RUN_OBJECT_H
#define HALOBEAT_CLI_RUN_OBJECT_H

#include "core/beat/kernel.h"

#include <stdbool.h>

/* Kernels of shared objects: their code is run, and may do what it likes. All functions are local.
 */

typedef struct {
    void *object; /* NULL: none is loaded */
    const halo_kernel *kernel;
    const char *shared; /* why threads cannot run it side by side though its table does not say so,
                         * for a sentence "kernel "X" SHARED", or NULL */
} run_object;

/* Loads the kernel that the object `path` exports. Static variables of a kernel, such as the buffer
 * of a row, were written with one rank a process in mind: with `apart`, for a rank that is a thread
 * beside others, code that has any is loaded as a copy of its own. HALO_FILE if there is no such
 * file; HALO_FORMAT if it is no shared object, exports no kernel, or one made for another version
 * of its table: the message says how to build it. HALO_MEMORY if there can be no copy,
 * HALO_FILE if that is since no more files can be open. */
halo_status run_object_load(run_object *loaded, const char *path, bool apart);

/* Accepts what was never loaded, as zero bytes. */
void run_object_unload(run_object *loaded);

#endif
