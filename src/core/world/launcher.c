#define _DEFAULT_SOURCE /* unsetenv */
#include "core/world/launcher.h"

#include <mpi.h> /* which MPI this is */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- which launcher, and how many it has started --------------------------------------------- */

#ifdef OPEN_MPI
#define BY_SRUN "srun --mpi=pmix"
#define BY_FLUX "flux run -o pmi=pmix"
#define OWN_MPI "Open MPI"
#else
#define BY_SRUN "srun --mpi=pmi2"
#define BY_FLUX "flux run -o pmi=simple"
#define OWN_MPI "MPICH"
#endif

/* A launcher: the environment variables that tell a process its rank and the number of ranks, and
 * what starts ranks that find each other. Without a variable for the number, a rank above 0 says
 * that there are several. */
typedef struct {
    const char *rank, *count, *name, *remedy;
} launcher;

#define MPICH_ROW                                                    \
    {                                                                \
        "PMI_RANK", "PMI_SIZE", "mpiexec", "the mpiexec of " OWN_MPI \
    }
#define OPEN_MPI_ROW                                                                         \
    {                                                                                        \
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpiexec", "the mpiexec of " OWN_MPI \
    }

/* The first whose variables are set decides, since launchers start each other: mpiexec starts its
 * proxies by srun, but not srun by mpiexec. The one of this MPI is the first of all. */
static const launcher launchers[] = {
#ifdef OPEN_MPI
    OPEN_MPI_ROW,
    MPICH_ROW,
#else
    MPICH_ROW,
    OPEN_MPI_ROW,
#endif
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "mpirun_rsh", "the mpiexec of " OWN_MPI},
    {"PALS_RANKID", "PALS_SIZE", "PALS's mpiexec", "the mpiexec of " OWN_MPI},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "jsrun", "the mpiexec of " OWN_MPI},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "flux", BY_FLUX},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun", BY_SRUN},
    {"PMIX_RANK", NULL, "a launcher with PMIx", "the mpiexec of " OWN_MPI},
    {"PBS_NODENUM", NULL, "pbsdsh", "the mpiexec of " OWN_MPI},
};

enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

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
        rank = read_number(launchers[i].rank, -1);
    }
    return rank;
}

/* How many processes it has started; HALO_COPIES_UNKNOWN; 0 if it has not started this one. */
static int count_copies(const launcher *by)
{
    if (by->count != NULL && getenv(by->count) != NULL) {
        return read_number(by->count, 0);
    }
    /* A batch script of Slurm is rank 0 of no step. */
    return read_number(by->rank, 0) > 0 ? HALO_COPIES_UNKNOWN : 0;
}

halo_copies halo_launcher_copies(void)
{
    halo_copies found = {.count = 1};
    int first = 0;
    while (first < LAUNCHERS && count_copies(&launchers[first]) == 0) {
        first++;
    }
    int count = first < LAUNCHERS ? count_copies(&launchers[first]) : 1;
    /* A workload manager sets the variables of an MPI, too: the last that counts as many is it. */
    for (int i = first; i < LAUNCHERS && count > 1; i++) {
        if (count_copies(&launchers[i]) == count) {
            found = (halo_copies){count, launchers[i].name, launchers[i].remedy};
        }
    }
    return found;
}

const char *halo_launcher_mpi(void)
{
    return OWN_MPI;
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

static int launcher_socket(void)
{
    return read_number("PMI_FD", -1);
}

bool halo_launcher_is_there(void)
{
    return launcher_socket() >= 0;
}

bool halo_launcher_is_own(void)
{
#ifdef OPEN_MPI
    return getenv("OMPI_COMM_WORLD_SIZE") != NULL;
#else
    return halo_launcher_is_there() || getenv("PMI_PORT") != NULL;
#endif
}

static bool send_line(const char *line)
{
    return halo_launcher_is_there() &&
           write(launcher_socket(), line, strlen(line)) == (ssize_t)strlen(line);
}

void halo_launcher_leave(void)
{
    struct pollfd reading = {.fd = launcher_socket(), .events = POLLIN};
    char answer[64];
    if (send_line("cmd=finalize\n") && poll(&reading, 1, 1000) == 1) {
        ssize_t got = read(reading.fd, answer, sizeof answer);
        (void)got;
    }
}

void halo_launcher_abort(int status)
{
    char line[64];
    snprintf(line, sizeof line, "cmd=abort exitcode=%d\n", status);
    send_line(line);
}
