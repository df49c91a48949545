#ifndef HALOBEAT_CORE_WORLD_MONITOR_H
#define HALOBEAT_CORE_WORLD_MONITOR_H

#include "core/world/activity.h"
#include "core/world/world.h"

/* A monitor that finds ranks that have fallen silent: stopped, disconnected, without power. MPI
 * waits for them for ever without a message. A thread of each process sends datagrams to two
 * watchers, rank 0 and the lowest rank on another host, and they answer. The thread sends while its
 * rank computes or waits, so that a rank that is busy for minutes is not silent. A process has one
 * monitor. */

enum { HALO_EXIT_LOST = 75 }; /* EX_TEMPFAIL of sysexits.h: try again later */

typedef struct {
    const char *program;        /* name at the start of messages */
    double patience;            /* seconds of silence after which the job ends; 0: only warn */
    const halo_activity *ranks; /* [count] that are threads of this process */
    int count;
} halo_monitor_options;

/* Local, before MPI is started, so that a slow start is reported. The data that `options` point to
 * must outlive the monitor. If threads or sockets are not available there is no monitor, without an
 * error. */
void halo_monitor_begin(const halo_monitor_options *options);

/* Local. The same for a process whose ranks are threads, none of which can be silent by itself:
 * what halo_monitor_stop says. A rank that does not return from its kernel, while the others wait
 * for it, is named after 30 s, and ends the job after `patience`. */
void halo_monitor_begin_alone(const halo_monitor_options *options);

/* Collective. Gives every rank the addresses of its watchers. HALO_TRANSPORT, HALO_MEMORY on all
 * ranks. */
halo_status halo_monitor_connect(halo_world *world);

/* Local. Sets the phase that this rank reports, a string that outlives the monitor. Cheap. */
void halo_monitor_phase(const char *phase);

/* Local. Sets the number of beats that this rank reports. Cheap. */
void halo_monitor_beat(int64_t beats);

/* Local; may be called by a signal handler, each time the job is asked to stop. If a rank is
 * silent, which cannot finish its beat, the job ends within 10 s. Otherwise it may finish its beat
 * and save; asked again after 10 s, it ends at once. */
void halo_monitor_stop(void);

/* Local. Tells all reachable ranks that this rank ends the job: they exit with status
 * HALO_EXIT_LOST, without a message. Monitoring ends; the process must end within half a second. */
void halo_monitor_announce_end(void);

/* Local. Ends monitoring. */
void halo_monitor_end(void);

#endif
