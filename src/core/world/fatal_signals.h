#ifndef HALOBEAT_CORE_WORLD_FATAL_SIGNALS_H
#define HALOBEAT_CORE_WORLD_FATAL_SIGNALS_H

#include <signal.h>

/* Handlers of signals that a fault of the program raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT)
 * are the program's to install, not those of the libraries below MPI: the handler of UCX allocates
 * memory, so that a fault within malloc waits for ever in place of ending the job. */

enum { HALO_FATAL_SIGNALS = 5 };

typedef struct {
    struct sigaction action[HALO_FATAL_SIGNALS];
} halo_fatal_signals;

/* Local, before MPI is started. Notes the handlers that there are. */
void halo_fatal_signals_note(halo_fatal_signals *before);

/* Local, after MPI is started. Sets back the handlers that have been installed since, and to the
 * default those of UCX, which installs them when it is loaded. Handlers of the program, of
 * sanitizers and of other libraries stay. */
void halo_fatal_signals_restore(const halo_fatal_signals *before);

#endif
