#include "app/image/image.h"
#include "app/paths/planes.h"
#include "cli/paths/job.h"
#include "io/array/array_write.h"
#include "io/array/picture.h"

#include <stdlib.h>
#include <string.h>

/* These functions take the options of a raster: how its image is read, and which of them suit an
 * image or a volume. */

/* ---- the image ------------------------------------------------------------------------------- */

static bool is_of_volumes(int neighbours)
{
    enum { FACES = 6, EDGES = 18, CORNERS = 26 };
    return neighbours == FACES || neighbours == EDGES || neighbours == CORNERS;
}

/* The last axis of an array has no colours if the options say that it is a volume. */
void paths_use_image(const app_run *run, app_image_options *use)
{
    enum { DECIMAL = 10 };
    const paths_options *options = run->options;
    use->want = HALO_IMAGE_NUMBERS;
    use->volumes = true;
    use->narrow = is_of_volumes((int)strtol(options->neighbours, NULL, DECIMAL)) ||
                  options->cell_size.count == HALO_AXES;
    use->solid = use->solid || use->narrow;
}

/* ---- methods --------------------------------------------------------------------------------- */

/* The method by its name: what was asked for, or the default. */
const char *paths_method_of(const app_run *run)
{
    const char *requested = ((const paths_options *)run->options)->method;
    return requested != NULL ? requested : halo_world_ranks(run->world) == 1 ? "bucket" : "async";
}

bool paths_has_trait(const app_run *run, unsigned trait)
{
    return (paths_method_traits(paths_method_of(run)) & trait) != 0;
}

static halo_status check_method(const app_run *run)
{
    int ranks = halo_world_ranks(run->world);
    HALO_FAIL_IF(run->arguments->decomposition.detector != NULL &&
                     !paths_has_trait(run, PATHS_DETECTS),
                 HALO_ARGUMENT, "--detector needs --method async or decentral, not %s",
                 paths_method_of(run));
    HALO_FAIL_IF(paths_has_trait(run, PATHS_POOL) && run->domain.axes == HALO_AXES, HALO_ARGUMENT,
                 "--method %s searches in images, and %s is a volume; use async or settle",
                 paths_method_of(run), run->image->path);
    return HALO_REQUIRE(!paths_has_trait(run, PATHS_ALONE) || ranks == 1, HALO_ARGUMENT,
                        "--method %s is for one rank, and there are %d; use async or settle",
                        paths_method_of(run), ranks);
}

/* ---- axes ------------------------------------------------------------------------------------ */

static halo_status take_neighbours(const app_run *run, int *out)
{
    enum { DECIMAL = 10, DEFAULT = 8, CORNERS = 26 };
    const paths_options *options = run->options;
    bool volume = run->domain.axes == HALO_AXES;
    *out = (int)strtol(options->neighbours, NULL, DECIMAL);
    if (volume && *out == DEFAULT &&
        (app_restores(run) || !app_was_given(run, &options->neighbours))) {
        *out = CORNERS;
    }
    return HALO_REQUIRE(is_of_volumes(*out) == volume, HALO_ARGUMENT,
                        "--neighbours %d is for %s, and %s is %s; use %s", *out,
                        volume ? "images" : "volumes", run->image->path,
                        volume ? "a volume" : "an image", volume ? "6, 18 or 26" : "4, 8 or 16");
}

static halo_status take_cell_size(const app_run *run, halo_paths_volume *into)
{
    const paths_cell_size *size = &((const paths_options *)run->options)->cell_size;
    HALO_FAIL_IF(
        size->count > 1 && size->count != run->domain.axes, HALO_ARGUMENT,
        "--cell-size has %d numbers, and %s has %d axes; give one for each, or one for all",
        size->count, run->image->path, run->domain.axes);
    into->plane_distance = size->along[0];
    into->options.cell_size[0] = size->along[1];
    into->options.cell_size[1] = size->along[2];
    return HALO_OK;
}

/* Distances, or numbers of nearest sources. */
static halo_status check_rows(app_run *run, const char *path, halo_sample_type type)
{
    const int axes = run->domain.axes;
    const halo_npy_header header = {.axes = axes, .type = type};
    if (path == NULL) {
        return HALO_OK;
    }
    bool named = app_planes_are_named(path);
    HALO_FAIL_IF(named && axes == 2, HALO_ARGUMENT,
                 "%s is an image of one plane, and \"%s\" stands for a file a plane; leave out the "
                 "place for a number",
                 run->image->path, path);
    HALO_FAIL_IF(!named && axes == HALO_AXES && halo_picture_is_one(path), HALO_ARGUMENT,
                 "%s is a volume, and \"%s\" is one picture; use a name such as nearest-%%04d.png "
                 "for a file a plane, or FILE.tif, .npy, .mha or .raw",
                 run->image->path, path);
    HALO_TRY(named || axes == 2 ? HALO_OK : halo_array_check(path, &header));
    return app_planes_check_folder(run, path);
}

static halo_status check_outputs(app_run *run)
{
    const paths_options *options = run->options;
    HALO_FAIL_IF(options->overlay != NULL && run->domain.axes == HALO_AXES, HALO_ARGUMENT,
                 "--overlay %s draws on images, and %s is a volume; leave it out", options->overlay,
                 run->image->path);
    HALO_TRY(check_rows(run, options->output, HALO_SAMPLE_F64));
    return check_rows(run, options->nearest, HALO_SAMPLE_I32);
}

halo_status paths_open(app_run *run)
{
    const paths_options *options = run->options;
    paths_job *job = run->job;
    job->volume.options = options->kernel;
    HALO_TRY(take_neighbours(run, &job->volume.options.neighbours));
    HALO_TRY(take_cell_size(run, &job->volume));
    HALO_TRY(check_outputs(run));
    job->volume.options.instructions = run->arguments->common.instructions;
    if (!app_was_given(run, &options->all.beats)) {
        run->last_beat = INT64_MAX / 2;
    }
    HALO_TRY(check_method(run));
    HALO_TRY(paths_ends_open(run));
    return paths_check_restored(run);
}
