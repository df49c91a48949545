#ifndef HALOBEAT_CLI_MOTION_OPTIONS_H
#define HALOBEAT_CLI_MOTION_OPTIONS_H

#include "app/arguments.h"
#include "app/checkpoint_options.h"
#include "app/filename_pattern.h"
#include "kernels/motion/motion.h"

/* What a user asked `halobeat motion` to do. Strings belong to argv. */

#define MOTION_OUTPUT_LIST(X)             \
    X(FLO, ".flo", "Middlebury's format") \
    X(NPY, ".npy", "an array of NumPy's") \
    X(PNG, ".png", "the usual wheel's colours")

typedef enum {
#define MOTION_OUTPUT_ENUM(code, ending, help) MOTION_OUTPUT_##code,
    MOTION_OUTPUT_LIST(MOTION_OUTPUT_ENUM)
#undef MOTION_OUTPUT_ENUM
} motion_output_kind;

/* Files that each pair of frames may have. */
typedef enum { MOTION_FLOW, MOTION_VECTORS, MOTION_ARROWS, MOTION_FILES } motion_file;

typedef struct {
    const char **frames; /* [frame_count]: two or more, or a single numbered name */
    int64_t frame_count;
    int64_t first; /* number of the first frame; -1: not given */
    int64_t count; /* frames of a numbered sequence; 0: not given */
    halo_motion_options motion;
    bool radius_given;
    double arrow_scale;                /* 0: 1 */
    numbered_name files[MOTION_FILES]; /* `text` is NULL where it was not asked for */
    motion_output_kind output_kind;    /* of the flow */
    saving_arguments saving;
    common_arguments common; /* its balancer is in `motion`: no boundary moves */
} motion_arguments;

/* Local, the same on all ranks for the same argv; only with `speaks` are help and complaints
 * printed. motion_arguments_free in any case. */
arguments_verdict motion_arguments_parse(int argc, char **argv, bool speaks,
                                         motion_arguments *arguments);

void motion_arguments_free(motion_arguments *arguments);

#endif
