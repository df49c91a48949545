#ifndef HALOBEAT_APP_IMAGE_FRAMES_H
#define HALOBEAT_APP_IMAGE_FRAMES_H

#include "app/paths/paths.h"
#include "base/filename_pattern.h"
#include "base/sample_greys.h"

/* Frames: images of the same size that a run reads one after the other, as run->image. They count
 * from 0; each has a number too, which is in the names of files: the one in its own, or its place
 * in a list of names from 1 on. The number in a name may also be that of a part of one file, such
 * as volume.npy:z=%d.
 *
 * All frames become greys over one range, so that what is bright in one is as bright in the next:
 * where samples are no greys as they are, and no range is asked for, that is from the least sample
 * of all frames to the largest, for which they are read once more before the first one is. */
typedef struct {
    const char *const *list;         /* their names, or NULL: */
    const filename_pattern *pattern; /* a name with a place for the number */
    int64_t first;                   /* number of frame 0 */
    int64_t count;
    int64_t parts;                /* of one file, which the frames are; 0: they are files */
    char name[FILENAME_SIZE];     /* of the one that is open */
    halo_sample_extremes samples; /* of all frames, if these were looked for: kept in checkpoints */
    halo_sample_range range;      /* of their greys, if it was found */
    int64_t maximum;              /* the value of white in the first frame that was opened */
} app_frames;

/* Local. Name of a frame's file, in `out` or elsewhere. */
const char *app_frames_name(const app_frames *frames, int64_t index, char out[FILENAME_SIZE]);

/* Collective. Finds the frames, of which rank 0 needs to see the files: those of the run's
 * arguments, or of `pattern` if that is one name; then those of --first (`first`, or -1: the first
 * one that is there of 0 and 1) and --frames (`count`, or 0: as many as there are). Frames before
 * run->first_beat need not be there. If the run goes on from a checkpoint, frames->first is that
 * which it has kept. HALO_FILE, with the frame that is missing; HALO_ARGUMENT where the checkpoint
 * is beyond the last one, or began with another one than is asked for. */
halo_status app_frames_find(app_run *run, app_frames *frames, const filename_pattern *pattern,
                            int64_t first, int64_t count);

/* Local. Adds the files of all frames. HALO_MEMORY. */
halo_status app_frames_add(const app_frames *frames, app_files *files);

/* Collective. Opens a frame as run->image, in greys; the first one, run->first_beat, with the range
 * of all that are left. HALO_FORMAT if their samples differ in type, HALO_ARGUMENT if they are
 * beyond the range of a checkpoint; errors of app_image_open and app_image_find_extremes. */
halo_status app_frames_open(app_run *run, app_frames *frames, int64_t index);

/* Local, the same on all ranks. Is the frame that is open as large as run->domain, with `bits` a
 * pixel as the one before, and as white as the first one? HALO_FORMAT. */
halo_status app_frames_check(const app_run *run, const app_frames *frames, int64_t index, int bits);

#endif
