#ifndef HALOBEAT_SYNTHETIC_SYNTHETIC_H
#define HALOBEAT_SYNTHETIC_SYNTHETIC_H

#include "core/beat/beat.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stdint.h>

/* A kernel made to be uneven: what its rows cost follows a profile, and its result is known, so
 * that balancers can be tried and every halo and every row's work checked exactly.
 *
 * Cells of 64 bits begin as a linear function of row and column, modulo 2^64. At each beat the
 * second differences between a cell and its neighbours, which are 0, are added to it, and 1: after
 * b beats it is its beginning + b, unless a halo was stale or wrong. (A closed form to check, and
 * a constant that is added every beat, are ideas of the Parallel Research Kernels' stencil.)
 *
 * Besides, a row does its work: steps of generators of random numbers, whose end is known by
 * jumping ahead. The ends are summed up, modulo 2^64, over rows and beats: the digest. Blocks that
 * share a row do as many of its steps as they have of its columns. */

/* name, keys that it knows, help. What costs 1 takes `work` steps of the
 * options. Rows
 * that leave the domain come in again at its other end. */
#define HALO_SYNTHETIC_PROFILE_LIST(X)                                                            \
    X(constant, "", "every row costs the same")                                                   \
    X(linear, "ratio", "the cost rises from 1 in the first row to RATIO in the last")             \
    X(step, "ratio at", "rows from share AT of all on cost RATIO")                                \
    X(hot, "ratio width speed", "share WIDTH of them costs RATIO and moves by SPEED rows a beat") \
    X(random, "ratio seed", "each row's cost is drawn from 1 to RATIO, and stays")                \
    X(exponential, "ratio seed", "the same, but half as many rows with each RATIO/16 more")       \
    X(hills, "ratio width seed", "the cost goes up and down, between heights at each WIDTH of all")

enum {
    HALO_SYNTHETIC_WORK = 1000,           /* default steps */
    HALO_SYNTHETIC_PROFILE_SIZE = 128,    /* bytes of a profile's text */
    HALO_SYNTHETIC_MAX_STEPS = 1000000000 /* of a row */
};

/* Zero-initialisable but for the size. */
typedef struct {
    int64_t rows, columns; /* 1 to 2^31 - 1 */
    const char *profile;   /* "NAME" or "NAME:KEY=VALUE,..." of the list above, such as
                            * "hot:ratio=8,width=.05"; NULL means "constant" */
    int64_t work;          /* steps of a row that costs 1; 0 means HALO_SYNTHETIC_WORK */
    uint64_t *digest; /* for halo_synthetic_kernel: where to write the digest of all ranks after
                       * each superstep, on every rank; or NULL. Must outlive the run */
} halo_synthetic_options;

/* What options come to. */
typedef struct {
    char profile[HALO_SYNTHETIC_PROFILE_SIZE]; /* with all its keys */
    int64_t work;
    int64_t steps; /* of all rows together at any beat: divided by ranks, the ideal share */
} halo_synthetic_facts;

/* Local, pure. HALO_ARGUMENT for options that make no sense. `facts` may be NULL. */
halo_status halo_synthetic_describe(const halo_synthetic_options *options,
                                    halo_synthetic_facts *facts);

/* The kernel itself, for halo_beat: one field of 64-bit cells, two axes that are not periodic and
 * as large as the options say; its options are a halo_synthetic_options. The cells' beginning is
 * halo_synthetic_cell of beat 0. */
extern const halo_kernel halo_synthetic_kernel;

/* Local, pure. What a cell is after `beats` beats. */
uint64_t halo_synthetic_cell(int64_t row, int64_t column, int64_t beats);

/* Local. Fill in this rank's cells of beat 0. */
void halo_synthetic_fill(const halo_view *view);

/* Is the result what it must be? The same on all ranks. */
typedef struct {
    bool holds;
    int64_t wrong_cells, row, column; /* the first of them; -1 if there are none */
    uint64_t digest, expected;
} halo_synthetic_verdict;

/* Collective. Compares all cells of a run of the kernel, and its digest, with their closed forms;
 * each rank does a share of the digest, O(rows * beats * log(steps) / ranks). `options` are those
 * that the kernel was given, with a digest. HALO_ARGUMENT without one; HALO_MPI. */
halo_status halo_synthetic_check(halo_world *world, const halo_beat *beat,
                                 const halo_synthetic_options *options,
                                 halo_synthetic_verdict *verdict);

#endif
