#include "cli/run/kernels.h"

#include "kernels/heat/heat.h"

#include <stddef.h>

const halo_kernel *const run_kernels[] = {
#define KERNEL_ENTRY(table) &table,
    RUN_KERNEL_LIST(KERNEL_ENTRY)
#undef KERNEL_ENTRY
        NULL};
