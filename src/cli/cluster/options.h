#ifndef HALOBEAT_CLI_CLUSTER_OPTIONS_H
#define HALOBEAT_CLI_CLUSTER_OPTIONS_H

#include "app/checkpoint_options.h"
#include "app/common_options.h"
#include "app/until.h"

/* What a user asked `halobeat cluster` to do. Strings belong to argv. */

typedef struct {
    const char *image;
    int64_t clusters;
    double weight; /* of greys from 0 to 255, or of L, a and b */
    bool colour;   /* L, a and b instead of greys */
    int64_t beats; /* at most */
    app_until until;
    const char *output; /* or NULL, as below; a name that ends in .png or .npy */
    const char *mosaic;
    const char *outline;
    const char *centres;
    const char *engine;
    saving_arguments saving;
    common_arguments common;
} cluster_arguments;

extern const app_syntax cluster_syntax;

#endif
