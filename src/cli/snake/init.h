#ifndef HALOBEAT_CLI_SNAKE_INIT_H
#define HALOBEAT_CLI_SNAKE_INIT_H

#include "cli/snake/options.h"
#include "core/world/world.h"
#include "io/contour/contours.h"

/* Collective. The contours of --init on a picture of width x height pixels, the same on all ranks:
 * rank 0 reads files and computes. HALO_ARGUMENT for contours that do not fit in the picture or
 * have points too close to each other, HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_MPI. The caller
 * frees them in any case. */
halo_status snake_init_make(halo_world *world, const snake_arguments *arguments, int64_t width,
                            int64_t height, halo_contours *contours);

#endif
