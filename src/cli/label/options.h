#ifndef HALOBEAT_CLI_LABEL_OPTIONS_H
#define HALOBEAT_CLI_LABEL_OPTIONS_H

#include "app/common_options.h"
#include "app/decomposition_options.h"
#include "kernels/label/label.h"

/* What a user asked `halobeat label` to do. Strings belong to argv. */

typedef enum { THRESHOLD_OTSU, THRESHOLD_VALUE, THRESHOLD_PERCENT } threshold_kind;

typedef struct {
    threshold_kind kind;
    double value; /* a sample value, or a percentage of the largest one */
} label_threshold;

typedef struct {
    const char *image;
    const char *output; /* or NULL, as below */
    const char *colour;
    const char *regions;
    label_threshold threshold;
    bool invert;
    bool periodic;
    halo_label_options label;
    cutting_arguments cutting; /* but for the depth of halos */
    common_arguments common;
} label_arguments;

extern const app_syntax label_syntax;

#endif
