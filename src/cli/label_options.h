#ifndef HALOBEAT_CLI_LABEL_OPTIONS_H
#define HALOBEAT_CLI_LABEL_OPTIONS_H

#include "kernels/label/label.h"

#include <stdbool.h>
#include <stdint.h>

/* What a user asked `halobeat label` to do. Strings belong to argv. */

typedef enum { THRESHOLD_OTSU, THRESHOLD_VALUE, THRESHOLD_PERCENT } threshold_kind;

typedef enum { OUTPUT_NONE, OUTPUT_PNG, OUTPUT_NPY } output_kind;

typedef struct {
    const char *image;
    const char *output; /* or NULL, as below */
    output_kind output_kind;
    const char *colour;
    const char *regions;
    const char *json;
    threshold_kind threshold;
    double threshold_value; /* a sample value, or a percentage of the largest one */
    bool invert;
    bool periodic;
    halo_label_options label;
    const char *wait;
    const char *progress;
    bool quiet, verbose;
} label_arguments;

/* What parsing came to. */
typedef enum { ARGUMENTS_GOOD, ARGUMENTS_HELPED, ARGUMENTS_BAD } arguments_verdict;

/* Local, the same on all ranks for the same argv; only with `speaks` are help and complaints
 * printed. */
arguments_verdict label_arguments_parse(int argc, char **argv, bool speaks,
                                        label_arguments *arguments);

#endif
