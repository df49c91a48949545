#ifndef HALOBEAT_CORE_WORLD_WORLD_H
#define HALOBEAT_CORE_WORLD_WORLD_H

#include "base/status.h"
#include "core/world/simulated.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* A world: the ranks that compute together, and the functions by which they wait for each other.
 *
 * MPI's blocking calls poll without pause. With more ranks than cores a waiting rank then takes the
 * core from a rank that computes, which makes runs about fifty times slower. The library therefore
 * waits for every request, those of collectives included, in halo_wait. */
typedef struct halo_world halo_world;

/* Waiting policies, by the name a user gives. `auto` chooses spin if the ranks on this machine have
 * a core each and their control group allows them that much processor time; otherwise sleep. */
#define HALO_WAIT_LIST(X)                                                                     \
    X(spin,                                                                                   \
      "test without pause, for long waits yield: shortest delay, needs a core for each rank") \
    X(yield, "test, then offer the core to others")                                           \
    X(sleep, "test a while, yield a while, then sleep a little: for more ranks than cores")

struct halo_slowdown;

typedef struct {
    const char *wait; /* name of a policy; NULL and "auto" are the same */
    const struct halo_slowdown
        *slowdown; /* ranks slowed down for tests, or NULL; see core/world/slowdown.h */
} halo_world_options;

/* Collective over `comm`. Creates a world on a duplicate of `comm`, on which MPI returns errors
 * instead of ending the program. `options` may be NULL, must be the same on all ranks, and what it
 * points to must outlive the world. The caller destroys the world with halo_world_destroy.
 * HALO_ARGUMENT for an unknown policy, or if ranks run different builds of the library
 * (core/world/handshake.h); HALO_MEMORY on all ranks; HALO_MPI. */
halo_status halo_world_create(halo_world **out, MPI_Comm comm, const halo_world_options *options);

/* Local. Creates a world of this rank alone, in which no function calls MPI. Threads that may not
 * call MPI can use it, one thread at a time. Slowdowns are not injected in it, and files are
 * written without a flush to disk (core/file/file.h). `of` is the world that the rank belongs to;
 * from it the new world takes the number of ranks that share the machine's memory
 * (halo_world_sharers). The caller destroys it with halo_world_destroy. HALO_MEMORY. */
halo_status halo_world_create_alone(halo_world **out, const halo_world *of);

/* Local. True if the world was created by halo_world_create_alone. */
bool halo_world_is_alone(const halo_world *world);

/* Collective. Frees the world and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_world_destroy(halo_world **world);

/* Local. This rank's number, from 0, and the number of ranks. */
int halo_world_rank(const halo_world *world);
int halo_world_ranks(const halo_world *world);

/* Local. The number of ranks that share the memory of this rank's machine: those that run on it. In
 * a world created by halo_world_create_alone it is that of the world it was created from. */
int halo_world_sharers(const halo_world *world);

/* Local. The number of ranks on this rank's machine, and whether `rank` is one of them. */
int halo_world_node_ranks(const halo_world *world);
bool halo_world_is_near(const halo_world *world, int rank);

/* Local. The number of cores that the ranks on this rank's machine may use, all together. */
int halo_world_cores(const halo_world *world);

/* Local. The name of the waiting policy in use; for `auto`, the policy that was chosen. */
const char *halo_world_wait_policy(const halo_world *world);

/* Local. The world's duplicate of the communicator, owned by the world. MPI_COMM_NULL in a world
 * created by halo_world_create_alone. */
MPI_Comm halo_world_comm(const halo_world *world);

/* Local. The communicator of the ranks on this machine, owned by the world. It is the same as
 * halo_world_comm if all ranks run on this machine. */
MPI_Comm halo_world_near_comm(const halo_world *world);

/* Local. Seconds this rank has spent in halo_wait since the world was created. */
double halo_world_waited(const halo_world *world);

/* Local. The number of beats this rank has done in this world, of all kernels. Code that runs beats
 * adds them with halo_world_count_beats. */
int64_t halo_world_beats(const halo_world *world);
void halo_world_count_beats(halo_world *world, int64_t beats);

/* Local. Injects the slowdown of this rank (halo_world_options.slowdown) for the last `seconds` of
 * computing: computes for (factor - 1) * seconds more. Returns false if this rank is not slowed
 * down at this beat. */
bool halo_world_inject_slowdown(const halo_world *world, double seconds);

/* Work that a rank does for other ranks while it waits. halo_wait and the other waiting functions
 * call `serve` repeatedly. It must not wait. */
typedef struct halo_service {
    void (*serve)(void *context);
    void *context;
    struct halo_service *next; /* used by the world: the next service in its list */
} halo_service;

/* Local. Adds a service, or removes it. The structure belongs to the caller and must stay at its
 * address until it is removed. */
void halo_world_begin_service(halo_world *world, halo_service *service);
void halo_world_end_service(halo_world *world, halo_service *service);

/* Local. A pointer, NULL at first, in which a part of the library stores data that live as long as
 * the world. The part is identified by `destroy`, which gets the pointer before the world's
 * communicator is freed. */
void **halo_world_keep(halo_world *world, void (*destroy)(void *data));

/* Local. Waits until all [count] requests are complete; null requests count as complete. The time
 * is added to halo_world_waited. HALO_MPI. */
halo_status halo_wait(halo_world *world, int count, MPI_Request *requests);

/* Local. As halo_wait for one request, for at most about `seconds` (HUGE_VAL: no limit; on
 * simulated machines there is never a limit). Sets *complete to 1 if the request is complete, else
 * to 0. HALO_MPI. */
halo_status halo_wait_for(halo_world *world, MPI_Request *request, double seconds, int *complete);

/* Local. Waits until one of [count] requests is complete; at least one must not be null. *index is
 * the request's index; *bytes is the number of bytes received, if it is a receive of MPI_BYTE.
 * HALO_MPI. */
halo_status halo_wait_any(halo_world *world, int count, MPI_Request *requests, int *index,
                          int *bytes);

/* Local. Calls `holds` repeatedly until it returns true: for a condition on memory that other ranks
 * write. Also drives MPI's progress, since those ranks may be waiting for messages of this one.
 * HALO_MPI. */
halo_status halo_wait_until(halo_world *world, bool (*holds)(void *context), void *context);

/* Local. Sets *complete to 1 if the request is complete, else to 0, without waiting. Drives MPI's
 * progress. HALO_MPI. */
halo_status halo_test(halo_world *world, MPI_Request *request, int *complete);

/* Local. Sets *index to that of a complete request among [count], or to -1 if there is none or all
 * are null, without waiting. Drives MPI's progress. HALO_MPI. */
halo_status halo_test_any(halo_world *world, int count, MPI_Request *requests, int *index);

/* Collective. Agrees on a failure. If every rank passes HALO_OK, all return HALO_OK. Otherwise all
 * return the status of the lowest failing rank and get its message, prefixed with its number if
 * there is more than one rank, so that rank 0 can print one message and all ranks leave together. A
 * rank that passes a failure never gets HALO_OK. */
static inline halo_status halo_agree(halo_world *world, halo_status mine);

/* Collective. As halo_agree, whose inline wrapper tells compilers and analysers that agreement on
 * HALO_OK means that `mine` is HALO_OK. */
halo_status halo_world_agree(halo_world *world, halo_status mine);

static inline halo_status halo_agree(halo_world *world, halo_status mine)
{
    halo_status agreed = halo_world_agree(world, mine);
    return agreed == HALO_OK ? mine : agreed;
}

/* Local. Turns an MPI error code into HALO_MPI with MPI's own error text. `call` is the name of the
 * call, or NULL. In a program started by halo_job_begin it ends the job
 * (core/world/mpi_failure.h). */
halo_status halo_mpi_status(int code, const char *call);

/* Collective over `comm`. Replaces each of [count] numbers by its minimum over all ranks. For use
 * before a world exists: it waits without polling all the time, as a world does. HALO_MPI. */
halo_status halo_mpi_min(uint64_t *numbers, int count, MPI_Comm comm);

/* Calls MPI, and returns HALO_MPI from the enclosing function if the call fails. */
#define HALO_MPI_TRY(call)                                \
    do {                                                  \
        int halo_mpi_code = (call);                       \
        if (halo_mpi_code != MPI_SUCCESS) {               \
            return halo_mpi_status(halo_mpi_code, #call); \
        }                                                 \
    } while (0)

#endif
