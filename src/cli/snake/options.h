#ifndef HALOBEAT_CLI_SNAKE_OPTIONS_H
#define HALOBEAT_CLI_SNAKE_OPTIONS_H

#include "app/checkpoint_options.h"
#include "app/common_options.h"
#include "app/movie_options.h"

/* What a user asked `halobeat snake` to do. Strings belong to argv, or are constants. */

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
    snake_init list[SNAKE_INITS];
    int count;
} snake_inits;

/* What decides where contours end up. Checkpoints have it. */
typedef struct {
    int64_t window;            /* pixels: 3, 5 or 7 */
    const char *order;         /* a name of HALO_SNAKE_ORDER_LIST */
    double alpha, beta, gamma; /* weights of continuity, curvature and gradient */
    double sigma;              /* of the blur, pixels */
    double floor;              /* grey levels of 255 a pixel */
    double stop_moved;         /* share of the points */
    double stop_distance;      /* pixels */
} snake_parameters;

typedef struct {
    const char *image;
    snake_inits inits;
    double spacing; /* pixels between points to begin with; 0: none was asked for */
    snake_parameters parameters;
    int64_t beats;      /* at most */
    const char *output; /* or NULL, as below */
    const char *overlay, *gradient;
    movie_arguments movie;
    saving_arguments saving;
    common_arguments common;
} snake_arguments;

extern const app_syntax snake_syntax;

#endif
