#ifndef HALOBEAT_APP_SIGNALS_H
#define HALOBEAT_APP_SIGNALS_H

#include "base/status.h"

/* SIGTERM, SIGINT and SIGHUP as a request to stop that a run's watcher can see, instead of an end
 * at any moment. A process has one set of handlers, so this is for the program, not for libraries.
 *
 * A signal may reach a single rank, or the ranks at different beats: what is pending here must be
 * agreed over the ranks (halo_beat_options.watch does) before anybody acts on it.
 *
 * What the launchers do, MPICH 4.0 and Open MPI 4.1, by experiment:
 * - MPICH's mpiexec passes SIGINT and SIGTERM on to every rank, once, and waits for them without a
 *   limit; its exit status is the program's or, as often, 0. Each rank is in a session of its own,
 *   so that Ctrl-C in a terminal comes through mpiexec only. A second Ctrl-C makes mpiexec kill
 *   all ranks at once, and leave with 255; SIGHUP (a closed terminal) kills them without any
 *   signal to catch.
 * - Open MPI's mpirun turns both into SIGTERM, waits odls_base_sigkill_timeout seconds (1 by
 *   default) before it sends it, kills the ranks as long after, and exits with 1 in any case. Work
 *   that takes longer after a signal either needs `--mca odls_base_sigkill_timeout SECONDS`, or
 *   the signal sent to a rank instead of to mpirun: then nobody kills anybody, and the exit status
 *   is the program's. */

/* Local. From now on the signals are noted, SIGTERM and SIGINT also where they were ignored:
 * mpiexec passes them on only when somebody meant it. SIGHUP stays ignored where it was, as under
 * nohup. A second SIGINT ends the process as if it had never been caught, for users who cannot
 * wait. Interrupted system calls go on. Nothing is pending at first. HALO_ARGUMENT if they are
 * caught already or the system refuses. */
halo_status halo_signals_catch(void);

/* Local. The number of the first signal since halo_signals_catch, 0 if there was none. */
int halo_signals_pending(void);

/* Local. What was done about the signals before. What is pending stays so. */
void halo_signals_release(void);

#endif
