#include "app/batch/batch_internal.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/outputs.h"
#include "app/ranks/signals.h"
#include "app/services/tasks.h"
#include "base/filename_pattern.h"
#include "base/wildcards.h"
#include "core/world/collect.h"
#include "io/image/slices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROW(option, kind, member) HALO_OPTION_ROW(batch_arguments, option, kind, member)

static const halo_option rows[] = {
    {.type = HALO_OPTION_SECTION,
     .help = "Many images, such as 'plates/*.png', with outputs such as 'out/{name}.png':"},
    {ROW("table", OUTPUT, table), .choices = ".csv",
     .help = "A table with one line an image: size, results, seconds. In the names of other "
             "outputs {name} is the image's name without folder and ending, {dir} its folder, "
             "{number} its number from 1"},
    {ROW("contact-sheet", OUTPUT, sheet), .choices = ".png",
     .help = "The results of all images, small and with their names, in one picture"},
    {ROW("batch", FLAG, each), .help = "Each picture of a folder is an image by itself"},
    {ROW("ranks-per-image", INTEGER, ranks_per_image), .min = 1, .max = 1 << 20, .unit = "ranks",
     .standard = "1", .help = "Ranks that compute an image together"},
    {ROW("watch-folder", TEXT, folder), .value = "DIR",
     .help = "Take image files as they arrive in this folder, each once it is complete, until "
             "Ctrl-C or SIGTERM; those that are there come first"},
    {ROW("watch-every", REAL, watch_every), .min = 0.1, .max = 86400, .unit = "seconds",
     .value = "SECONDS", .needs = "watch-folder",
     .unless = "when the system tells of a file; on network disks every 2 seconds",
     .help = "Look at the watched folder every SECONDS, whatever the system tells"},
    {.type = HALO_OPTION_END}};

/* ---- its state ------------------------------------------------------------------------------- */

const batch_arguments *app_batch_arguments(const app_run *run)
{
    return app_service_options(run, &app_batch_service);
}

static batch_state *state_of(const app_run *run)
{
    return app_service_state(run, &app_batch_service);
}

app_batch *app_batch_of(const app_run *run)
{
    const batch_state *state = state_of(run);
    return state != NULL ? state->all : NULL;
}

int64_t *app_batch_largest(const app_run *run)
{
    struct app_batch *batch = app_batch_of(run);
    return batch != NULL ? &batch->largest : NULL;
}

/* ---- is it a batch? -------------------------------------------------------------------------- */

static bool any_name_varies(const app_run *run)
{
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        if (batch_name_varies(app_output_path(run, output))) {
            return true;
        }
    }
    return false;
}

/* Many names that are one image. */
static halo_status check_stack(const app_run *run)
{
    HALO_FAIL_IF(any_name_varies(run), HALO_ARGUMENT,
                 "{name}, {dir} and {number} are for many images, and --stack makes one volume of "
                 "them; give the output a name of its own");
    return HALO_OK;
}

/* Is there an output with a file a plane? */
static bool writes_planes(const app_run *run)
{
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        filename_pattern pattern;
        const char *path = app_output_path(run, output);
        size_t length = path != NULL ? strlen(path) : 0;
        if (length > 0 && (path[length - 1] == '/' ||
                           (halo_filename_parse(&pattern, path) == HALO_OK && pattern.numbered))) {
            return true;
        }
    }
    return false;
}

/* Local. True if the command takes volumes; *is_volume if the options say that this is one. */
static bool may_be_volume(const app_run *run, bool *is_volume)
{
    app_image_options use = {.volumes = false};
    if (run->command->image_use != NULL) {
        run->command->image_use(run, &use);
    }
    *is_volume = use.volumes && (use.solid || run->arguments->volume || writes_planes(run));
    return use.volumes;
}

/* On rank 0. Twenty-four wells are no volume: where a folder of pictures can be taken in two ways,
 * one has to be said. */
static halo_status check_folder(const app_run *run, const char *path)
{
    halo_slices found;
    bool is_volume, volumes = may_be_volume(run, &is_volume);
    if (is_volume || halo_wildcards_are_in(path) || !halo_slices_are_named(path)) {
        return HALO_OK;
    }
    bool asks = halo_slices_find(&found, path, NULL, 0) == HALO_OK && found.folder &&
                found.count > 1 && !halo_slices_are_planes(&found);
    int64_t count = found.count;
    halo_slices_free(&found);
    if (!asks) {
        return HALO_OK; /* the reader will speak of what is wrong */
    }
    return volumes ? halo_fail(HALO_ARGUMENT,
                               "%s: a folder of %" PRId64
                               " files; say --stack if they are the planes of one volume, or "
                               "--batch if each is an image by itself, with outputs such as "
                               "\"{name}.npy\"",
                               path, count)
                   : halo_fail(HALO_ARGUMENT,
                               "%s: a folder of %" PRId64
                               " files; say --batch to take each as an image by itself, with "
                               "outputs such as \"{name}.png\"",
                               path, count);
}

static halo_status check_folders(const app_run *run)
{
    const app_inputs *inputs = &run->arguments->image;
    for (int64_t i = 0; i < inputs->count; i++) {
        HALO_TRY(check_folder(run, inputs->list[i]));
    }
    return HALO_OK;
}

static halo_status decide(app_run *run, bool *many)
{
    const app_inputs *inputs = &run->arguments->image;
    *many = app_batch_arguments(run)->folder != NULL;
    if (*many) {
        return halo_agree(run->world, batch_check_watching(run));
    }
    if (inputs->count == 0) {
        return HALO_OK;
    }
    if (run->arguments->stack) {
        return check_stack(run);
    }
    bool asks = app_is_root(run) && !app_batch_arguments(run)->each;
    HALO_TRY(halo_agree(run->world, asks ? check_folders(run) : HALO_OK));
    /* Which names are files, rank 0 knows. */
    int64_t patterns = app_is_root(run) && halo_wildcards_are_in(inputs->first);
    HALO_TRY(halo_bcast(run->world, &patterns, sizeof patterns, 0));
    *many = inputs->count > 1 || patterns != 0 || any_name_varies(run) ||
            app_any_given(run->given, rows) || app_any_given(run->given, app_image_tasks_rows);
    return HALO_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */

static halo_status make_folders(app_run *run)
{
    return batch_make_folders(app_batch_of(run));
}

static halo_status prepare(app_batch *batch)
{
    app_run *run = batch->run;
    HALO_TRY(batch->watched ? halo_agree(run->world, batch_set_stand_in(batch))
                            : batch_find_images(batch));
    HALO_TRY(halo_agree(run->world, batch_check(batch)));
    HALO_TRY(app_files_check(run, make_folders));
    HALO_TRY(halo_agree(run->world, batch_check_sheet(batch)));
    return batch_begin_groups(batch);
}

static halo_status run_steps(app_batch *batch)
{
    app_run *run = batch->run;
    double begun = halo_seconds();
    HALO_TRY(prepare(batch));
    HALO_TRY(batch->watched ? batch_watch_folder(batch)
                            : batch_run_images(batch, NULL, batch->count));
    HALO_TRY(batch_write_tables(batch));
    HALO_TRY(batch_write_sheet(batch));
    run->seconds = halo_seconds() - begun;
    return batch_report(batch);
}

static void release(app_batch *batch)
{
    for (int64_t i = 0; batch->results != NULL && i < batch->count; i++) {
        free(batch->results[i].facts);
        free(batch->results[i].rows);
        free(batch->results[i].error);
    }
    batch_forget_images(batch);
    free(batch->results);
    free(batch->image);
    free(batch->text);
}

static halo_status run_batch(app_run *run)
{
    app_batch batch = {.run = run, .watched = app_batch_arguments(run)->folder != NULL};
    state_of(run)->all = &batch;
    run->progress = progress_create(run->arguments->common.progress, halo_world_rank(run->world));
    halo_status status = app_signals_catch(run->world);
    HALO_IF_OK(status, run_steps(&batch));
    progress_end(&run->progress);
    app_signals_release(run->world);
    app_tasks_end(run);
    batch_end_groups(&batch);
    release(&batch);
    state_of(run)->all = NULL;
    return status;
}

/* ---- the service ----------------------------------------------------------------------------- */

static halo_status start(app_run *run, bool *done)
{
    HALO_TRY(decide(run, done));
    return *done ? run_batch(run) : HALO_OK;
}

static void take_file(const app_run *run, const app_place *at, app_option_file *file)
{
    if (app_batch_of(run) != NULL) {
        batch_take_file(run, at, file);
    }
}

static halo_status add_files(app_run *run, app_files *files)
{
    app_batch *batch = app_batch_of(run);
    if (batch == NULL) {
        return HALO_OK;
    }
    batch_note_inputs(batch, files);
    return batch_add_files(batch, files);
}

const app_service app_batch_service = {.bytes = sizeof(batch_state),
                                       .rows = rows,
                                       .place = app_place_of_runs,
                                       .options_bytes = APP_OPTIONS(batch_arguments),
                                       .same_result = true,
                                       .start = start,
                                       .file = take_file,
                                       .files = add_files};
