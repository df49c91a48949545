#ifndef HALOBEAT_CORE_TRANSPORT_LAUNCHER_H
#define HALOBEAT_CORE_TRANSPORT_LAUNCHER_H

#include "base/status.h"
#include "core/transport/processes.h"

#include <stdbool.h>

/* Find the launcher of this process. All functions are local. Most read the environment, which MPI
 * writes to while it starts: threads beside that must not call them then. */

/* The rank of this process, before MPI is started, from the environment variables of MPICH, Open
 * MPI, Slurm, Flux, PALS and others. -1 if there are none, as for a process started alone. */
int halo_launcher_rank(void);

/* Its number among the ranks of its host; -1: not known. */
int halo_launcher_local_rank(void);

/* True if this process is one of the ranks of a launcher, which are processes: MPI will connect to
 * it, and it may have started only one, or it has started several, with which a build without MPI
 * cannot begin a job. A process of a batch script is none of these, nor one that srun has started
 * alone without PMI, nor the only one of any launcher in a build without MPI: its ranks are
 * threads. */
bool halo_launcher_has_ranks(void);

/* The MPI whose ranks the launcher starts, by the environment: HALO_NO_MPI where it does not say
 * so. Of launchers that have started each other, the last one counts. */
halo_mpi_kind halo_launcher_mpi(void);

enum { HALO_COPIES_UNKNOWN = 1 << 30 };

typedef struct {
    int count;          /* 1: it was started alone; HALO_COPIES_UNKNOWN: several */
    const char *name;   /* of what started several: "srun"; else NULL */
    const char *remedy; /* what starts ranks that find each other, for this MPI; NULL without it */
} halo_copies;

/* Return the number of processes that the launcher has started, by its environment variables. A
 * batch script inside an allocation of many tasks is one process. Descendants of a process have its
 * variables. */
halo_copies halo_launcher_copies(void);

/* Fails with a message on these copies, which do not find each other: each would do the whole job,
 * and write the same files. HALO_ARGUMENT. */
halo_status halo_launcher_refuse(halo_copies copies);

/* HALO_ARGUMENT if the launcher has started several copies, and there is no MPI to connect them. */
halo_status halo_launcher_check(void);

/* True if MPI will connect to the launcher: it is the mpiexec of this MPI, or speaks its protocol.
 */
bool halo_launcher_is_own(void);

/* True if a variable of the environment, "NAME=VALUE", tells a process its place in a job.
 * Processes that are jobs by themselves must not have these. */
bool halo_launcher_is_variable(const char *variable);

/* With HALOBEAT_SINGLE=1 in the environment, removes all such variables from it: the process is a
 * job by itself, whatever has started it. Must be called before there are threads. */
void halo_launcher_take_single(void);

/* The rest is for launchers that use version 1 of PMI, MPICH's process management interface: Hydra
 * and others. It is lines of text over a socket, whose descriptor is in PMI_FD. */

/* The descriptor of its socket; -1: there is no such launcher. */
int halo_launcher_socket(void);

/* True if there is such a launcher. */
bool halo_launcher_is_there(void);

/* Leaves the job as MPI_Finalize would, for a process that ends without calling it. Otherwise Hydra
 * takes the process for dead. Waits for the answer for at most a second. */
void halo_launcher_leave(void);

/* True if it ends all processes of the job when one of them has asked for that, by
 * halo_launcher_abort, and exits with another status than 0: so does that of Open MPI, too. */
bool halo_launcher_ends_all(void);

/* Waits a little: a launcher that is told to end the job may leave what it was to print. */
void halo_launcher_let_print(void);

/* Asks the launcher with this socket to end all processes of the job with exit status `status`, as
 * MPI_Abort would, but from any thread and at any time: it does not read the environment. Does
 * nothing if `socket` is -1. */
void halo_launcher_abort(int socket, int status);

#endif
