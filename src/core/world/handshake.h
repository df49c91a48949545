#ifndef HALOBEAT_CORE_WORLD_HANDSHAKE_H
#define HALOBEAT_CORE_WORLD_HANDSHAKE_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Do all ranks run the same build? Ranks of other builds lay out their messages in other ways: they
 * would compute wrong results, crash, or wait for each other for ever. So what each rank runs is
 * compared before anything else is sent: the version of Halobeat, the size of numbers and their
 * byte order, the layout of kernels' tables, the build (base/build.h), and the MPI library. One
 * reduction of a few numbers does it; who differs is found only when somebody does.
 *
 * Machines of different kinds may each need a build of their own, of one version. With
 * HALOBEAT_MIXED_BUILDS=yes in the environment of any rank, build and MPI library may differ. */

/* What is reduced: entries of MPI_UINT64_T, by MPI_MIN. Fixed, in this version and later ones. */
enum { HALO_HANDSHAKE_ENTRIES = 5 };

/* Local. Fill in the entries of this rank. With `program`, the program is compared too, not only
 * the library: programs that are parts of one job need not be the same program. */
void halo_handshake_offer(uint64_t entries[HALO_HANDSHAKE_ENTRIES], bool program);

/* Collective over `comm`, with the reduced entries. HALO_ARGUMENT, on all ranks, if builds differ;
 * the message names two of them, with rank and host. HALO_MPI. */
halo_status halo_handshake_check(const uint64_t entries[HALO_HANDSHAKE_ENTRIES], bool program,
                                 MPI_Comm comm);

/* Collective over `comm`. Both, with the reduction in between. */
halo_status halo_handshake(MPI_Comm comm, bool program);

/* Collective over `comm`. Do all ranks have the same text, a file's identity for example? At most
 * HALO_HANDSHAKE_TEXT - 1 characters count. HALO_ARGUMENT, on all ranks, with the message "rank 0
 * on HOST VERB TEXT, and rank R on HOST VERB TEXT; REMEDY". HALO_MPI. */
enum { HALO_HANDSHAKE_TEXT = 160 };
halo_status halo_handshake_compare(MPI_Comm comm, const char *verb, const char *text,
                                   const char *remedy);

#endif
