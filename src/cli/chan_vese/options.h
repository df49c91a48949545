#ifndef HALOBEAT_CLI_CHAN_VESE_OPTIONS_H
#define HALOBEAT_CLI_CHAN_VESE_OPTIONS_H

#include "app/arguments.h"
#include "app/checkpoint_options.h"

/* What a user asked `halobeat chan-vese` for. Strings belong to argv. */

/* What the level set is to begin with. */
typedef enum { CHAN_VESE_CHECKERBOARD, CHAN_VESE_DISK, CHAN_VESE_FILE } chan_vese_init_kind;

typedef struct {
    chan_vese_init_kind kind;
    int64_t square;             /* pixels a side of a checkerboard */
    bool placed;                /* a disk with a place and a radius; */
    double column, row, radius; /* then these, in pixels */
    const char *path;           /* of a picture */
    const char *text;           /* as it was given; NULL: it was not */
} chan_vese_init;

typedef struct {
    const char *image;
    int64_t beats; /* -1: none were asked for */
    bool until_still;
    int64_t smoothing;       /* -1: none was asked for */
    double lambda1, lambda2; /* -1: none was asked for */
    chan_vese_init init;
    const char *output, *overlay, *movie; /* or NULL */
    int64_t every, frames_per_second;     /* 0: none was asked for */
    saving_arguments saving;
    common_arguments common;
} chan_vese_arguments;

/* Local, the same on all ranks for the same argv; only with `speaks` are help and complaints
 * printed. */
arguments_verdict chan_vese_arguments_parse(int argc, char **argv, bool speaks,
                                            chan_vese_arguments *arguments);

#endif
