#ifndef HALOBEAT_CORE_TRANSPORT_MPI_WORLD_MPI_H
#define HALOBEAT_CORE_TRANSPORT_MPI_WORLD_MPI_H

#include "core/world/world.h"

/* The interface of C, in C++ as well: MPI's own one for C++ needs a library of its own. */
#ifdef __cplusplus
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#endif
#include <mpi.h>

/* Worlds whose ranks are processes of MPI. */

/* Collective over `comm`. Creates a world on a duplicate of `comm`, on which MPI returns errors
 * instead of ending the program. `options` may be NULL, must be the same on all ranks, and what it
 * points to must outlive the world. The caller destroys the world with halo_world_destroy.
 * HALO_ARGUMENT for an unknown policy, if MPI is not started, or if ranks run different builds of
 * the library; HALO_MEMORY on all ranks; HALO_TRANSPORT, also if the process has another MPI than
 * the one that the library was built with. */
halo_status halo_world_create_mpi_sized(halo_world **out, MPI_Comm comm,
                                        const halo_world_options *options, size_t options_bytes);
#define halo_world_create_mpi(...) \
    halo_world_create_mpi_sized(__VA_ARGS__, sizeof(halo_world_options))

/* Local. The world's duplicate of the communicator, owned by the world. MPI_COMM_NULL in a world
 * created by halo_world_create_alone. */
MPI_Comm halo_world_comm(const halo_world *world);

/* Local. A request of MPI as one that halo_wait and its relatives take; it must not be used any
 * more. MPI_REQUEST_NULL becomes HALO_NO_REQUEST. */
halo_request halo_mpi_request(MPI_Request request);

/* Local. Turns an MPI error code into HALO_TRANSPORT with MPI's own error text. `call` is the name
 * of the call, or NULL. In a program started by halo_main or
 * halo_program_run it ends the job, since the other ranks may wait for a message for ever. */
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
