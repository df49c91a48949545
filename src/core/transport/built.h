#ifndef HALOBEAT_CORE_TRANSPORT_BUILT_H
#define HALOBEAT_CORE_TRANSPORT_BUILT_H

#include <stddef.h>

/* What this build can connect ranks by. transport/mpi/built.c defines these, or, in a build without
 * MPI, transport/threads/built.c. */

/* The MPI, by the launchers that start its ranks. */
typedef enum { HALO_BUILT_WITHOUT_MPI, HALO_BUILT_WITH_MPICH, HALO_BUILT_WITH_OPEN_MPI } halo_built;

/* Local. */
halo_built halo_built_with(void);

enum { HALO_BUILT_TEXT = 128 };

/* Local. Writes the names of the transports, with commas: "threads, MPI (MPICH 4.0.2)", or
 * "threads". Starts nothing. */
void halo_built_transports(char *text, size_t size);

#endif
