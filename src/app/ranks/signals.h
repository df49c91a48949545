#ifndef HALOBEAT_APP_RANKS_SIGNALS_H
#define HALOBEAT_APP_RANKS_SIGNALS_H

#include "core/world/world.h"

/* Stopping on SIGTERM, SIGINT and SIGHUP: the signal becomes a request that a run's watcher can
 * see, instead of ending the process at once. A process has one set of handlers, so this is for
 * programs, not for libraries.
 *
 * A signal may reach one rank only, or the ranks at different beats: the ranks must agree on what
 * is pending (halo_beat_options.watch does) before they act on it.
 *
 * Behaviour of launchers, MPICH 4.0 and Open MPI 4.1, by experiment:
 * - MPICH's mpiexec passes SIGINT and SIGTERM to every rank, once, and waits for them without a
 *   limit; its exit status is that of the program or, as often, 0. Each rank is in a session of its
 *   own, so Ctrl-C in a terminal reaches it through mpiexec only. After a second Ctrl-C mpiexec
 *   kills all ranks at once and exits with 255. On SIGHUP (a closed terminal) it kills them without
 *   a signal that can be caught.
 * - Open MPI's mpirun turns both into SIGTERM, waits odls_base_sigkill_timeout seconds (1 by
 *   default) before it sends it, kills the ranks as many seconds later, and always exits with 1.
 *   Work that takes longer after a signal needs either `--mca odls_base_sigkill_timeout SECONDS`,
 *   or the signal sent to a rank instead of mpirun: then no rank is killed, and the exit status is
 *   that of the program. */

/* Local. Catches the signals. SIGTERM and SIGINT are caught even if they were ignored, since
 * mpiexec passes them on only on purpose; SIGHUP stays ignored if it was, as under nohup. A second
 * SIGINT ends the process as without handlers. Interrupted system calls are restarted. Nothing is
 * pending at first. HALO_ARGUMENT if they are caught already or the system refuses. */
halo_status halo_signals_catch(void);

/* Local. Are they caught now? */
bool halo_signals_caught(void);

/* Local. The number of the first signal since halo_signals_catch, 0 if there was none. */
int halo_signals_pending(void);

/* Local. From now on, until signals are caught again, halo_signals_pending says 0, so that what
 * runs goes on to its end; halo_signals_noted says what halo_signals_pending would. */
void halo_signals_hold(void);
int halo_signals_noted(void);

/* Local. Restores the previous handlers. A pending signal stays pending. */
void halo_signals_release(void);

/* Collective. Each process of the world catches the signals: where ranks are threads, rank 0 does,
 * and what is pending is so for all. Errors of halo_signals_catch, on all ranks. */
halo_status app_signals_catch(halo_world *world);

/* Local. The rank that has caught them releases them. */
void app_signals_release(const halo_world *world);

#endif
