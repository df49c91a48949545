#ifndef HALOBEAT_CLI_LABEL_OPTIONS_H
#define HALOBEAT_CLI_LABEL_OPTIONS_H

#include "app/decomposition_options.h"
#include "kernels/label/label.h"

/* What a user asked `halobeat label` to do. Strings belong to argv. */

typedef enum { THRESHOLD_OTSU, THRESHOLD_VALUE, THRESHOLD_PERCENT } threshold_kind;

typedef enum { OUTPUT_NONE, OUTPUT_PNG, OUTPUT_NPY } output_kind;

typedef struct {
    const char *image;
    const char *output; /* or NULL, as below */
    output_kind output_kind;
    const char *colour;
    const char *regions;
    threshold_kind threshold;
    double threshold_value; /* a sample value, or a percentage of the largest one */
    bool invert;
    bool periodic;
    halo_label_options label;
    cutting_arguments cutting; /* but for the depth of halos */
    common_arguments common;
} label_arguments;

/* Local, the same on all ranks for the same argv; only with `speaks` are help and complaints
 * printed. */
arguments_verdict label_arguments_parse(int argc, char **argv, bool speaks,
                                        label_arguments *arguments);

#endif
