#ifndef HALOBEAT_SYNTHETIC_SYNTHETIC_H
#define HALOBEAT_SYNTHETIC_SYNTHETIC_H

#include "core/beat/beat.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stdint.h>

/* A kernel with uneven work and a known result: the cost of rows follows a profile, so that
 * balancers can be tested, and all halos and the work of every row checked exactly.
 *
 * Cells of 64 bits start as a linear function of row and column, modulo 2^64. Each beat adds to a
 * cell 1 and the second differences between it and its neighbours, which are 0: after b beats it is
 * its initial value + b, unless a halo was out of date or wrong. (A closed form to check, and a
 * constant added in every beat, are ideas of the Parallel Research Kernels' stencil.)
 *
 * In addition each row does its work: steps of random number generators, whose final states are
 * known by jumping ahead. Their sum modulo 2^64 over rows and beats is the digest. Blocks that
 * share a row divide its steps in proportion to their columns. */

/* name, its keys, help. A row of cost 1 does `work` steps. Rows that move beyond the domain come in
 * again at the other end. */
#define HALO_SYNTHETIC_PROFILE_LIST(X)                                                            \
    X(constant, "", "every row costs the same")                                                   \
    X(linear, "ratio", "the cost rises from 1 in the first row to RATIO in the last")             \
    X(step, "ratio at", "rows from share AT of all on cost RATIO")                                \
    X(hot, "ratio width speed", "share WIDTH of them costs RATIO and moves by SPEED rows a beat") \
    X(random, "ratio seed", "each row's cost is drawn from 1 to RATIO, and stays")                \
    X(exponential, "ratio seed", "the same, but half as many rows with each RATIO/16 more")       \
    X(hills, "ratio width seed", "the cost goes up and down, between heights at each WIDTH of all")

enum {
    HALO_SYNTHETIC_WORK = 1000,           /* default number of steps */
    HALO_SYNTHETIC_PROFILE_SIZE = 128,    /* maximum bytes of a profile's text */
    HALO_SYNTHETIC_MAX_STEPS = 1000000000 /* maximum number of steps of a row */
};

/* Options. Zero-initialise it, except for the size: 0 means the default. */
typedef struct {
    int64_t rows, columns; /* 1 to 2^31 - 1 */
    const char *profile;   /* "NAME" or "NAME:KEY=VALUE,..." of the list above, such as
                            * "hot:ratio=8,width=.05"; NULL: "constant" */
    int64_t work;          /* steps of a row of cost 1; 0 means HALO_SYNTHETIC_WORK */
    uint64_t *digest;      /* for halo_synthetic_kernel: set to the digest over all ranks after each
                            * superstep, on every rank; or NULL. Must outlive the run */
} halo_synthetic_options;

/* The numbers that the options stand for. */
typedef struct {
    char profile[HALO_SYNTHETIC_PROFILE_SIZE]; /* with all its keys */
    int64_t work;
    int64_t steps; /* per beat, of all rows together; divided by the number of ranks, the ideal
                    * share */
} halo_synthetic_facts;

/* Local, pure. Fills in `facts`, which may be NULL. HALO_ARGUMENT for invalid options. */
halo_status halo_synthetic_describe_sized(const halo_synthetic_options *options,
                                          halo_synthetic_facts *facts, size_t facts_bytes);
#define halo_synthetic_describe(...) \
    halo_synthetic_describe_sized(__VA_ARGS__, sizeof(halo_synthetic_facts))

/* The kernel, for halo_beat: one field of 64-bit cells, two axes that are not periodic, of the size
 * in the options, which are a halo_synthetic_options. The initial value of a cell is
 * halo_synthetic_cell of beat 0. */
extern const halo_kernel halo_synthetic_kernel;

/* Local, pure. The value of a cell after `beats` beats. */
uint64_t halo_synthetic_cell(int64_t row, int64_t column, int64_t beats);

/* Local. Fills in this rank's cells of beat 0. */
void halo_synthetic_fill(const halo_view *view);

/* The result of a check; the same on all ranks. */
typedef struct {
    bool holds;
    int64_t wrong_cells, row, column; /* the first wrong cell; -1 if there is none */
    uint64_t digest, expected;
} halo_synthetic_verdict;

/* Collective. Compares all cells of a run of the kernel, and its digest, with their closed forms.
 * Each rank does a share of the digest, O(rows * beats * log(steps) / ranks). `options` are those
 * given to the kernel, with a digest. HALO_ARGUMENT without a digest; HALO_TRANSPORT. */
halo_status halo_synthetic_check_sized(halo_world *world, const halo_beat *beat,
                                       const halo_synthetic_options *options,
                                       halo_synthetic_verdict *verdict, size_t verdict_bytes);
#define halo_synthetic_check(...) \
    halo_synthetic_check_sized(__VA_ARGS__, sizeof(halo_synthetic_verdict))

#endif
