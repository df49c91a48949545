#ifndef HALOBEAT_CORE_TRANSPORT_MPI_MPI_INTERNAL_H
#define HALOBEAT_CORE_TRANSPORT_MPI_MPI_INTERNAL_H

#include "core/transport/mpi/simulated.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/transport/transport.h"

#include <mpi.h>
#include <stdbool.h>
#include <string.h>

/* Internals of the transport of MPI. */

typedef struct {
    halo_endpoint base;
    MPI_Comm comm;
    MPI_Group group;
    bool borrowed; /* the communicator is that of another end */
} mpi_end;

extern const halo_transport halo_transport_mpi;
extern const halo_typed_messages halo_mpi_typed;
extern const halo_persistent_messages halo_mpi_persistent;
halo_status halo_mpi_bare_ring(halo_endpoint *end, const char *out, char *in, int bytes,
                               int64_t times);
extern const halo_neighbour_messages halo_mpi_neighbour; /* not on simulated machines */
extern const halo_file_calls halo_mpi_files;             /* nor these */

/* The MPI that this is compiled for. */
#ifdef OPEN_MPI
#define HALO_MPI_NUMBERS(a, b, c)      HALO_MPI_NUMBERS_TEXT(a, b, c)
#define HALO_MPI_NUMBERS_TEXT(a, b, c) #a "." #b "." #c
#define HALO_MPI_NAME \
    "Open MPI " HALO_MPI_NUMBERS(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION)
#elif defined MPICH_VERSION
#define HALO_MPI_NAME "MPICH " MPICH_VERSION
#else
#define HALO_MPI_NAME "MPICH" /* another of its interface */
#endif

/* Local. Fills an end of the transport; it owns the communicator unless that is borrowed. */
void halo_mpi_fill_end(mpi_end *end, MPI_Comm comm, bool borrowed);

/* Collective over `comm`. halo_world_create_mpi; with `program`, ranks must also be copies of one
 * program. */
halo_status halo_mpi_create_world(halo_world **out, MPI_Comm comm,
                                  const halo_world_options *options, size_t options_bytes,
                                  bool program);

/* Local. Handles of MPI are an int in MPICH and a pointer in Open MPI; none of them is 0. */
_Static_assert(sizeof(MPI_Request) <= sizeof(uintptr_t), "a request has no room");
_Static_assert(sizeof(MPI_Datatype) <= sizeof(uintptr_t), "a datatype has no room");

static inline MPI_Request halo_mpi_handle(halo_request request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    if (request.of != 0) {
        memcpy(&handle, &request.of, sizeof handle);
    }
    return handle;
}

static inline MPI_Datatype halo_mpi_datatype(halo_datatype type)
{
    MPI_Datatype handle = MPI_BYTE;
    if (type.of != 0) {
        memcpy(&handle, &type.of, sizeof handle);
    }
    return handle;
}

/* Local. Sets `text` to the beginning of what the library of MPI says of itself: "MPICH Version:
 * 4.0.2". */
enum { HALO_MPI_LIBRARY_NAME = 64 };
void halo_mpi_library(char *text, size_t size);

/* Local, before any other call whose arguments have types of MPI. Do the calls of this process go
 * to a library with the binary interface that this one was built for? mpi4py may bring another.
 * The second is HALO_TRANSPORT if not. */
bool halo_mpi_library_fits(void);
halo_status halo_mpi_check_library(void);

/* Collective over `comm`, for use before a world exists: they wait without polling all the time, as
 * a world does. The first replaces each of [count] numbers by its minimum over all ranks; the
 * second is MPI_Comm_dup. HALO_TRANSPORT. */
halo_status halo_mpi_min(uint64_t *numbers, int count, MPI_Comm comm);
halo_status halo_mpi_dup(MPI_Comm *out, MPI_Comm comm);

#endif
