#ifndef HALOBEAT_TESTS_SUM_KERNEL_H
#define HALOBEAT_TESTS_SUM_KERNEL_H

#include "core/beat/beat.h"

/* A kernel for tests of beats on arrays, in 1 to 3 axes: a cell becomes the sum of itself, twice
 * its neighbour before it on each axis and thrice that after it. All steps wrap around, so that
 * sums are exact. It has two fields: the cells, and how often each has changed, in 8 bits. */
extern const halo_kernel sum_kernel;
halo_status sum_step(halo_step *step);

/* One beat on the whole array, which has no halo. */
void sum_beat(const halo_domain *domain, const uint32_t *in, uint32_t *out);

enum { SUM_CASE_CELLS = 6000, SUM_CASE_SHAPES = 6 };

/* A run of it on one of some shapes, of which the first has one cell. */
typedef struct {
    halo_domain domain;
    int64_t cells, beats, done;
    uint32_t wanted[SUM_CASE_CELLS];
    uint8_t counts[SUM_CASE_CELLS];
    double start[SUM_CASE_CELLS];
} sum_case;

void sum_case_make(sum_case *c, size_t shape, uint64_t *random);

#endif
