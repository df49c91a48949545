#ifndef HALOBEAT_CORE_WORLD_WORLD_H
#define HALOBEAT_CORE_WORLD_WORLD_H

#include "base/status.h"
#include "core/transport/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A world: the ranks that compute together, and the functions by which they wait for each other.
 *
 * A world is made of threads of this process (core/transport/threads/run.h), of processes of MPI
 * (core/transport/mpi/world_mpi.h), of another world, or of one rank alone. Every request, those of
 * collectives included, is waited for in halo_wait, since blocking calls of MPI poll without pause:
 * with more ranks than cores a waiting rank then takes the core from a rank that computes, which
 * makes runs about fifty times slower. */
typedef struct halo_world halo_world;

/* Waiting policies, by the name a user gives. `auto` chooses spin if the ranks on this machine have
 * a core each and their control group allows them that much processor time; otherwise sleep. */
#define HALO_WAIT_LIST(X)                                                                     \
    X(spin,                                                                                   \
      "test without pause, for long waits yield: shortest delay, needs a core for each rank") \
    X(yield, "test, then offer the core to others")                                           \
    X(sleep, "test a while, yield a while, then sleep a little: for more ranks than cores")

struct halo_slowdown;

typedef struct halo_world_options {
    const char *wait; /* name of a policy; NULL and "auto" are the same */
    const struct halo_slowdown
        *slowdown; /* ranks slowed down for tests, or NULL; see core/world/slowdown.h */
} halo_world_options;

/* Collective over `world`. Create a world of the same ranks, or of those that run on this rank's
 * machine, or of those with the same `colour` (if that is below 0, none: *out is NULL), in the
 * order of their ranks. Messages in it do not mix with those in `world`, which may be destroyed
 * before it. `options` may be NULL, must be the same on all ranks, and what it points to must
 * outlive the world. The caller destroys it with halo_world_destroy. HALO_ARGUMENT for an unknown
 * policy; HALO_MEMORY and HALO_TRANSPORT on all ranks. */
halo_status halo_world_duplicate_sized(halo_world **out, halo_world *world,
                                       const halo_world_options *options, size_t options_bytes);
#define halo_world_duplicate(...) \
    halo_world_duplicate_sized(__VA_ARGS__, sizeof(halo_world_options))
halo_status halo_world_create_near_sized(halo_world **out, halo_world *world,
                                         const halo_world_options *options, size_t options_bytes);
#define halo_world_create_near(...) \
    halo_world_create_near_sized(__VA_ARGS__, sizeof(halo_world_options))
halo_status halo_world_split_sized(halo_world **out, halo_world *world, int colour,
                                   const halo_world_options *options, size_t options_bytes);
#define halo_world_split(...) halo_world_split_sized(__VA_ARGS__, sizeof(halo_world_options))

/* Local. Creates a world of this rank alone, without messages. Threads that may not send any
 * can use it, one thread at a time. Slowdowns are not injected in it, and files are
 * written without a flush to disk (core/file/file.h). `of` is the world that the rank belongs to,
 * or NULL: there is none; from it the new world takes the number of ranks that share the machine's
 * memory (halo_world_sharers). The caller destroys it with halo_world_destroy. HALO_MEMORY. */
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

/* Local. True if all ranks are one process: threads, or one rank. What a process has once (handlers
 * of signals, standard output) is then rank 0's. */
bool halo_world_is_process(const halo_world *world);

/* Local. The number of ranks on this rank's machine, and whether `rank` is one of them. */
int halo_world_node_ranks(const halo_world *world);
bool halo_world_is_near(const halo_world *world, int rank);

/* Local. The number of cores that the ranks on this rank's machine may use, all together. */
int halo_world_cores(const halo_world *world);

/* Local. The name of what carries messages between ranks: "threads" of one process, "mpi", or
 * "alone" for the world of one rank. */
const char *halo_world_transport(const halo_world *world);

/* Local. The name of the waiting policy in use; for `auto`, the policy that was chosen. */
const char *halo_world_wait_policy(const halo_world *world);

/* Local. True if this rank may have other threads, which send no messages. */
bool halo_world_allows_threads(const halo_world *world);

/* Local. Seconds this rank has spent in halo_wait since the world was created. */
double halo_world_waited(const halo_world *world);

/* Local. Notes that the rank calls its kernel for this beat, from 0, and that it has returned. */
void halo_world_begin_update(const halo_world *world, int64_t beat);
void halo_world_end_update(const halo_world *world);

/* Local. The number of beats this rank has done in this world, of all kernels. Code that runs beats
 * adds them with halo_world_count_beats. */
int64_t halo_world_beats(const halo_world *world);
void halo_world_count_beats(halo_world *world, int64_t beats);

/* Local. Injects the slowdown of this rank (halo_world_options.slowdown) for the last `seconds` of
 * computing: computes for (factor - 1) * seconds more. Returns false if this rank is not slowed
 * down at this beat. */
bool halo_world_inject_slowdown(const halo_world *world, double seconds);

/* Work that a rank does for other ranks while it waits. halo_wait and the other waiting functions
 * call `serve` repeatedly. It must not wait; it tests requests by halo_test_in_service. */
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
 * the world. The part is identified by `destroy`, which gets the pointer before the world is
 * destroyed. */
void **halo_world_keep(halo_world *world, void (*destroy)(void *data));

/* Local. Waits until all [count] requests are complete; HALO_NO_REQUEST counts as complete. The
 * time is added to halo_world_waited. HALO_TRANSPORT. */
halo_status halo_wait(halo_world *world, int count, halo_request *requests);

/* Local. As halo_wait for one request, for at most about `seconds` (HUGE_VAL: no limit; on
 * simulated machines there is never a limit). Sets *complete to true if the request is complete,
 * else to false. HALO_TRANSPORT. */
halo_status halo_wait_for(halo_world *world, halo_request *request, double seconds, bool *complete);

/* Local. Waits until one of [count] requests is complete; at least one must be set. *index is the
 * request's index; *bytes is the number of bytes received, if it is a receive.
 * HALO_TRANSPORT. */
halo_status halo_wait_any(halo_world *world, int count, halo_request *requests, int *index,
                          int *bytes);

/* Local. Calls `holds` repeatedly until it returns true: for a condition on memory that other ranks
 * write. Also moves messages that are under way, since those ranks may be waiting for messages of
 * this one.
 * HALO_TRANSPORT. */
halo_status halo_wait_until(halo_world *world, bool (*holds)(void *context), void *context);

/* Local. Moves messages that are under way, without waiting, and calls services: for a rank that
 * waits for something else than requests. HALO_TRANSPORT; the failure of halo_world_fail. */
halo_status halo_world_progress(halo_world *world);

/* Local. Sets *complete to true if the request is complete, else to false, without waiting. Moves
 * messages that are under way. HALO_TRANSPORT. */
halo_status halo_test(halo_world *world, halo_request *request, bool *complete);

/* Local. halo_test for services: it calls none. */
halo_status halo_test_in_service(halo_world *world, halo_request *request, bool *complete);

/* Local. Sets *index to that of a complete request among [count], or to -1 if there is none or
 * none is set, without waiting. Moves messages that are under way. HALO_TRANSPORT. */
halo_status halo_test_any(halo_world *world, int count, halo_request *requests, int *index);

/* Collective. Agrees on a failure. If every rank passes HALO_OK, all return HALO_OK. Otherwise all
 * return the status of the lowest failing rank and get its message, prefixed with its number if
 * there is more than one rank, so that rank 0 can print one message and all ranks leave together. A
 * rank that passes a failure never gets HALO_OK. */
static inline halo_status halo_agree(halo_world *world, halo_status mine);

/* Collective. As halo_agree, whose inline wrapper tells compilers and analysers that agreement on
 * HALO_OK means that `mine` is HALO_OK. */
halo_status halo_world_agree(halo_world *world, halo_status mine);

/* Local. For a failure that this rank cannot agree on with the others, since they wait for other
 * things of it: what they wait for, now and later, ends with this failure, `status` and
 * halo_last_message(), where ranks are threads; under MPI the job ends, if halo_main or
 * halo_program_run has started it. On return this rank's messages are nobody's any more. Returns
 * `status`. */
halo_status halo_world_fail(halo_world *world, halo_status status);

static inline halo_status halo_agree(halo_world *world, halo_status mine)
{
    halo_status agreed = halo_world_agree(world, mine);
    return agreed == HALO_OK ? mine : agreed;
}

#endif
