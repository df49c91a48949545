#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "core/transport/mpi/start.h"

#include "base/printable.h"
#include "core/transport/launcher.h"
#include "core/world/fatal_signals.h"
#include "core/world/monitor.h"

#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* A process starts MPI once; NULL: not just now. */
static const char *volatile starting_program;
static int launcher_socket;

/* Ends the whole job: a launcher does not end the other ranks when one exits before MPI is
 * started. */
static void leave(void)
{
    if (starting_program != NULL) {
        halo_print_line(starting_program,
                        "MPI could not be started, for the reason above; see whether memory "
                        "(ulimit -v, the control group), /dev/shm or the number of open files "
                        "(ulimit -n) is at its limit, and try again");
        halo_launcher_let_print();
        halo_launcher_abort(launcher_socket, HALO_EXIT_LOST);
        _exit(HALO_EXIT_LOST);
    }
}

static void take_abort(int signal)
{
    (void)signal;
    leave();
}

halo_status halo_mpi_start(int *argc, char ***argv, const char *program)
{
    int provided;
    halo_fatal_signals handlers;
    struct sigaction action = {.sa_handler = take_abort};
    halo_fatal_signals_note(&handlers);
    bool watched = atexit(leave) == 0;
    sigemptyset(&action.sa_mask);
    sigaction(SIGABRT, &action, NULL);
    launcher_socket = halo_launcher_socket();
    starting_program = watched && program != NULL ? program : NULL;
    int code = MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    starting_program = NULL;
    halo_fatal_signals_restore(&handlers);
    return code == MPI_SUCCESS ? HALO_OK : halo_fail(HALO_TRANSPORT, "MPI could not be started");
}
