#ifndef HALOBEAT_TESTS_MPI_CHECK_H
#define HALOBEAT_TESTS_MPI_CHECK_H

#include "core/world/world.h"

#include <CUnit/CUnit.h>
#include <stdbool.h>

/* CUnit under MPI. Every rank runs the same tests. An assertion on one rank alone would leave the
 * others waiting, so checks are noted locally (expect) and brought together at the end of a test
 * (EXPECT_AGREED); only rank 0 prints. */

/* Local. Note a check; the message of a rank's first failed one is kept. */
void expect(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Collective. Were all checks of all ranks good since the last call? Otherwise rank 0 prints the
 * number of failed ones and the first message of the lowest rank that has one. */
bool expect_agreed(void);

/* The last line of every test. */
#define EXPECT_AGREED() CU_ASSERT_TRUE(expect_agreed())

/* The world the tests run in; `auto` waiting. */
halo_world *mpi_check_world(void);

/* Initialise MPI, run the tests (ended by CU_TEST_INFO_NULL), finalise; main's exit status. */
int mpi_check_run(int argc, char **argv, const char *suite, CU_TestInfo *tests);

#endif
