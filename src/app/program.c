#define _POSIX_C_SOURCE 200809L
#include "app/program.h"

#include "app/stencil/stencil.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int halo_main(int argc, char **argv, const halo_kernel *kernel)
{
    int started = 0;
    const stencil_program program = {.name = argc > 0 ? base_name(argv[0]) : kernel->name,
                                     .kernel = kernel};
    /* A file that may not grow is an error to be told, not a reason to be killed. */
    signal(SIGXFSZ, SIG_IGN);
    MPI_Initialized(&started);
    if (!started && MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        fprintf(stderr, "%s: MPI could not be started\n", program.name);
        return APP_FAILED;
    }
    int status = stencil_main(&program, argc, argv);
    if (!started) {
        MPI_Finalize();
    }
    return status;
}
