#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/services/checkpoint.h"

#include <string.h>

/* Options of reading images, and images that a run reads besides the one that it computes on:
 * masks, first states. */

app_image_options app_image_options_of_files(const app_run *run)
{
    return (app_image_options){.as_stored = run->arguments->as_stored,
                               .follow_links = run->arguments->follow_links,
                               .nodata = run->arguments->nodata,
                               .fill = run->arguments->fill};
}

app_image_options app_image_options_of_run(const app_run *run)
{
    const checkpoint_arguments *state = app_checkpoint_arguments(run);
    app_image_options options = app_image_options_of_files(run);
    options.raw = run->arguments->raw;
    options.range = run->arguments->range;
    options.filter = run->arguments->filter; /* NULL of commands without the option */
    if (options.filter != NULL && strcmp(options.filter, "none") == 0) {
        options.filter = NULL;
    }
    options.choices = run->arguments->choices;
    options.solid = run->arguments->volume;
    options.digest = state->checkpoint != NULL || state->restore != NULL;
    return options;
}

static halo_status read_open(app_run *run, app_image *file, const app_image_beside *what)
{
    HALO_TRY(app_image_check_size(file, what->option, &run->domain, what->of));
    HALO_TRY(
        app_image_stream(file, what->cuts, &run->progress, what->take, what->context, &run->clock));
    return what->whole != NULL ? app_image_check_missing(file, what->whole) : HALO_OK;
}

halo_status app_image_read_beside(app_run *run, const app_image_beside *what)
{
    app_image_options options = app_image_options_of_files(run);
    app_image file;
    if (!options.nodata.none) {
        options.nodata = (halo_image_nodata_choice){.given = false}; /* a value is of the image */
        options.fill = (halo_image_fill){.given = false};
    }
    options.want = HALO_IMAGE_REALS;
    options.volumes = run->domain.axes == HALO_AXES;
    options.narrow = options.solid = options.volumes; /* the last axis has no colours then */
    halo_status status = app_image_open(&file, run, what->path, &options);
    HALO_IF_OK(status, read_open(run, &file, what));
    app_image_close(&file);
    return status;
}
