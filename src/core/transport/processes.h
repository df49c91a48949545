#ifndef HALOBEAT_CORE_TRANSPORT_PROCESSES_H
#define HALOBEAT_CORE_TRANSPORT_PROCESSES_H

#include "base/status.h"
#include "core/world/monitor.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ranks that are processes are connected by MPI. All that calls MPI is in transport/mpi, which is a
 * library of its own, halobeat_mpi, and the rest of the library knows of it by this table. Programs
 * that call MPI themselves are linked with it. All others load it when a launcher has started them:
 * loading takes longer than labelling a small image, and libraries below MPI change a process, by
 * handlers of its signals, for example. It finds the functions of the core in the process, of which
 * there is thus one copy, in the program or in libhalobeat-core.so. */

/* The MPI, by the launchers that start its ranks. */
typedef enum { HALO_NO_MPI, HALO_MPICH, HALO_OPEN_MPI } halo_mpi_kind;

/* Stands before the name in the file of the library, where it is read without loading it. */
#define HALO_PROCESSES_MARK "@(#)halobeat connects processes by "

/* The functions and facts that a job of processes needs (core/world/job.h). */
typedef struct {
    /* The MPI library that this was built with: "MPICH 4.0.2". */
    const char *name;
    /* HALOBEAT_VERSION and sizes of structures, which must be those of the rest. */
    const char *version;
    size_t world_bytes, transport_bytes;

    /* Local. Does MPI run? Has it run? This rank; 0 before MPI is started. */
    bool (*is_started)(void);
    bool (*has_ended)(void);
    int (*rank)(void);
    /* halo_job_begin; sets *world to that of all ranks. */
    halo_status (*begin)(int *argc, char ***argv, const halo_monitor_options *options,
                         halo_world **world);
    /* halo_job_end, which destroys the world, and halo_job_abandon, which does not return. */
    int (*end)(halo_world **world, int status);
    void (*abandon)(int status);
    /* Collective. Sets *world to one on a duplicate of the communicator whose handle, an MPI_Comm
     * of so many bytes, lies at `comm`. */
    halo_status (*adopt)(const void *comm, size_t comm_bytes, halo_world **world);
} halo_processes;

/* That of transport/mpi. */
extern const halo_processes halo_mpi_processes;

/* Local. The MPI of halobeat_mpi, if the program is linked with that, or can load it. Where it is
 * installed for several, the MPI that the program has loaded, or else that of the launcher. This is
 * asked anew until the library is loaded, since a program may load MPI in between. */
halo_mpi_kind halo_processes_kind(void);

enum { HALO_TRANSPORTS_TEXT = 128 };

/* Local. Writes the names of the transports that there are, with commas: "threads, MPI (MPICH
 * 4.0.2)", or "threads, MPI (MPICH 4.0.2, Open MPI 4.1.4)", or "threads". Loads nothing. */
void halo_transports_describe(char *text, size_t size);

/* Names the packages that have halobeat_mpi, for messages. */
#define HALO_PROCESSES_SOURCE                                       \
    "Debian: libhalobeat-mpich" HALOBEAT_INTERFACE " or "           \
    "libhalobeat-openmpi" HALOBEAT_INTERFACE "; from its sources, " \
    "cmake -D HALOBEAT_MPI=ON"

enum { HALO_PROCESSES_REMEDY = 240 };

/* Local. Words what a user does for ranks that are processes, at the end of a message: "start
 * processes with mpiexec -n 4", and where there is no halobeat_mpi, how to get it first. `ranks`:
 * how many; 0: "N". Returns `text`. Loads nothing. */
const char *halo_processes_remedy(char text[HALO_PROCESSES_REMEDY], int64_t ranks);

/* Local. Is the program linked with halobeat_mpi? */
bool halo_processes_are_linked(void);

/* Local. Does MPI run already, since the program has started it? Loads nothing. */
bool halo_processes_are_started(void);

/* Local. Sets *out to the table, and loads halobeat_mpi if the program is not linked with it.
 * HALO_FILE if there is none; HALO_ARGUMENT if it cannot be loaded, or does not fit; HALO_MEMORY.
 * Call it before there are threads. */
halo_status halo_processes_get(const halo_processes **out);

/* Collective over the communicator whose handle, of `comm_bytes`, lies at `comm`: for programs that
 * have MPI, and know neither its header nor halobeat_mpi, which is loaded: where it is installed
 * for several, that for the MPI of the handle. Several threads may call it at a time, as far as
 * that MPI lets them. Sets *out to a world on a duplicate of it, which the caller destroys.
 * HALO_ARGUMENT if there is no halobeat_mpi, or if it was built with another MPI than that of the
 * handle; errors as of halo_processes_get and halo_world_create_mpi. */
halo_status halo_processes_adopt(halo_world **out, const void *comm, size_t comm_bytes);

#endif
