#ifndef HALOBEAT_CLI_MOTION_OPTIONS_H
#define HALOBEAT_CLI_MOTION_OPTIONS_H

#include "app/checkpoint_options.h"
#include "app/common_options.h"
#include "app/filename_pattern.h"
#include "kernels/motion/motion.h"

/* What a user asked `halobeat motion` to do. Strings belong to argv. */

/* Files that each pair of frames may have. */
typedef enum { MOTION_FLOW, MOTION_VECTORS, MOTION_ARROWS, MOTION_FILES } motion_file;

/* Two or more names of files, or a single numbered name. */
typedef struct {
    const char **names; /* [count] */
    int64_t count;
} motion_names;

typedef struct {
    motion_names frames;
    int64_t first; /* number of the first frame; -1: not given */
    int64_t count; /* frames of a numbered sequence; 0: not given */
    int64_t clusters, radius;
    halo_motion_options motion; /* clusters 0 and radius 0 where they were not given */
    double arrow_scale;
    numbered_name files[MOTION_FILES]; /* `text` is NULL where it was not asked for */
    saving_arguments saving;
    common_arguments common; /* its balancer is in `motion`: no boundary moves */
} motion_arguments;

extern const app_syntax motion_syntax;

/* Local. */
void motion_arguments_free(motion_arguments *arguments);

#endif
