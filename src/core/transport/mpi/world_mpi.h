#ifndef HALOBEAT_CORE_TRANSPORT_MPI_WORLD_MPI_H
#define HALOBEAT_CORE_TRANSPORT_MPI_WORLD_MPI_H

#include "core/world/world.h"

#include <mpi.h>

/* Worlds whose ranks are processes of MPI. */

/* Collective over `comm`. Creates a world on a duplicate of `comm`, on which MPI returns errors
 * instead of ending the program. `options` may be NULL, must be the same on all ranks, and what it
 * points to must outlive the world. The caller destroys the world with halo_world_destroy.
 * HALO_ARGUMENT for an unknown policy, or if ranks run different builds of the library
 * (core/world/handshake.h); HALO_MEMORY on all ranks; HALO_TRANSPORT. */
halo_status halo_world_create_mpi(halo_world **out, MPI_Comm comm,
                                  const halo_world_options *options);

/* Local. The world's duplicate of the communicator, owned by the world. MPI_COMM_NULL in a world
 * created by halo_world_create_alone. */
MPI_Comm halo_world_comm(const halo_world *world);

/* Local. A request of MPI as one that halo_wait and its relatives take; it must not be used any
 * more. MPI_REQUEST_NULL becomes HALO_NO_REQUEST. */
halo_request halo_mpi_request(MPI_Request request);

/* Local. Turns an MPI error code into HALO_TRANSPORT with MPI's own error text. `call` is the name
 * of the call, or NULL. In a program started by halo_job_begin it ends the job
 * (core/transport/mpi/failure.h). */
halo_status halo_mpi_status(int code, const char *call);

/* Calls MPI, and returns HALO_TRANSPORT from the enclosing function if the call fails. */
#define HALO_MPI_TRY(call)                                \
    do {                                                  \
        int halo_mpi_code = (call);                       \
        if (halo_mpi_code != MPI_SUCCESS) {               \
            return halo_mpi_status(halo_mpi_code, #call); \
        }                                                 \
    } while (0)

#endif
