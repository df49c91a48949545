#ifndef HALOBEAT_TESTS_CHECK_WORLDS_H
#define HALOBEAT_TESTS_CHECK_WORLDS_H

#include "support/mpi_check.h"

#include <stdint.h>

/* Worlds of mpi_check.h: what is common to both kinds, for mpi_check.c and mpi_check_worlds.c. */

enum { CHECK_MAX_WORLDS = 16, CHECK_MAX_RANKS = 1024 };

/* The tests that a program runs, and the worlds for them. */
typedef struct {
    int sizes[CHECK_MAX_WORLDS], worlds; /* 0 worlds: one of all ranks */
    bool threads;
    const char *only; /* NULL: all tests */
    const char *suite;
    const check_test *tests;
    void (*begin)(void), (*end)(void);
} check_request;

/* Collective over `world`. Runs the tests in it, and adds their number to `run`. Returns whether
 * all have passed. `place` is the rank's among those of this process. */
bool check_run_world(halo_world *world, int place, const check_request *requested, int64_t *run);

/* Local. Keeps what the worlds of the request came to; `good`: one of `ranks` ranks passed. */
typedef struct {
    int64_t run;
    int failed;
    char where[100];
} check_tally;
void check_add(check_tally *tally, int ranks, bool good);

/* Each world of the request, by processes. Returns main's exit status. */
int check_run_processes(int argc, char **argv, check_request *requested);

/* Local. False: a size is larger than `ranks`; says so if `speaks`. Without sizes, it is `ranks`.
 */
bool check_sizes_fit(check_request *requested, int ranks, bool speaks);

/* Local, on one rank. The last line. */
void check_print_tally(const check_request *requested, const check_tally *tally, double begun);

#endif
