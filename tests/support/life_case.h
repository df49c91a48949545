#ifndef HALOBEAT_TESTS_LIFE_CASE_H
#define HALOBEAT_TESTS_LIFE_CASE_H

#include "support/life_oracle.h"

/* A random grid of Life computed twice, by the library on all ranks and by the oracle on rank 0. */
typedef struct {
    halo_world *world;
    halo_life_options options;
    int live;            /* percentage of cells that are not dead at first */
    uint64_t seed;       /* of the cells */
    int64_t generations; /* maximum that will be computed */

    char text[200]; /* name of the case in messages */
    halo_life *life;
    life_oracle truth; /* rank 0 only */
} life_case;

/* Collective. Creates and fills the grid. Returns false if it was refused since the halo depth
 * exceeds a rank's rows; any other failure is noted (expect) and also returns false. Call
 * life_case_end in any case. */
bool life_case_start(life_case *c);

/* Collective. Sets the whole grid, in the library and the oracle, to `cells`, [rows * columns]
 * states of the initial box. */
void life_case_put(life_case *c, const uint8_t *cells);

/* Collective. Computes further generations, then calls life_case_check. */
void life_case_run(life_case *c, int64_t generations);

/* The same, with the births and deaths of each generation checked. */
void life_case_run_counted(life_case *c, int64_t generations);

/* Collective. Replaces the grid by a new one with the same generation and rows, as after reading a
 * checkpoint, and checks it. Its strips are even, as those of the old one must be. */
void life_case_replace(life_case *c);

/* Local, on rank 0: computes further generations by the oracle only. */
void life_case_follow(life_case *c, int64_t generations);

/* Collective. Checks that every cell, the box and the population are the oracle's. */
void life_case_check(life_case *c);

/* Collective. */
void life_case_end(life_case *c);

/* Local. The rule of this name. */
halo_life_rule life_case_rule(const char *name);

/* Local. A grid of dead cells with the same edges on both axes. */
life_case life_case_empty(const char *rule, int64_t rows, int64_t columns, halo_life_edge edges);

/* Instruction sets, ending with NULL. */
extern const char *const life_case_sets[];

/* Local. True if this machine and this build have that instruction set. */
bool life_case_has_set(const char *name);

/* Local. Random edges, difficult sizes, a halo depth and ways to vote and exchange, from `random`,
 * the same on all ranks, for the rule of the case. With `grows` at least one axis grows, and sizes
 * are small; otherwise none does. */
void life_case_shape(life_case *c, uint64_t *random, bool grows);

/* Local. Blocks in place of strips, at least two per row if there are enough ranks, with difficult
 * sizes and halo depth; after life_case_shape. */
void life_case_cut(life_case *c, uint64_t *random);

#endif
