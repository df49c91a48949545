#ifndef HALOBEAT_CLI_DISTANCE_JOB_H
#define HALOBEAT_CLI_DISTANCE_JOB_H

#include "app/image/spacing.h"
#include "app/outputs.h"
#include "app/run.h"
#include "cli/threshold.h"
#include "core/field/field.h"
#include "kernels/distance/distance.h"
#include "kernels/distance/thickness.h"
#include "partition/cuts.h"

#define DISTANCE_SAMPLES_LIST(X) X(AUTO, auto) X(FLOAT32, float32) X(FLOAT64, float64)

typedef enum {
#define DISTANCE_SAMPLES_ENUM(code, name) DISTANCE_SAMPLES_##code,
    DISTANCE_SAMPLES_LIST(DISTANCE_SAMPLES_ENUM)
#undef DISTANCE_SAMPLES_ENUM
} distance_samples;

typedef struct {
    app_arguments all;
    const char *output, *indices, *thickness; /* or NULL */
    threshold_choice threshold;
    bool invert, squared, with_sign;
    const char *edge; /* or NULL */
    app_spacing spacing;
    int samples, packing; /* distance_samples, halo_array_packing */
} distance_options;

typedef struct {
    halo_partition strips;
    int64_t *row_cuts; /* [ranks + 1] the same of rows, numbered through all planes */
    cli_threshold_range threshold;
    halo_field *bits;                /* of foreground; */
    uint64_t *missing;               /* of a row, pixels that are missing; */
    halo_field *distances, *indices; /* or NULL */
    halo_sample_type type;           /* of the distances */
    bool wide;                       /* indices have 64 bits */
    bool subtracts;                  /* now: distances of the background are subtracted */
    halo_field *thickness;           /* squares of radii, or NULL */
    halo_distance_report report;
    halo_thickness_report thick; /* of the thickness */
} distance_job;

extern const app_output distance_outputs[];

/* Local. The type of the samples in the file. */
halo_sample_type distance_type(const app_run *run);

/* Collective. Finds the distances of job->bits, which are freed. */
halo_status distance_compute(app_run *run);

#endif
