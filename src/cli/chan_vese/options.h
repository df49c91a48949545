#ifndef HALOBEAT_CLI_CHAN_VESE_OPTIONS_H
#define HALOBEAT_CLI_CHAN_VESE_OPTIONS_H

#include "app/checkpoint_options.h"
#include "app/common_options.h"
#include "app/movie_options.h"
#include "app/until.h"

/* What a user asked `halobeat chan-vese` for. Strings belong to argv. */

/* What the level set is to begin with. */
typedef enum { CHAN_VESE_CHECKERBOARD, CHAN_VESE_DISK, CHAN_VESE_FILE } chan_vese_init_kind;

typedef struct {
    chan_vese_init_kind kind;
    int64_t square;             /* pixels a side of a checkerboard */
    bool placed;                /* a disk with a place and a radius; */
    double column, row, radius; /* then these, in pixels */
    const char *path;           /* of a picture; NULL: it is none */
} chan_vese_init;

typedef struct {
    const char *image;
    int64_t beats;
    app_until until;
    int64_t smoothing;
    double lambda1, lambda2;
    chan_vese_init init;
    const char *output, *overlay; /* or NULL */
    movie_arguments movie;
    saving_arguments saving;
    common_arguments common;
} chan_vese_arguments;

extern const app_syntax chan_vese_syntax;

#endif
