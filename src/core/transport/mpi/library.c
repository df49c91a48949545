#include "core/transport/mpi/mpi_internal.h"

#include <stdbool.h>
#include <string.h>

/* The library of MPI that this process has. */

static void read_version(char all[MPI_MAX_LIBRARY_VERSION_STRING])
{
    int length = 0;
    all[0] = '\0';
    MPI_Get_library_version(all, &length);
}

void halo_mpi_library(char *text, size_t size)
{
    char all[MPI_MAX_LIBRARY_VERSION_STRING];
    size_t used = 0;
    read_version(all);
    for (const char *at = all; *at != '\0' && *at != '\n' && *at != ',' && used < size - 1; at++) {
        bool blank = *at == ' ' || *at == '\t';
        if (!blank || (used > 0 && text[used - 1] != ' ')) {
            text[used++] = blank ? ' ' : *at;
        }
    }
    text[used] = '\0';
}

/* MPICH and its relatives have one binary interface, Open MPI and its relatives another. Of those,
 * some do not name their family: only what is known to be of the other one does not fit. */
bool halo_mpi_library_fits(void)
{
#ifdef OPEN_MPI
    static const char *const others[] = {"MPICH", "MVAPICH", "Intel(R) MPI", NULL};
#else
    static const char *const others[] = {"Open MPI", "Spectrum MPI", NULL};
#endif
    char all[MPI_MAX_LIBRARY_VERSION_STRING];
    read_version(all);
    for (int i = 0; others[i] != NULL; i++) {
        if (strstr(all, others[i]) != NULL) {
            return false;
        }
    }
    return true;
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
