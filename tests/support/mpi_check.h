#ifndef HALOBEAT_TESTS_MPI_CHECK_H
#define HALOBEAT_TESTS_MPI_CHECK_H

#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* Tests on several ranks. Every rank runs the same tests. A test that one rank ended alone would
 * leave the others waiting, so checks are noted locally (expect) and combined at the end of a test
 * (EXPECT_AGREED); only rank 0 prints.
 *
 * One start of a program runs its tests in worlds of several sizes, one after the other, whose
 * ranks are processes of MPI or threads:
 *
 *     mpiexec -n 8 test_vote --ranks 1,2,3,5,8 --only tree
 *     test_vote --threads --ranks 1,2,3,5,8,64 --only tree
 *
 * --ranks lists the sizes; without it there is one world of all processes, or of three threads.
 * --only runs the tests whose names contain a text. The first processes of MPI_COMM_WORLD make each
 * world; the others sleep. Tests must therefore use the world of mpi_check_world and leave static
 * variables as they found them. What a static variable keeps for a rank is PER_RANK, unless the
 * rank's other threads use it, too. */

/* In front of a static variable that each rank has for itself. */
#define PER_RANK _Thread_local

/* Local. Notes a check; the message of a rank's first failed check is kept. Any thread of a rank
 * may call it that halo_thread_begin has begun. */
void expect(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Local. Notes that a call must have succeeded; messages have the library's last message and, if
 * given, the `text` of the case. */
void expect_ok(halo_status status);
void expect_case_ok(const char *text, halo_status status);

/* Local. Notes that a call must have failed with this status, and a message that contains
 * `text`. */
void expect_fails(halo_status status, halo_status wanted, const char *text);

/* Collective. The last line of every test: it fails if a check of any rank since the last call has.
 * Rank 0 then prints the number of failed ones and the first message of the lowest rank with one.
 */
void expect_agreed(void);
#define EXPECT_AGREED() expect_agreed()

/* The world the tests run in; `auto` waiting. */
halo_world *mpi_check_world(void);

/* This rank in that world, and the number of ranks. */
int my_rank(void);
int all_ranks(void);

/* More ranks than so many take long for each case: tests of hundreds of them choose. */
enum { MANY_RANKS = 8 };

typedef struct {
    const char *name;
    void (*run)(void);
} check_test;

/* Runs the tests, which a row without a name ends. Returns main's exit status. In every world
 * `begin` is called before the first test and `end` after the last one; each may be NULL, and must
 * not end with EXPECT_AGREED. */
int mpi_check_run(int argc, char **argv, const char *suite, const check_test *tests,
                  void (*begin)(void), void (*end)(void));

/* The main of a program: its suite, both functions, and its tests, {name, function}. */
#define MPI_CHECK_MAIN_HOOKED(suite, begin, end, ...)               \
    int main(int argc, char **argv)                                 \
    {                                                               \
        const check_test tests[] = {__VA_ARGS__, {NULL, NULL}};     \
        return mpi_check_run(argc, argv, suite, tests, begin, end); \
    }
#define MPI_CHECK_MAIN(suite, ...) MPI_CHECK_MAIN_HOOKED(suite, NULL, NULL, __VA_ARGS__)

#endif
