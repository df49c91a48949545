#include "base/version.h"

const char *halo_version(void)
{
    return HALOBEAT_VERSION;
}

int halo_version_number(void)
{
    return HALOBEAT_VERSION_NUMBER;
}
