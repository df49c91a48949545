#ifndef HALOBEAT_CLI_RUN_KERNELS_H
#define HALOBEAT_CLI_RUN_KERNELS_H

#include "core/beat/kernel.h"

/* The kernels that `halobeat run` knows by name. */
#define RUN_KERNEL_LIST(X) \
    X(halo_heat_kernel)    \
    X(halo_heat3d_kernel)

/* Ends with NULL. */
extern const halo_kernel *const run_kernels[];

#endif
