#define _GNU_SOURCE /* setenv */
/* Which library for MPI is taken, of two that are installed side by side. Neither can be loaded:
 * they are files with a name. */

#include "core/transport/processes.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <unistd.h>

static const char *const variables[] = {
    "PMI_FD", "PMI_SIZE", "PMI_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"};

static void install(const char *file, const char *name)
{
    char text[200];
    int length = snprintf(text, sizeof text, "%s%s", HALO_PROCESSES_MARK, name);
    scratch_write(file, text, (size_t)length + 1);
}

TEST("the one for the program's MPI, also where the first question was asked before it had one")
{
    char folder[4096], text[HALO_TRANSPORTS_TEXT];
    int handle = 0;
    void *pointer = NULL;
    halo_world *world;
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(folder, sizeof folder));
    install("libhalobeat_mpich.so." HALOBEAT_INTERFACE, "MPICH 4.0.2");
    install("libhalobeat_openmpi.so." HALOBEAT_INTERFACE, "Open MPI 4.1.4");
    setenv("HALOBEAT_LIBDIR", folder, 1);
    for (size_t i = 0; i < COUNT(variables); i++) {
        unsetenv(variables[i]);
    }
    CU_ASSERT_FALSE(halo_processes_are_linked());
    CU_ASSERT_EQUAL(halo_processes_kind(), HALO_MPICH);
    halo_transports_describe(text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "threads, MPI (MPICH 4.0.2, Open MPI 4.1.4)");
    FAILS(HALO_ARGUMENT, "libhalobeat_openmpi.so.",
          halo_processes_adopt(&world, &pointer, sizeof pointer));
    CU_ASSERT_PTR_NULL(world);
    FAILS(HALO_ARGUMENT, "libhalobeat_mpich.so.",
          halo_processes_adopt(&world, &handle, sizeof handle));
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    CU_ASSERT_EQUAL(halo_processes_kind(), HALO_OPEN_MPI);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    CU_ASSERT_EQUAL(halo_processes_kind(), HALO_MPICH);
}

int main(void)
{
    return scratch_run();
}
