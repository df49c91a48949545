#ifndef HALOBEAT_CLI_MOTION_FRAMES_H
#define HALOBEAT_CLI_MOTION_FRAMES_H

#include "cli/motion/options.h"
#include "core/world/world.h"

/* Which files are the frames. They count from 0 here; each has a number too, which is in the names
 * of files: the one in its own, or its place in a list of names from 1 on. */
typedef struct {
    const char *const *list; /* or NULL: */
    numbered_name name;
    int64_t first; /* number of frame 0 */
    int64_t count;
} motion_frames;

/* Collective. Frames from `begin` on must be there; `first` is the number of frame 0 if a
 * checkpoint has it, or -1. HALO_FILE, naming the one that is missing; HALO_ARGUMENT where the
 * checkpoint is beyond the last one. */
halo_status motion_frames_find(motion_frames *frames, halo_world *world,
                               const motion_arguments *arguments, int64_t begin, int64_t first);

/* Local. Name of a frame's file, in `out` or elsewhere. */
const char *motion_frames_name(const motion_frames *frames, int64_t index, char out[NUMBERED_SIZE]);

/* Local. Name of a file of the pair that begins with a frame, in `out`; NULL if there is none. */
const char *motion_frames_file(const motion_frames *frames, const numbered_name *file,
                               int64_t index, char out[NUMBERED_SIZE]);

#endif
