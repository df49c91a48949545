#ifndef HALOBEAT_CLI_LABEL_JOB_H
#define HALOBEAT_CLI_LABEL_JOB_H

#include "app/frame.h"
#include "cli/threshold.h"
#include "core/field/field.h"
#include "kernels/label/label.h"
#include "partition/cuts.h"

typedef struct {
    app_arguments all;
    const char *output, *colour, *regions; /* or NULL */
    cli_threshold threshold;
    const char *connectivity;
    bool invert, periodic, fill_holes;
    halo_label_options label;
} label_options;

typedef struct {
    halo_partition strips;         /* of rows, as the file is read */
    halo_field *grey, *foreground; /* of the strips; from labelling on, of halo_label_partition */
    halo_label *label;
    int64_t *histogram;
    halo_grey_range greys;         /* of foreground pixels, but for a local threshold */
    int64_t peak;                  /* that a pixel of each region must reach; 0: none */
    int64_t foreground_pixels;     /* of the whole image */
    double label_seconds;          /* from foreground pixels to regions, on this rank */
    halo_label_painting *painting; /* while an image of labels is written */
} label_job;

extern const app_output label_outputs[];

/* Collective. From the grey values read to foreground pixels, by what was asked; the histogram is
 * that of this rank's rows. Greys that nobody needs any more are freed. */
halo_status label_find_foreground(app_run *run);

#endif
