#include "support/mpi_check.h"

#include "core/world/collect.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* CUnit's tests take no argument, so what they share has to be here. */
static halo_world *world;
static int64_t failures;
static char first_failure[256];

void expect(bool holds, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!holds && failures++ == 0) {
        vsnprintf(first_failure, sizeof first_failure, format, arguments);
    }
    va_end(arguments);
}

bool expect_agreed(void)
{
    int64_t sum = failures;
    halo_status status = halo_sum(world, &sum, 1);
    if (status == HALO_OK && sum > 0) {
        halo_status mine = failures == 0 ? HALO_OK : halo_fail(HALO_ARGUMENT, "%s", first_failure);
        status = halo_agree(world, mine);
        if (halo_world_rank(world) == 0) {
            printf("\n    %" PRId64 " checks failed; %s\n", sum, halo_last_message());
        }
    }
    failures = 0;
    return status == HALO_OK;
}

halo_world *mpi_check_world(void)
{
    return world;
}

static bool run_suite(const char *name, CU_TestInfo *tests)
{
    CU_SuiteInfo suites[] = {{name, NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        return false;
    }
    CU_basic_set_mode(halo_world_rank(world) == 0 ? CU_BRM_VERBOSE : CU_BRM_SILENT);
    if (halo_world_rank(world) != 0 && freopen("/dev/null", "w", stdout) == NULL) {
        return false; /* CUnit's summary knows no silence */
    }
    CU_basic_run_tests();
    bool good = CU_get_number_of_failures() == 0 && CU_get_number_of_tests_run() > 0;
    CU_cleanup_registry();
    return good;
}

int mpi_check_run(int argc, char **argv, const char *suite, CU_TestInfo *tests)
{
    MPI_Init(&argc, &argv);
    bool good = halo_world_create(&world, MPI_COMM_WORLD, NULL) == HALO_OK;
    if (!good) {
        fprintf(stderr, "%s\n", halo_last_message());
    } else {
        good = run_suite(suite, tests);
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return good ? 0 : 1;
}
