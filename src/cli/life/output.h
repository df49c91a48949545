#ifndef HALOBEAT_CLI_LIFE_OUTPUT_H
#define HALOBEAT_CLI_LIFE_OUTPUT_H

#include "app/progress.h"
#include "cli/life/options.h"
#include "cli/life/source.h"
#include "kernels/life/life.h"

/* Collective, before any work is done. Can -o's format hold what will come? HALO_ARGUMENT. */
halo_status life_output_check(const life_source *source);

/* Collective. Write the grid as it is to the file of -o: the live cells as a pattern with its
 * place, rule and generation, or as a picture or an array all of a bounded axis and the live part
 * of one that grows. The same bytes for every number of ranks. HALO_FORMAT if the format cannot
 * hold it, HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status life_output_write(const life_source *source, halo_life *life,
                              const halo_life_census *census, progress *shown, halo_clock *clock);

#endif
