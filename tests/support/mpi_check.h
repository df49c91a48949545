#ifndef HALOBEAT_TESTS_MPI_CHECK_H
#define HALOBEAT_TESTS_MPI_CHECK_H

#include "core/world/world.h"

#include <CUnit/CUnit.h>
#include <stdbool.h>

/* CUnit under MPI. Every rank runs the same tests. An assertion on one rank alone would leave the
 * others waiting, so checks are noted locally (expect) and combined at the end of a test
 * (EXPECT_AGREED); only rank 0 prints.
 *
 * One start of a program runs its tests in worlds of several sizes, one after the other:
 *
 *     mpiexec -n 8 test_vote --ranks 1,2,3,5,8 --only tree
 *
 * --ranks lists the sizes; without it there is one world of all ranks. --only runs the tests whose
 * names contain a text. The first ranks of MPI_COMM_WORLD make each world; the others sleep. Tests
 * must therefore use the communicator of mpi_check_world and leave static variables as they found
 * them. They may store on rank 0, the same process in every world, what does not depend on the
 * number of ranks. */

/* Local. Notes a check; the message of a rank's first failed check is kept. */
void expect(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Local. Notes that a call must have succeeded; messages have the library's last message and, if
 * given, the `text` of the case. */
void expect_ok(halo_status status);
void expect_case_ok(const char *text, halo_status status);

/* Local. Notes that a call must have failed with this status, and a message that contains
 * `text`. */
void expect_fails(halo_status status, halo_status wanted, const char *text);

/* Collective. True if all checks of all ranks since the last call succeeded. Otherwise rank 0
 * prints the number of failed ones and the first message of the lowest rank with one. */
bool expect_agreed(void);

/* The last line of every test. */
#define EXPECT_AGREED() CU_ASSERT_TRUE(expect_agreed())

/* The world the tests run in; `auto` waiting. */
halo_world *mpi_check_world(void);

/* This rank in that world, and the number of ranks. */
int my_rank(void);
int all_ranks(void);

/* Initialises MPI, runs the tests (ended by CU_TEST_INFO_NULL), and finalises MPI. Returns main's
 * exit status. In every world `begin` is called before the first test and `end` after the last one;
 * each may be NULL, and must not end with EXPECT_AGREED. */
int mpi_check_run(int argc, char **argv, const char *suite, CU_TestInfo *tests, void (*begin)(void),
                  void (*end)(void));

/* The main of a program: its suite, both functions, and its tests, {name, function}. */
#define MPI_CHECK_MAIN_HOOKED(suite, begin, end, ...)               \
    int main(int argc, char **argv)                                 \
    {                                                               \
        CU_TestInfo tests[] = {__VA_ARGS__, CU_TEST_INFO_NULL};     \
        return mpi_check_run(argc, argv, suite, tests, begin, end); \
    }
#define MPI_CHECK_MAIN(suite, ...) MPI_CHECK_MAIN_HOOKED(suite, NULL, NULL, __VA_ARGS__)

#endif
