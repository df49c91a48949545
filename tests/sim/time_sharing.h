#ifndef HALOBEAT_TESTS_SIM_TIME_SHARING_H
#define HALOBEAT_TESTS_SIM_TIME_SHARING_H

#include <stdbool.h>

/* Processes that share a simulated processor as under Solaris, the system of the Sun computers.
 * (SimGrid itself divides a processor's speed among all processes at every moment.) One process
 * runs at a time: the first in the queue of the highest level, 0 to 59, that has any. A process
 * that has used the time slice of its level goes down ten levels; one that has slept gets a high
 * level; and once a second so do all waiting processes. Levels and slices (20 to 200 ms) are those
 * of the system's table: "Timesharing Parameter Table", System Administration Guide, Sun
 * Microsystems, 1995. The only free parameter is the moment in a second at which waiting processes
 * are raised.
 *
 * A process that polls for messages while it waits uses its slices for that, and sees a message
 * only when it has the processor.
 *
 * For programs linked with --wrap for the MPI functions at the end of time_sharing.c. */
typedef struct time_sharing time_sharing;

enum { TIME_SHARING_PROCESSES = 8 };

/* Local; for one of the computer's processes, which passes the pointer to the others: on simulated
 * machines all processes are in one address space. NULL if there is no memory. */
time_sharing *time_sharing_create(void);
void time_sharing_destroy(time_sharing *processor);

/* Local. This process, 0 to TIME_SHARING_PROCESSES - 1, shares a processor from now on; NULL: it
 * has one for itself. `spins`: it polls for messages while it waits. `some_spin`: one of the
 * processes that it does reductions with does. `phase`: seconds, 0 to 1, until waiting processes
 * are raised first. */
void time_sharing_join(time_sharing *processor, int process, bool spins, bool some_spin,
                       double phase);

/* Local. Computes when it has the processor. */
void time_sharing_compute(double flops);

#endif
