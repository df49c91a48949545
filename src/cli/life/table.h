#ifndef HALOBEAT_CLI_LIFE_TABLE_H
#define HALOBEAT_CLI_LIFE_TABLE_H

#include "kernels/life/life.h"

/* The table of --population: generation, population, births and deaths of that generation. Rank
 * 0 keeps and writes its lines. */
typedef struct {
    int64_t generation, population, births, deaths;
} life_sample;

/* Zero-initialise it. */
typedef struct {
    life_sample *samples;
    int64_t count, room;
} life_table;

/* Local. HALO_MEMORY. */
halo_status life_table_add(life_table *table, const life_sample *sample);

/* Collective. */
halo_status life_table_write(const life_table *table, halo_world *world, const char *path);

/* Local. */
void life_table_free(life_table *table);

#endif
