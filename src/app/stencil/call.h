#ifndef HALOBEAT_APP_STENCIL_CALL_H
#define HALOBEAT_APP_STENCIL_CALL_H

#include "app/common_options.h"
#include "app/stencil/options.h"

/* Find the kernel that the arguments name, on this rank; or NULL and a message. `context` is the
 * finder's. */
typedef halo_status run_find(void *context, const char *name, const halo_kernel **kernel);

/* Collective. All between argv and the exit status, with MPI running. `find` is called where
 * `program` has no kernel of its own. */
int run_call(int argc, char **argv, const run_program *program, run_find *find, void *context);

#endif
