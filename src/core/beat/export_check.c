#include "core/beat/export_check.h"

#include "base/version.h"

#include <string.h>

halo_status halo_kernel_check_export(const halo_kernel_export *found, const char *path)
{
    HALO_FAIL_IF(memcmp(found->mark, HALO_KERNEL_MARK, sizeof found->mark) != 0, HALO_FORMAT,
                 "\"%s\" has something else under the name halo_exported_kernel; export the kernel "
                 "by HALO_KERNEL_EXPORT(its table)",
                 path);
    HALO_FAIL_IF(found->abi != HALO_KERNEL_ABI || found->sizes != HALO_KERNEL_SIZES, HALO_FORMAT,
                 "\"%s\" was built for another Halobeat (kernels of version %d, %d bytes) than "
                 "this one, %s (version %d, %d bytes); build it again with the headers of this one",
                 path, (int)found->abi, (int)found->sizes, HALOBEAT_VERSION, (int)HALO_KERNEL_ABI,
                 (int)HALO_KERNEL_SIZES);
    return HALO_REQUIRE(found->kernel != NULL, HALO_FORMAT,
                        "\"%s\" exports no kernel: its pointer is NULL", path);
}
