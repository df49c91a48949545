#ifndef HALOBEAT_TESTS_SIM_TIME_SHARING_H
#define HALOBEAT_TESTS_SIM_TIME_SHARING_H

#include <stdbool.h>

/* Processes that share a simulated processor as under Solaris, the system of the Suns: SimGrid
 * itself divides a processor's speed among all at every moment. One of them has it at a time: of
 * those on the highest level, 0 to 59, the first in the queue. Who has used up the time slice of
 * its level goes ten levels down; who has slept gets a high level; and so do, once a second, all
 * that wait at that moment. Levels and slices (20 to 200 ms) are those of the table that the system
 * came with: "Timesharing Parameter Table", System Administration Guide, Sun Microsystems, 1995.
 * Nothing else is left open but when in a second the waiting processes are raised.
 *
 * A process that waits for messages by looking for them again and again uses its slices for that,
 * and sees a message only when it has the processor.
 *
 * For programs linked with --wrap for the MPI functions at the end of time_sharing.c. */
typedef struct time_sharing time_sharing;

enum { TIME_SHARING_PROCESSES = 8 };

/* Local; for one of the computer's processes, which gives the others the pointer: on simulated
 * machines all processes are in one address space. NULL if there is no memory. */
time_sharing *time_sharing_create(void);
void time_sharing_destroy(time_sharing *processor);

/* Local. From now on this process, 0 to TIME_SHARING_PROCESSES - 1, shares a processor; NULL: has
 * one for itself. `spins`: it looks for messages while it waits. `some_spin`: one of those that it
 * reduces something with does. `phase`: seconds, 0 to 1, till waiting processes are raised first.
 */
void time_sharing_join(time_sharing *processor, int process, bool spins, bool some_spin,
                       double phase);

/* Local. Computes, when it has the processor. */
void time_sharing_compute(double flops);

#endif
