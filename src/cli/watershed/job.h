#ifndef HALOBEAT_CLI_WATERSHED_JOB_H
#define HALOBEAT_CLI_WATERSHED_JOB_H

#include "app/outputs.h"
#include "app/run.h"
#include "cli/threshold.h"
#include "kernels/watershed/watershed.h"

/* The source of markers. */
typedef struct {
    const char *path;          /* of an image; NULL: */
    halo_optional_real minima; /* the minima that are deeper than this */
} watershed_markers;

typedef struct {
    app_arguments all;
    watershed_markers markers;
    const char *mask;
    threshold_choice threshold;
    bool invert, line;
    const char *connectivity; /* or NULL */
    int packing;              /* halo_array_packing */
    const char *output;
} watershed_options;

typedef struct {
    halo_watershed *watershed;
    halo_partition strips;
    int64_t *row_cuts; /* [ranks + 1] the same of rows, numbered through all planes */
    app_samples samples;
    halo_field *kept;              /* of the samples, or NULL */
    cli_threshold_range threshold; /* of the mask */
    uint64_t *bits;                /* a row of the mask, */
    uint8_t *bytes;                /* and as bytes */
    int32_t *labels;               /* a row */
    uint64_t *missing;             /* bits of missing pixels of the strip; NULL: none can be */
    char *row;                     /* a row without these */
    halo_sample_type type;         /* of the labels that are written */
} watershed_job;

/* Local. A halo_option_parse. */
halo_option_parse watershed_parse_markers;

/* Collective. Read the image, and with it the mask by a threshold; markers and masks in files. */
halo_status watershed_read(app_run *run);

#endif
