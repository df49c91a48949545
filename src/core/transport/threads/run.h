#ifndef HALOBEAT_CORE_TRANSPORT_THREADS_RUN_H
#define HALOBEAT_CORE_TRANSPORT_THREADS_RUN_H

#include "core/world/world.h"

/* Worlds whose ranks are threads of one process. They need neither MPI nor a launcher, and messages
 * between them are copies in memory. A rank may have further threads, which send nothing.
 *
 * What ranks do must be safe for threads: data of the process (static variables, the working
 * folder, handlers of signals) are shared by all ranks. */

/* The function that each rank calls. */
typedef halo_status halo_rank_body(halo_world *world, void *context);

/* Local. Calls `body` on each of `ranks` ranks, at the same time, and returns when all have
 * returned. The calling thread is rank 0; the others are new threads in which signals are blocked.
 * The world is destroyed after `body` has returned. `options` may be NULL. Returns a failure of a
 * rank, with its message; where one rank fails, and the others do not know of it, what they wait
 * for ends with the same failure. HALO_ARGUMENT for an unknown policy or a number of ranks below 1;
 * HALO_MEMORY, also if the system allows no more threads: then no rank has begun. */
halo_status halo_run_sized(int ranks, const halo_world_options *options, halo_rank_body *body,
                           void *context, size_t options_bytes);
#define halo_run(...) halo_run_sized(__VA_ARGS__, sizeof(halo_world_options))

/* Local. As halo_run, but where the system allows no threads for *ranks ranks it runs fewer: half
 * as many as there could be, since ranks need some for other things, and at least 1. Where address
 * space is limited (ulimit -v), there are as many as take no more than half of it. *ranks becomes
 * their number before a rank begins. */
halo_status halo_run_fewer_sized(int *ranks, const halo_world_options *options,
                                 halo_rank_body *body, void *context, size_t options_bytes);
#define halo_run_fewer(...) halo_run_fewer_sized(__VA_ARGS__, sizeof(halo_world_options))

/* The ranks of a program that brings its own threads. */
typedef struct halo_team halo_team;

/* Local. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_team_create(halo_team **out, int ranks);

/* Collective: called once on a thread for each rank of the team. Creates a world, which the same
 * thread destroys by halo_world_destroy before the team is destroyed; until then the memory that it
 * takes is in the rank's account (base/memory.h). `options` as above. HALO_ARGUMENT,
 * HALO_MEMORY on all ranks. */
halo_status halo_world_create_threads_sized(halo_world **out, halo_team *team, int rank,
                                            const halo_world_options *options,
                                            size_t options_bytes);
#define halo_world_create_threads(...) \
    halo_world_create_threads_sized(__VA_ARGS__, sizeof(halo_world_options))

/* Local, by any thread. All that ranks wait for ends with this failure, now and later. For a
 * program that cannot start the thread of a rank, or whose thread leaves without
 * halo_world_create_threads: the others would wait for it. halo_world_fail is for ranks. */
void halo_team_break(halo_team *team, halo_status status, const char *message);

/* Local. Accepts a pointer to NULL; sets it to NULL. */
void halo_team_destroy(halo_team **team);

#endif
