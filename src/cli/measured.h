#ifndef HALOBEAT_CLI_MEASURED_H
#define HALOBEAT_CLI_MEASURED_H

#include "app/image/image.h"
#include "app/paths/paths.h"
#include "app/run.h"
#include "kernels/label/measure/region_samples.h"

/* Images other than the run's own, whose samples are measured in regions: --intensity of `halobeat
 * measure`, --measure of `halobeat label`. */

enum { CLI_MEASURED_IMAGES = 16 };

/* The value of the option. A name may have placeholders for the image's name, where a run has many
 * images (app/batch/names.h). Zero-initialised, there are none. */
typedef struct {
    const char *name[CLI_MEASURED_IMAGES]; /* [count] of `length` bytes each, in argv */
    size_t length[CLI_MEASURED_IMAGES];
    int count;
} cli_measured_options;

/* Parses a name, or several with commas between, which are added to a cli_measured_options. What
 * follows a comma and looks like c=1 belongs to the name before it, as in FILE:c=1,z=5.
 * HALO_ARGUMENT, HALO_MEMORY. */
halo_option_parse cli_measured_parse;

/* Local. HALO_ARGUMENT for placeholders that names of files to read cannot have. */
halo_status cli_measured_check_names(const cli_measured_options *options, const char *option);

/* The images of a run while they are open. Zero-initialise it. */
typedef struct {
    const cli_measured_options *options;
    const char *option; /* "intensity" */
    app_image *images;  /* [options->count] */
    char *names;        /* of these */
} cli_measured;

/* Collective. Opens all images, which --`option` names. HALO_ARGUMENT, with the remedy, for another
 * number of pixels along any axis than the run's image has; errors of app_image_open, HALO_MEMORY.
 * Call cli_measured_close in any case. */
halo_status cli_measured_open(cli_measured *measured, app_run *run,
                              const cli_measured_options *options, const char *option);

/* Local. HALO_ARGUMENT if samples are read several times (`again`) and an image can be read once
 * only. */
halo_status cli_measured_check(const cli_measured *measured, bool again);

/* Local. The type in which the samples of image `i` are measured: that of its samples; of bits U8;
 * F64 if some are missing by their value, which become NaN. */
halo_sample_type cli_measured_type(const cli_measured *measured, int i);

/* Local. The samples of image `i`; *context belongs to the caller and stays while they are used. */
typedef struct {
    app_run *run;
    app_image *image;
    halo_rows_take *take; /* while they are passed */
    void *taken_by;
    void *row; /* converted, or NULL */
    uint64_t *missing;
} cli_measured_pass;
halo_region_samples cli_measured_samples(const cli_measured *measured, app_run *run, int i,
                                         cli_measured_pass *context);

/* Local. Adds the files that are read. HALO_MEMORY. */
halo_status cli_measured_add_files(const cli_measured_options *options, app_files *files);

/* Local. Accepts a zeroed object. */
void cli_measured_close(cli_measured *measured);

#endif
