/* As if it had been built for an earlier version of the kernel's table. */

#include "core/beat/kernel_export.h"

extern const halo_kernel_export halo_exported_kernel;
const halo_kernel_export halo_exported_kernel = {
    {'h', 'a', 'l', 'o', 'b', 'e', 'a', 't'}, HALO_KERNEL_ABI - 1, HALO_KERNEL_SIZES, NULL};
