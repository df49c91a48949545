#ifndef HALOBEAT_CORE_WORLD_WORLD_H
#define HALOBEAT_CORE_WORLD_WORLD_H

#include "base/status.h"
#include "core/world/simulated.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The ranks that compute together, and the one way they wait for each other.
 *
 * MPI's own blocking waits spin, which makes everything fifty times slower as soon as there are
 * more ranks than cores. So every request, collectives included, is waited for by halo_wait. */
typedef struct halo_world halo_world;

/* Waiting policies, by the name a user gives. `auto` is spin while the ranks of the node have a
 * core each, and their control group allows as much, sleep otherwise. */
#define HALO_WAIT_LIST(X)                                                                     \
    X(spin,                                                                                   \
      "test without pause, for long waits yield: shortest delay, needs a core for each rank") \
    X(yield, "test, then offer the core to others")                                           \
    X(sleep, "test a while, yield a while, then sleep a little: for more ranks than cores")

struct halo_slowdown;

typedef struct {
    const char *wait; /* a policy's name, or NULL or "auto" */
    const struct halo_slowdown
        *slowdown; /* ranks that are slow on purpose; NULL: none; see core/world/slowdown.h */
} halo_world_options;

/* Collective over `comm`. Duplicates `comm` and makes MPI return errors on the duplicate;
 * `options`, the same on all ranks, may be NULL; what they point to must outlive the world.
 * HALO_ARGUMENT for an unknown policy, or ranks that run different builds of the library
 * (core/world/handshake.h); HALO_MEMORY on all ranks; HALO_MPI. */
halo_status halo_world_create(halo_world **out, MPI_Comm comm, const halo_world_options *options);

/* Local. A world of this rank alone, in which nothing calls MPI: threads that may not call it can
 * use it, one at a time. It has one rank, whose slowdown is not injected; `of`, the world that the
 * rank is in, tells how many ranks share the machine's memory. Files are written in it without
 * waiting for the disk (core/file/file.h). The caller destroys it with halo_world_destroy.
 * HALO_MEMORY. */
halo_status halo_world_create_alone(halo_world **out, const halo_world *of);

/* Local. Was it created so? */
bool halo_world_is_alone(const halo_world *world);

/* Collective. Accepts a pointer to NULL. */
void halo_world_destroy(halo_world **world);

/* Local. This rank's number, from 0, and how many ranks there are. */
int halo_world_rank(const halo_world *world);
int halo_world_ranks(const halo_world *world);

/* Local. How many ranks take memory of this rank's machine as it does: those that run there. */
int halo_world_sharers(const halo_world *world);

/* Local. How many ranks run on this rank's machine; does `rank`? */
int halo_world_node_ranks(const halo_world *world);
bool halo_world_is_near(const halo_world *world, int rank);

/* Local. Cores that the ranks on this rank's machine may use together. */
int halo_world_cores(const halo_world *world);

/* Local. The name of the waiting policy in use: of `auto`, the one that was chosen. */
const char *halo_world_wait_policy(const halo_world *world);

/* Local. The duplicate of the communicator; owned by the world. MPI_COMM_NULL of a world alone. */
MPI_Comm halo_world_comm(const halo_world *world);

/* Local. The communicator of the ranks on this machine, which is the duplicate if these are all;
 * owned by the world. */
MPI_Comm halo_world_near_comm(const halo_world *world);

/* Local. Seconds this rank has spent in halo_wait since the world was made. */
double halo_world_waited(const halo_world *world);

/* Local. Beats that this rank has done in this world, of any kernel, and counting `beats` more:
 * whoever runs them calls it. */
int64_t halo_world_beats(const halo_world *world);
void halo_world_count_beats(halo_world *world, int64_t beats);

/* Local. A rank that is slow on purpose (halo_world_options.slowdown) and has computed for
 * `seconds` now computes as much longer as its factor says. False on a rank that is not slow. */
bool halo_world_inject_slowdown(const halo_world *world, double seconds);

/* What a rank does for others while it waits: `serve` is called again and again, by halo_wait and
 * the functions below. It must not wait itself. */
typedef struct halo_service {
    void (*serve)(void *context);
    void *context;
    struct halo_service *next; /* the world's */
} halo_service;

/* Local. From now on this rank serves; until it ends the service, which stays where it is. */
void halo_world_begin_service(halo_world *world, halo_service *service);
void halo_world_end_service(halo_world *world, halo_service *service);

/* Local. A place for what a part of the library keeps as long as there is this world: NULL at
 * first; `destroy` gets it before the world's communicator is freed, and tells the parts apart. */
void **halo_world_keep(halo_world *world, void (*destroy)(void *data));

/* Local. Waits until all requests, [count], are complete; null requests are complete. The time
 * counts as waited. HALO_MPI. */
halo_status halo_wait(halo_world *world, int count, MPI_Request *requests);

/* Local. The same for one request, for about `seconds` at most (HUGE_VAL: without a limit; a
 * simulated machine knows none): *complete becomes 1 if it is complete then, 0 otherwise. HALO_MPI.
 */
halo_status halo_wait_for(halo_world *world, MPI_Request *request, double seconds, int *complete);

/* Local. Waits until any of the requests, [count], one at least not null, is complete: *index says
 * which; *bytes is how many came if it is a receive of MPI_BYTE. HALO_MPI. */
halo_status halo_wait_any(halo_world *world, int count, MPI_Request *requests, int *index,
                          int *bytes);

/* Local. Waits until `holds` returns true about memory that other ranks write: it is called again
 * and again. Drives MPI's progress as well, since the ranks waited for may wait for messages of
 * this one. HALO_MPI. */
halo_status halo_wait_until(halo_world *world, bool (*holds)(void *context), void *context);

/* Local. *complete becomes 1 if the request is complete, 0 otherwise; does not wait. Drives MPI's
 * progress. HALO_MPI. */
halo_status halo_test(halo_world *world, MPI_Request *request, int *complete);

/* Local. *index says which of the requests, [count], is complete, or is -1 if none is that is not
 * null; does not wait. Drives MPI's progress. HALO_MPI. */
halo_status halo_test_any(halo_world *world, int count, MPI_Request *requests, int *index);

/* Collective. Agree on a failure: if every rank passes HALO_OK all get HALO_OK; otherwise all get
 * the status and the message of the lowest failing rank (prefixed with its number when there is
 * more than one rank), so that rank 0 can print one sentence and all leave together. */
static inline halo_status halo_agree(halo_world *world, halo_status mine);

/* Collective. What halo_agree does, all but its promise that nobody who failed gets HALO_OK. */
halo_status halo_world_agree(halo_world *world, halo_status mine);

/* Here, so that compilers and analysers know that agreement on HALO_OK means that `mine` is. */
static inline halo_status halo_agree(halo_world *world, halo_status mine)
{
    halo_status agreed = halo_world_agree(world, mine);
    return agreed == HALO_OK ? mine : agreed;
}

/* Local. Turn an MPI error code into HALO_MPI with MPI's own text; `call` names the call, or is
 * NULL. In a program of halo_job_begin it ends the job (core/world/mpi_failure.h). */
halo_status halo_mpi_status(int code, const char *call);

/* Collective over `comm`. The minimum of each of [count] numbers, in place, for what comes before
 * there is a world: waits as a world would, where MPI itself would take a core that other ranks
 * need. */
halo_status halo_mpi_min(uint64_t *numbers, int count, MPI_Comm comm);

/* Call MPI and hand up a failure. */
#define HALO_MPI_TRY(call)                                \
    do {                                                  \
        int halo_mpi_code = (call);                       \
        if (halo_mpi_code != MPI_SUCCESS) {               \
            return halo_mpi_status(halo_mpi_code, #call); \
        }                                                 \
    } while (0)

#endif
