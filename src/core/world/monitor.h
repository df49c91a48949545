#ifndef HALOBEAT_CORE_WORLD_MONITOR_H
#define HALOBEAT_CORE_WORLD_MONITOR_H

#include "core/world/world.h"

/* Finds ranks that have fallen silent: stopped, cut off, without power. MPI waits for them for ever
 * and says nothing. A thread of each process sends datagrams to two watchers, rank 0 and the lowest
 * rank on another host, and they answer; the thread sends while its rank computes or waits, so a
 * rank that is busy for minutes is not silent. One process has one monitor. */

enum { HALO_EXIT_LOST = 75 }; /* sysexits.h: try again later */

typedef struct {
    const char *program; /* begins messages */
    double patience;     /* seconds of silence after which the job ends; 0: it only warns */
} halo_monitor_options;

/* Local, before MPI is started: from now on a long start is reported. What `options` point to must
 * outlive the monitor. Without threads or sockets there is no monitor: not an error. */
void halo_monitor_begin(const halo_monitor_options *options);

/* Collective. Every rank gets to know its watchers. HALO_MPI, HALO_MEMORY on all ranks. */
halo_status halo_monitor_connect(halo_world *world);

/* Local. What this rank does, a string that outlives the monitor; cheap. */
void halo_monitor_phase(const char *phase);

/* Local. How many beats this rank has done; cheap. */
void halo_monitor_beat(int64_t beats);

/* Local, may be called by a signal handler, each time that the job is asked to stop. Where a rank
 * gives no sign, which cannot come to the end of its beat, the job is over within 10 s. Otherwise
 * it may finish its beat and save; asked again after 10 s, it ends at once. */
void halo_monitor_stop(void);

/* Local. Tells all ranks that can be reached that this one ends the job: they end with status
 * HALO_EXIT_LOST, and say nothing. Nobody is watched any more; to be followed by the end of the
 * process, in half a second at most. */
void halo_monitor_announce_end(void);

/* Local. No rank is watched from now on. */
void halo_monitor_end(void);

#endif
