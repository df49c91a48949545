#ifndef HALOBEAT_CLI_SNAKE_PARAMETERS_H
#define HALOBEAT_CLI_SNAKE_PARAMETERS_H

#include "kernels/snake/snake.h"

#include <jansson.h>
#include <stdint.h>

/* What decides where contours end up. Checkpoints have it. */
typedef struct {
    double alpha, beta, gamma; /* weights of continuity, curvature and gradient */
    double sigma;              /* of the blur, pixels */
    double floor;              /* grey levels of 255 a pixel */
    double stop_moved;         /* share of the points */
    double stop_distance;      /* pixels */
    int64_t window;            /* pixels */
    const char *order;         /* a name of HALO_SNAKE_ORDER_LIST */
} snake_parameters;

/* All local. Those that nobody has asked for: -1 and NULL. */
snake_parameters snake_parameters_none(void);

snake_parameters snake_parameters_usual(void);

/* What was asked for, and the rest of `others`. */
snake_parameters snake_parameters_or(const snake_parameters *asked, const snake_parameters *others);

/* HALO_ARGUMENT if something else was asked for than what the checkpoint `path` has. */
halo_status snake_parameters_agree(const snake_parameters *asked, const snake_parameters *saved,
                                   const char *path);

/* What the kernel is told of them; the rest of its options is the default. */
halo_snake_options snake_parameters_options(const snake_parameters *parameters);

/* An object; NULL for want of memory. False if an object has not all of them, or other things. */
json_t *snake_parameters_json(const snake_parameters *parameters);
bool snake_parameters_parse(const json_t *json, snake_parameters *parameters);

#endif
