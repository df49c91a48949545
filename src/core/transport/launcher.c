#define _DEFAULT_SOURCE /* unsetenv */
#include "core/transport/launcher.h"

#include "base/status.h"
#include "core/transport/processes.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- which launcher, and how many it has started --------------------------------------------- */

/* Launchers that start the ranks of an MPI so that they find each other. */
typedef enum { BY_MPIEXEC, BY_SRUN, BY_FLUX, WAYS } way;

static const struct {
    const char *name, *ways[WAYS];
    const char *package; /* Debian's, of the library for it */
} libraries[] = {
    [HALO_MPICH] = {"MPICH",
                    {[BY_MPIEXEC] = "the mpiexec of MPICH",
                     [BY_SRUN] = "srun --mpi=pmi2",
                     [BY_FLUX] = "flux run -o pmi=simple"},
                    "libhalobeat-mpich" HALOBEAT_INTERFACE},
    [HALO_OPEN_MPI] = {"Open MPI",
                       {[BY_MPIEXEC] = "the mpiexec of Open MPI",
                        [BY_SRUN] = "srun --mpi=pmix",
                        [BY_FLUX] = "flux run -o pmi=pmix"},
                       "libhalobeat-openmpi" HALOBEAT_INTERFACE},
};

/* A launcher: the environment variables that tell a process its rank and the number of ranks, and
 * what is to be used in its place, or how. Without a variable for the number, a rank above 0 says
 * that there are several. */
typedef struct {
    const char *rank, *count, *name;
    way remedy;
} launcher;

/* The first whose variables are set decides, since launchers start each other: mpiexec starts its
 * proxies by srun, but not srun by mpiexec. The one of this MPI is the first of all. */
static const launcher launchers[] = {
    {"PMI_RANK", "PMI_SIZE", "mpiexec", BY_MPIEXEC},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpiexec", BY_MPIEXEC},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "mpirun_rsh", BY_MPIEXEC},
    {"PALS_RANKID", "PALS_SIZE", "PALS's mpiexec", BY_MPIEXEC},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "jsrun", BY_MPIEXEC},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "flux", BY_FLUX},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun", BY_SRUN},
    {"PMIX_RANK", NULL, "a launcher with PMIx", BY_MPIEXEC},
    {"PBS_NODENUM", NULL, "pbsdsh", BY_MPIEXEC},
};

enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

static bool is_set(const launcher *by)
{
    return getenv(by->rank) != NULL || (by->count != NULL && getenv(by->count) != NULL);
}

/* The i-th launcher to be looked at: of the first two, Open MPI's where this is Open MPI. */
static const launcher *launcher_at(int i)
{
    bool exchanged = i < 2 && is_set(&launchers[1]) && halo_processes_kind() == HALO_OPEN_MPI;
    return &launchers[exchanged ? 1 - i : i];
}

/* The number in a variable; `none` if it is not set. */
static int read_number(const char *name, int none)
{
    const char *number = name != NULL ? getenv(name) : NULL;
    return number != NULL ? atoi(number) : none;
}

int halo_launcher_rank(void)
{
    int rank = -1;
    for (int i = 0; i < LAUNCHERS && rank < 0; i++) {
        rank = read_number(launcher_at(i)->rank, -1);
    }
    return rank;
}

int halo_launcher_local_rank(void)
{
    return read_number("MPI_LOCALRANKID", read_number("OMPI_COMM_WORLD_LOCAL_RANK", -1));
}

/* Return the number of processes that the launcher has started; HALO_COPIES_UNKNOWN; 0 if it has
 * not started this one. */
static int count_copies(const launcher *by)
{
    if (by->count != NULL && getenv(by->count) != NULL) {
        return read_number(by->count, 0);
    }
    /* A batch script of Slurm is rank 0 of no step. */
    return read_number(by->rank, 0) > 0 ? HALO_COPIES_UNKNOWN : 0;
}

/* A launcher passes the variables of another one on that has started it. Hydra's, and those of
 * others with its protocol, name a socket, which Open MPI's launcher closes. */
halo_mpi_kind halo_launcher_mpi(void)
{
    struct stat socket;
    if (fstat(halo_launcher_socket(), &socket) == 0 && S_ISSOCK(socket.st_mode)) {
        return HALO_MPICH;
    }
    if (getenv("OMPI_COMM_WORLD_SIZE") != NULL || getenv("PMIX_RANK") != NULL) {
        return HALO_OPEN_MPI;
    }
    return halo_launcher_is_there() || getenv("PMI_PORT") != NULL || getenv("PMI_RANK") != NULL
               ? HALO_MPICH
               : HALO_NO_MPI;
}

halo_copies halo_launcher_copies(void)
{
    halo_copies found = {.count = 1};
    int first = 0;
    while (first < LAUNCHERS && count_copies(launcher_at(first)) == 0) {
        first++;
    }
    int count = first < LAUNCHERS ? count_copies(launcher_at(first)) : 1;
    /* A workload manager sets the variables of an MPI, too: the last that counts as many is it. */
    for (int i = first; i < LAUNCHERS && count > 1; i++) {
        const launcher *one = launcher_at(i);
        if (count_copies(one) == count) {
            found =
                (halo_copies){count, one->name, libraries[halo_processes_kind()].ways[one->remedy]};
        }
    }
    return found;
}

halo_status halo_launcher_refuse(halo_copies copies)
{
    enum { NUMBER = 16 };
    char number[NUMBER] = "several";
    if (copies.count < HALO_COPIES_UNKNOWN) {
        snprintf(number, sizeof number, "%d", copies.count);
    }
    if (halo_processes_kind() == HALO_NO_MPI) {
        return halo_fail(HALO_ARGUMENT,
                         "%s has started %s copies, each of which would do the whole job: the "
                         "library that connects them by MPI is not found beside this program; "
                         "start it by itself, and it computes on all cores of one machine, or "
                         "install libhalobeat_mpi (" HALO_PROCESSES_SOURCE
                         "; HALOBEAT_SINGLE=1 lets each copy run by itself)",
                         copies.name, number);
    }
    halo_mpi_kind other = halo_launcher_mpi();
    bool known = other != HALO_NO_MPI && other != halo_processes_kind();
    return halo_fail(HALO_ARGUMENT,
                     "%s has started %s copies, but not as ranks of one job: it is set up for "
                     "another MPI than %s, with which libhalobeat_mpi is built; use %s%s%s%s "
                     "(HALOBEAT_SINGLE=1 lets each copy run by itself)",
                     copies.name, number, libraries[halo_processes_kind()].name, copies.remedy,
                     known ? ", or install the library for its MPI (Debian: " : "",
                     known ? libraries[other].package : "", known ? ")" : "");
}

halo_status halo_launcher_check(void)
{
    halo_copies copies = halo_launcher_copies();
    return copies.count > 1 && halo_processes_kind() == HALO_NO_MPI ? halo_launcher_refuse(copies)
                                                                    : HALO_OK;
}

/* A launcher that has only PMIx does not say how many it has started. */
bool halo_launcher_has_ranks(void)
{
    return halo_launcher_is_own() || halo_launcher_copies().count > 1 ||
           (getenv("PMIX_RANK") != NULL && halo_processes_kind() != HALO_NO_MPI);
}

bool halo_launcher_is_variable(const char *variable)
{
    static const char *const begins[] = {"PMI",   "PMIX_", "OMPI_",     "PRTE_", "HYDRA_",
                                         "HYDI_", "MPIR_", "MPI_LOCAL", "MV2_",  "PALS_"};
    size_t length = strcspn(variable, "=");
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        if (strncmp(variable, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    for (int i = 0; i < LAUNCHERS; i++) {
        const char *names[] = {launchers[i].rank, launchers[i].count};
        for (int k = 0; k < 2; k++) {
            if (names[k] != NULL && strlen(names[k]) == length &&
                memcmp(names[k], variable, length) == 0) {
                return true;
            }
        }
    }
    return false;
}

void halo_launcher_take_single(void)
{
    enum { NAME = 128 };
    extern char **environ;
    const char *single = getenv("HALOBEAT_SINGLE");
    if (single == NULL || strcmp(single, "1") != 0) {
        return;
    }
    for (size_t i = 0; environ[i] != NULL;) {
        char name[NAME];
        size_t length = strcspn(environ[i], "=");
        if (length < sizeof name && halo_launcher_is_variable(environ[i])) {
            memcpy(name, environ[i], length);
            name[length] = '\0';
            unsetenv(name); /* the next one takes its place */
        } else {
            i++;
        }
    }
}

/* ---- version 1 of PMI ------------------------------------------------------------------------ */

int halo_launcher_socket(void)
{
    return read_number("PMI_FD", -1);
}

bool halo_launcher_is_there(void)
{
    return halo_launcher_socket() >= 0;
}

bool halo_launcher_is_own(void)
{
    bool simple = halo_launcher_is_there() || getenv("PMI_PORT") != NULL;
    return (simple && halo_processes_kind() == HALO_MPICH) ||
           (getenv("OMPI_COMM_WORLD_SIZE") != NULL && halo_processes_kind() == HALO_OPEN_MPI);
}

bool halo_launcher_ends_all(void)
{
    return halo_launcher_is_there() ||
           (getenv("OMPI_COMM_WORLD_SIZE") != NULL && getenv("PMIX_RANK") != NULL);
}

static bool send_line(int socket, const char *line)
{
    return socket >= 0 && write(socket, line, strlen(line)) == (ssize_t)strlen(line);
}

void halo_launcher_leave(void)
{
    struct pollfd reading = {.fd = halo_launcher_socket(), .events = POLLIN};
    char answer[64];
    if (send_line(reading.fd, "cmd=finalize\n") && poll(&reading, 1, 1000) == 1) {
        ssize_t got = read(reading.fd, answer, sizeof answer);
        (void)got;
    }
}

void halo_launcher_let_print(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
}

void halo_launcher_abort(int socket, int status)
{
    char line[64];
    snprintf(line, sizeof line, "cmd=abort exitcode=%d\n", status);
    send_line(socket, line);
}
