#ifndef HALOBEAT_TESTS_LIFE_ORACLE_H
#define HALOBEAT_TESTS_LIFE_ORACLE_H

#include "kernels/life/life.h"

/* The plainest correct engine for Life and its relatives: one byte a cell, every neighbour looked
 * at by itself.
 *
 * An axis that grows is given a margin that the pattern cannot leave in the time the test wants.
 * What lies beyond it on the infinite plane is the background: dead at first, and with a B0 rule
 * not always; with B0 and S8 alive for ever, from the first generation on. Cells are told relative
 * to it, as Golly's files do: a cell like the background is 0. Where no axis grows there is no
 * background, and cells are what the rule says. */
typedef struct {
    halo_life_rule rule;
    halo_life_edge edges[HALO_LIFE_AXES];
    halo_life_box array;    /* place and size of the array, margins included */
    uint8_t *cells, *older; /* [rows * columns]: 0 dead, 1 alive, 2 and on dying */
    uint8_t background;
    int64_t births, deaths; /* of the last generation, relative to the background */
} life_oracle;

/* A grid of dead cells that `generations` generations may be computed of. Exits the program when
 * memory is out. The caller frees it with life_oracle_free. */
life_oracle life_oracle_make(const halo_life_options *options, int64_t generations);

/* Accepts a zeroed oracle. */
void life_oracle_free(life_oracle *made);

/* The cell of row y and column x, relative to the background; 0 outside the array. */
int life_oracle_cell(const life_oracle *of, int64_t y, int64_t x);

/* The same cell becomes `state`; it lies in the array. */
void life_oracle_set(life_oracle *of, int64_t y, int64_t x, int state);

/* One generation. Exits the program if the pattern could leave its margin. */
void life_oracle_step(life_oracle *of);

/* Population and box; the hash is left 0. */
halo_life_census life_oracle_census(const life_oracle *of);

#endif
