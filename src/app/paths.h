#ifndef HALOBEAT_APP_PATHS_H
#define HALOBEAT_APP_PATHS_H

#include "core/world/world.h"

/* Collective. Before any work is done: can the files `outputs` [output_count] be made, and are
 * they all different from each other and from the files `inputs` [input_count]? A file written
 * over another would be lost. Entries may be NULL. HALO_ARGUMENT naming the two, HALO_FILE as
 * halo_file_check. */
halo_status paths_check(halo_world *world, const char *const *outputs, int output_count,
                        const char *const *inputs, int input_count);

/* Collective. Only the second half of that, for outputs that are opened by other means.
 * HALO_ARGUMENT naming the two that are the same file. */
halo_status paths_check_distinct(halo_world *world, const char *const *outputs, int output_count,
                                 const char *const *inputs, int input_count);

/* Collective. Rank 0 makes the folder `path` unless it is there. HALO_FILE, with the system's
 * reason, if it cannot be made, is no folder, or cannot be written to. */
halo_status paths_make_folder(halo_world *world, const char *path);

#endif
