#ifndef HALOBEAT_CLI_SNAKE_CHECKPOINT_H
#define HALOBEAT_CLI_SNAKE_CHECKPOINT_H

#include "app/options.h"
#include "core/file/checkpoint.h"
#include "io/contour/contours.h"

/* Contours in checkpoints: a row is a point, with where it is, where it began, and its contour. */

/* What a checkpoint says besides. */
typedef struct {
    json_t *picture;     /* as cli_image_sign says it */
    json_t *json;        /* all that a checkpoint that was read says; options refer to it */
    int64_t beat, moved; /* beats done; points that the last one moved */
    double distance;     /* pixels: how far on average */
    bool settled;
} snake_saved;

/* Local. The options that decide where contours end up: a new reference, or NULL. */
json_t *snake_checkpoint_parameters(const app_options *given);

/* Collective. Save `places` [points] of contours that began as `contours`, the same on all ranks.
 * The file is the same for every number of ranks. HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status snake_checkpoint_write(halo_world *world, const char *path, const app_options *given,
                                   const snake_saved *what, const halo_contours *contours,
                                   const halo_contour_point *places);

/* Collective. Read what the checkpoint `path` says, the contours and where they are now, on all
 * ranks, and set the options that it keeps. The caller frees all three in any case, `what` once the
 * options are used no more: with snake_saved_free, halo_contours_free, halo_memory_free.
 * HALO_ARGUMENT if other options were `given`, HALO_FORMAT for a checkpoint of something else, or
 * one whose parts contradict each other; HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status snake_checkpoint_read(halo_world *world, const char *path, app_options *given,
                                  snake_saved *what, halo_contours *contours,
                                  halo_contour_point **places);

/* Local. */
void snake_saved_free(snake_saved *what);

#endif
