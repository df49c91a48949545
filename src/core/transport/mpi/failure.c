#define _DEFAULT_SOURCE /* gethostname, sigaction */
#include "core/transport/mpi/failure.h"

#include "base/printable.h"
#include "core/transport/launcher.h"
#include "core/transport/mpi/mpi_internal.h"
#include "core/world/monitor.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds that MPI has to end the job: on a host that is cut off, MPI_Abort does not return. */
enum { ABORT_WITHIN = 3, HOST = 64 };

/* MPI is of a process, and so is what its failures lead to. */
static const char *ending_program;

static volatile sig_atomic_t leaving_status = HALO_EXIT_LOST;

static void leave(int signal)
{
    (void)signal;
    _exit(leaving_status);
}

static void leave_in_time(int status)
{
    leaving_status = status;
    struct sigaction action = {.sa_handler = leave};
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigaction(SIGALRM, &action, NULL);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(ABORT_WITHIN); /* this ends the process, whatever it does by then */
}

static void say(const char *message)
{
    char host[HOST] = "", text[HALO_MESSAGE_SIZE + 2 * HOST];
    int rank = 0;
    gethostname(host, sizeof host - 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(text, sizeof text, "rank %d on %s ends the job: %s", rank, host, message);
    halo_print_line(ending_program, text);
}

void halo_mpi_failure(const char *message)
{
    int started = 0, ended = 0;
    if (ending_program == NULL) {
        return;
    }
    leave_in_time(HALO_EXIT_LOST);
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    if (started && !ended) {
        say(message);
        halo_launcher_let_print();
        halo_monitor_announce_end();
        MPI_Abort(MPI_COMM_WORLD, HALO_EXIT_LOST);
    }
    _exit(HALO_EXIT_LOST);
}

void halo_mpi_abandon(int status)
{
    int started = 0, rank = 0;
    leave_in_time(status);
    MPI_Initialized(&started);
    if (started) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    if (started && rank == 0) {
        halo_launcher_let_print();
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    while (started) { /* rank 0 ends it, or else the alarm */
        pause();
    }
    /* Launchers take a process that exits without MPI for one that has no need of it, and leave the
     * others waiting; not one that a signal ended. */
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
    _exit(status);
}

#ifdef HALOBEAT_SIMGRID
void halo_mpi_failure_ends_job(const char *program)
{
    ending_program = program;
}
#else
/* MPI calls this for errors of calls whose codes are not checked, and of requests, which belong to
 * no communicator. */
static void take_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)halo_mpi_status(*code, NULL);
}

void halo_mpi_failure_ends_job(const char *program)
{
    int started = 0;
    MPI_Errhandler handler;
    ending_program = program;
    MPI_Initialized(&started);
    if (started && MPI_Comm_create_errhandler(take_error, &handler) == MPI_SUCCESS) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
        MPI_Errhandler_free(&handler);
    }
}
#endif

halo_status halo_mpi_status(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) {
        snprintf(text, sizeof text, "error %d", code);
    }
    for (char *line; (line = strchr(text, '\n')) != NULL;) {
        *line = ' ';
    }
    halo_fail(HALO_TRANSPORT, "an MPI call failed: %.*s%s%s",
              call != NULL ? (int)strcspn(call, "(") : 0, call, call != NULL ? ": " : "", text);
    halo_mpi_failure(halo_last_message());
    return HALO_TRANSPORT;
}
