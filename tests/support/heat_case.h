#ifndef HALOBEAT_TESTS_HEAT_CASE_H
#define HALOBEAT_TESTS_HEAT_CASE_H

#include "core/beat/beat.h"

#include <stdbool.h>

/* Runs of heat at random, cut into blocks at random, and their cells against what they must be.
 * Checks are noted by expect of mpi_check.h. */

/* A run, and how. */
typedef struct {
    const halo_kernel *kernel;
    halo_domain domain;
    char options[96];
    int depth;
    const char *exchange;
    char text[320]; /* all of it, for messages */
} heat_case;

typedef struct {
    halo_beat *beat;
    halo_partition partition;
} heat_run;

/* Sizes down to one cell, any of them periodic where `may_wrap`. */
heat_case heat_case_any(uint64_t *random, int n, bool may_wrap);

/* Collective. Case `n` of a test, in blocks at random; false if it could not be made. End it in any
 * case. */
bool heat_case_begin(heat_case *c, int n, uint64_t *random, heat_run *run);
void heat_case_end(heat_run *run);

/* Collective. So many more beats. */
void heat_case_advance(const heat_case *c, heat_run *run, int64_t beats);

/* Local. Fill in the cells as the kernel's table says. */
void heat_case_start(const heat_case *c, const halo_view *view);

/* What a cell must be; `place` is global. */
typedef double heat_cell(const void *context, const int64_t place[HALO_AXES]);

/* Local. The largest difference over the owned cells; what is not a number counts as infinite. */
double heat_case_error(const halo_view *view, heat_cell *expected, const void *context);

/* Local. Fill in the owned cells. */
void heat_case_fill(const halo_view *view, heat_cell *value, const void *context);

#endif
