#include "core/transport/built.h"

#include <stdio.h>

halo_built halo_built_with(void)
{
    return HALO_BUILT_WITHOUT_MPI;
}

void halo_built_transports(char *text, size_t size)
{
    snprintf(text, size, "threads");
}
