#ifndef HALOBEAT_TESTS_LIFE_ORACLE_H
#define HALOBEAT_TESTS_LIFE_ORACLE_H

#include "kernels/life/life.h"

/* A simple reference for Life and related automata: one byte per cell, every neighbour read
 * separately.
 *
 * An axis that grows gets a margin that the pattern cannot leave during the test. Beyond it the
 * infinite plane is the background: dead at first, and with a B0 rule not always; with B0 and S8
 * alive for ever from the first generation on. Cells are relative to it, as in Golly's files: a
 * cell like the background is 0. If no axis grows there is no background, and cells are those of
 * the rule. */
typedef struct {
    halo_life_rule rule;
    halo_life_edge edges[HALO_LIFE_AXES];
    halo_life_box array;    /* position and size of the array, with margins */
    uint8_t *cells, *older; /* [rows * columns]: 0 dead, 1 alive, 2 and on dying */
    uint8_t background;
    int64_t births, deaths; /* of the last generation, relative to the background */
} life_oracle;

/* Creates a grid of dead cells with margins for `generations` generations. Exits the program if
 * there is no memory. The caller frees it with life_oracle_free. */
life_oracle life_oracle_make(const halo_life_options *options, int64_t generations);

/* Accepts a zeroed oracle. */
void life_oracle_free(life_oracle *made);

/* The cell of row y and column x, relative to the background; 0 outside the array. */
int life_oracle_cell(const life_oracle *of, int64_t y, int64_t x);

/* Sets this cell, which must be in the array, to `state`. */
void life_oracle_set(life_oracle *of, int64_t y, int64_t x, int state);

/* Computes one generation. Exits the program if the pattern could leave its margin. */
void life_oracle_step(life_oracle *of);

/* Population and bounding box; the hash is 0. */
halo_life_census life_oracle_census(const life_oracle *of);

#endif
