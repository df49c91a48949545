#ifndef HALOBEAT_CORE_WORLD_HANDSHAKE_H
#define HALOBEAT_CORE_WORLD_HANDSHAKE_H

#include "core/transport/transport.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stdint.h>

/* Checking that all ranks run the same build. Ranks of different builds use different layouts of
 * messages: they would compute wrong results, crash, or wait for each other for ever. Before
 * anything else is sent, ranks therefore compare the version of Halobeat, the size and byte order
 * of numbers, the layout of kernels' tables, the build (base/build.h), and the library of the
 * transport. One reduction of a few numbers is enough; which ranks differ is found out only if some
 * do.
 *
 * Machines of different kinds may need different builds of the same version. With
 * HALOBEAT_MIXED_BUILDS=yes in the environment of any rank, build and library may differ. */

/* Number of entries, which are reduced to their minima. Must not change in later versions. */
enum { HALO_HANDSHAKE_ENTRIES = 5 };

/* Local. Sets this rank's entries. With `program`, the program is compared too, not only the
 * library: a job may consist of different programs. */
void halo_handshake_offer(const halo_transport *transport, uint64_t entries[HALO_HANDSHAKE_ENTRIES],
                          bool program);

/* Collective. Checks the reduced entries. HALO_ARGUMENT on all ranks if builds differ, with rank
 * and host of two that do; HALO_TRANSPORT. `world` needs no more than its end. */
halo_status halo_handshake_check(halo_world *world, const uint64_t entries[HALO_HANDSHAKE_ENTRIES],
                                 bool program);

/* Collective. Compares a text of all ranks, for example the identity of a file; at most
 * HALO_HANDSHAKE_TEXT - 1 characters are compared. HALO_ARGUMENT, on all ranks, with the message
 * "rank 0 on HOST VERB TEXT, and rank R on HOST VERB TEXT; REMEDY". HALO_TRANSPORT. */
enum { HALO_HANDSHAKE_TEXT = 160 };
halo_status halo_handshake_compare(halo_world *world, const char *verb, const char *text,
                                   const char *remedy);

#endif
