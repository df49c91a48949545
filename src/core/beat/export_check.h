#ifndef HALOBEAT_CORE_BEAT_EXPORT_CHECK_H
#define HALOBEAT_CORE_BEAT_EXPORT_CHECK_H

#include "core/beat/kernel_export.h"

/* Local, pure. HALO_FORMAT, with a remedy, unless what the shared object `path` exports is a kernel
 * that this version can call. */
halo_status halo_kernel_check_export(const halo_kernel_export *found, const char *path);

#endif
