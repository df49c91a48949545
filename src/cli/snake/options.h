#ifndef HALOBEAT_CLI_SNAKE_OPTIONS_H
#define HALOBEAT_CLI_SNAKE_OPTIONS_H

#include "app/checkpoint_options.h"
#include "cli/snake/parameters.h"

/* What a user asked `halobeat snake` to do. Strings belong to argv. */

enum { SNAKE_INITS = 64 }; /* times that --init may be given */

/* Where contours begin. */
typedef enum { SNAKE_INIT_CIRCLE, SNAKE_INIT_POLYGON, SNAKE_INIT_GRID } snake_init_kind;

typedef struct {
    snake_init_kind kind;
    const char *text;      /* as it was asked for */
    double x, y, radius;   /* of a circle: pixels */
    int64_t points;        /* of each circle; 0: by the spacing */
    int64_t rows, columns; /* of a grid */
    const char *path;      /* of a polygon's file */
} snake_init;

typedef struct {
    const char *image;
    snake_init inits[SNAKE_INITS];
    int init_count;
    double spacing;              /* pixels between points to begin with; 0: none was asked for */
    snake_parameters parameters; /* as far as they were asked for */
    int64_t beats;               /* at most; 0: none were asked for */
    const char *output;          /* of contours: .csv, .json or .svg; or NULL */
    const char *overlay, *movie, *gradient;
    int64_t every, frames_per_second; /* 0: none was asked for */
    saving_arguments saving;
    common_arguments common;
} snake_arguments;

/* Local, the same on all ranks for the same argv; only with `speaks` are help and complaints
 * printed. */
arguments_verdict snake_arguments_parse(int argc, char **argv, bool speaks,
                                        snake_arguments *arguments);

#endif
