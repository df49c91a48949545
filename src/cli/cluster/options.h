#ifndef HALOBEAT_CLI_CLUSTER_OPTIONS_H
#define HALOBEAT_CLI_CLUSTER_OPTIONS_H

#include "app/arguments.h"
#include "app/checkpoint_options.h"

/* What a user asked `halobeat cluster` to do. Strings belong to argv. */

typedef struct {
    const char *image;
    int64_t clusters;   /* 0: none were asked for */
    double weight;      /* of greys from 0 to 255, or of L, a and b; negative: none was asked
                         * for */
    bool colour;        /* L, a and b instead of greys */
    int64_t beats;      /* most; 0: none were asked for */
    double stop_share;  /* of the pixels: a beat that changes no more of them is the last one */
    const char *output; /* or NULL, as below; a name that ends in .png or .npy */
    const char *mosaic;
    const char *outline;
    const char *centres;
    const char *engine; /* NULL: auto */
    saving_arguments saving;
    common_arguments common;
} cluster_arguments;

/* Local, the same on all ranks for the same argv; only with `speaks` are help and complaints
 * printed. */
arguments_verdict cluster_arguments_parse(int argc, char **argv, bool speaks,
                                          cluster_arguments *arguments);

#endif
