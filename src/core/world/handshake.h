#ifndef HALOBEAT_CORE_WORLD_HANDSHAKE_H
#define HALOBEAT_CORE_WORLD_HANDSHAKE_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Checking that all ranks run the same build. Ranks of different builds use different layouts of
 * messages: they would compute wrong results, crash, or wait for each other for ever. Before
 * anything else is sent, ranks therefore compare the version of Halobeat, the size and byte order
 * of numbers, the layout of kernels' tables, the build (base/build.h), and the MPI library. One
 * reduction of a few numbers is enough; which ranks differ is found out only if some do.
 *
 * Machines of different kinds may need different builds of the same version. With
 * HALOBEAT_MIXED_BUILDS=yes in the environment of any rank, build and MPI library may differ. */

/* Number of entries of MPI_UINT64_T that are reduced by MPI_MIN. Must not change in later
 * versions. */
enum { HALO_HANDSHAKE_ENTRIES = 5 };

/* Local. Sets this rank's entries. With `program`, the program is compared too, not only the
 * library: a job may consist of different programs. */
void halo_handshake_offer(uint64_t entries[HALO_HANDSHAKE_ENTRIES], bool program);

/* Collective over `comm`. Checks the reduced entries. HALO_ARGUMENT on all ranks if builds differ,
 * with rank and host of two that do; HALO_MPI. */
halo_status halo_handshake_check(const uint64_t entries[HALO_HANDSHAKE_ENTRIES], bool program,
                                 MPI_Comm comm);

/* Collective over `comm`. Offers, reduces and checks. */
halo_status halo_handshake(MPI_Comm comm, bool program);

/* Collective over `comm`. Compares a text of all ranks, for example the identity of a file; at most
 * HALO_HANDSHAKE_TEXT - 1 characters are compared. HALO_ARGUMENT, on all ranks, with the message
 * "rank 0 on HOST VERB TEXT, and rank R on HOST VERB TEXT; REMEDY". HALO_MPI. */
enum { HALO_HANDSHAKE_TEXT = 160 };
halo_status halo_handshake_compare(MPI_Comm comm, const char *verb, const char *text,
                                   const char *remedy);

#endif
