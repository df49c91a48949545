#ifndef HALOBEAT_TESTS_LIFE_CASE_H
#define HALOBEAT_TESTS_LIFE_CASE_H

#include "support/life_oracle.h"

/* A random grid of Life computed twice, by the library on all ranks and by the oracle on rank 0. */
typedef struct {
    halo_world *world;
    halo_life_options options;
    int live;            /* cells of 100 that are not dead at first */
    uint64_t seed;       /* of the cells */
    int64_t generations; /* most that will be computed */

    char text[200]; /* names the case where a check fails */
    halo_life *life;
    life_oracle truth; /* rank 0 only */
} life_case;

/* Collective. Makes the grid and fills it. Returns false if it was refused for a halo depth that
 * asks for more rows than a rank has; any other failure is noted (expect), and returns false too.
 * The caller ends the case in any case. */
bool life_case_start(life_case *c);

/* Collective. The whole grid becomes `cells`, [rows * columns] states of the box the case began
 * with, in the library and the oracle. */
void life_case_put(life_case *c, const uint8_t *cells);

/* Collective. Some generations more, then life_case_check. */
void life_case_run(life_case *c, int64_t generations);

/* The same, with the births and deaths of each generation checked. */
void life_case_run_counted(life_case *c, int64_t generations);

/* Collective. A new grid at the generation and with the rows of the old one takes its place, as
 * after reading a checkpoint; checks it. Its strips are even, as those of the old one must be. */
void life_case_replace(life_case *c);

/* Local, rank 0 does it: some generations more for the oracle alone. */
void life_case_follow(life_case *c, int64_t generations);

/* Collective. Every cell, the box, the population are the oracle's. */
void life_case_check(life_case *c);

/* Collective. */
void life_case_end(life_case *c);

/* Local. The rule of this name. */
halo_life_rule life_case_rule(const char *name);

/* Local. A grid of dead cells with the same edges on both axes. */
life_case life_case_empty(const char *rule, int64_t rows, int64_t columns, halo_life_edge edges);

/* Instruction sets, ending with NULL. */
extern const char *const life_case_sets[];

/* Local. Does this machine and this build have that instruction set? */
bool life_case_has_set(const char *name);

/* Local. Random edges, sizes that are hard on engines, a halo depth and ways to vote and exchange,
 * from `random`, the same on all ranks, for the rule that the case has. With `grows`, at least one
 * axis grows, and sizes are small; otherwise none does. */
void life_case_shape(life_case *c, uint64_t *random, bool grows);

/* Local. Blocks in place of strips, two or more in a row where there are ranks for them, and sizes
 * and a halo depth that are hard on them; after life_case_shape. */
void life_case_cut(life_case *c, uint64_t *random);

#endif
