#include "core/transport/mpi/mpi_internal.h"

#include <stdbool.h>
#include <string.h>

/* The library of MPI that this process has. */

void halo_mpi_library(char *text, size_t size)
{
    char all[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    size_t used = 0;
    MPI_Get_library_version(all, &length);
    for (const char *at = all; *at != '\0' && *at != '\n' && *at != ',' && used < size - 1; at++) {
        bool blank = *at == ' ' || *at == '\t';
        if (!blank || (used > 0 && text[used - 1] != ' ')) {
            text[used++] = blank ? ' ' : *at;
        }
    }
    text[used] = '\0';
}

/* MPICH and its relatives (Intel MPI, MVAPICH, Cray MPICH) have one binary interface, Open MPI and
 * its relatives another. */
bool halo_mpi_library_fits(void)
{
    char name[HALO_MPI_LIBRARY_NAME];
    halo_mpi_library(name, sizeof name);
#ifdef OPEN_MPI
    return strstr(name, "Open MPI") != NULL;
#else
    return strstr(name, "Open MPI") == NULL;
#endif
}

halo_status halo_mpi_check_library(void)
{
    char name[HALO_MPI_LIBRARY_NAME];
    if (halo_mpi_library_fits()) {
        return HALO_OK;
    }
    halo_mpi_library(name, sizeof name);
    return halo_fail(
        HALO_TRANSPORT,
        "this process has %s, and Halobeat was built with %s, which has another binary "
        "interface; use a Halobeat that was built with the same MPI as the other parts "
        "of this program (mpi4py, for instance), or ranks that are threads",
        name, HALO_MPI_NAME);
}
