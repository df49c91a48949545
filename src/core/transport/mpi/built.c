#include "core/transport/built.h"

#include "core/transport/mpi/mpi_internal.h"

#include <stdio.h>

halo_built halo_built_with(void)
{
#ifdef OPEN_MPI
    return HALO_BUILT_WITH_OPEN_MPI;
#else
    return HALO_BUILT_WITH_MPICH;
#endif
}

void halo_mpi_library(char *all, char *name, size_t size)
{
    int length = 0;
    size_t used = 0;
    all[0] = '\0';
    MPI_Get_library_version(all, &length);
    for (const char *at = all; *at != '\0' && *at != '\n' && *at != ',' && used < size - 1; at++) {
        bool blank = *at == ' ' || *at == '\t';
        if (!blank || (used > 0 && name[used - 1] != ' ')) {
            name[used++] = blank ? ' ' : *at;
        }
    }
    name[used] = '\0';
}

/* Removes the first `word` of a text. */
static void remove_word(char *text, const char *word)
{
    char *at = strstr(text, word);
    if (at != NULL) {
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
    }
}

/* Libraries say "MPICH Version: 4.0.2", and "Open MPI v4.1.4". */
void halo_built_transports(char *text, size_t size)
{
    enum { NAME = 64 };
    char all[MPI_MAX_LIBRARY_VERSION_STRING], name[NAME];
    halo_mpi_library(all, name, sizeof name);
    remove_word(name, "Version: ");
    char *number = strstr(name, " v");
    if (number != NULL && number[2] >= '0' && number[2] <= '9') {
        remove_word(number, "v");
    }
    snprintf(text, size, "threads, MPI (%s)", name);
}
