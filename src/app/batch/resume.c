#define _POSIX_C_SOURCE 200809L /* access */
#include "app/batch/batch_internal.h"
#include "app/frame_internal.h"
#include "app/outputs.h"
#include "app/paths/planes.h"
#include "app/services/tasks.h"
#include "io/array/array_write.h"

#include <inttypes.h>
#include <unistd.h>

/* Is a journal that of this run, and is an image that it has still done? */

halo_image_options batch_image_options(const app_batch *batch)
{
    const app_arguments *arguments = batch->run->arguments;
    return (halo_image_options){
        .raw = arguments->raw, .follow_links = arguments->follow_links, .volumes = true};
}

static bool is_there(const char *path, const batch_origin *origin)
{
    return origin->planes > 0 && app_planes_are_named(path)
               ? app_planes_are_there(path, origin->first_plane, origin->planes)
               : halo_array_is_there(path);
}

/* Tables that all images share are written in any case. */
static bool are_outputs_there(const app_batch *batch, int64_t number, const batch_origin *origin)
{
    const app_output *output = batch->run->command->outputs;
    char name[BATCH_NAME_SIZE];
    for (; output != NULL && output->phase != NULL; output++) {
        const char *pattern = app_output_path(batch->run, output);
        bool own = pattern != NULL && !batch_joins(batch->run, output);
        if (own &&
            (batch_name_print(pattern, batch->image[number], number, name) != HALO_OK ||
             !(output->folder_is_complete != NULL ? output->folder_is_complete(batch->run, name)
                                                  : is_there(name, origin)))) {
            return false;
        }
    }
    return true;
}

static void note(batch_redone *redone, const char *image)
{
    redone->first = redone->count == 0 ? image : redone->first;
    redone->count++;
}

halo_status batch_check_done(void *context, int64_t number, const void *data, size_t bytes,
                             bool *done)
{
    app_batch *batch = context;
    batch_parts parts;
    const char *image = batch->image[number];
    const halo_image_options options = batch_image_options(batch);
    HALO_FAIL_IF(!batch_result_split(data, bytes, batch_count_tables(batch->run), &parts) ||
                     !batch_result_has_facts(&parts),
                 HALO_FORMAT,
                 "the journal \"%s\" has no result of %s where it should be; remove the lines that "
                 "begin with %" PRId64 ", and the image is computed again",
                 app_tasks_arguments(batch->run)->journal, image, number);
    *done = false;
    /* An image may leave the folder that it came to. */
    bool gone = batch->watched && access(image, F_OK) != 0;
    if (!gone && !batch_stamp_holds(&parts.origin.stamp, image, &options)) {
        note(&batch->changed, image);
    } else if (!are_outputs_there(batch, number, &parts.origin)) {
        note(&batch->lost, image);
    } else {
        *done = true;
    }
    return HALO_OK;
}

void batch_note_inputs(const app_batch *batch, const app_files *files)
{
    app_run *run = batch->run;
    const halo_image_options options = {.volumes = true,
                                        .follow_links = run->arguments->follow_links};
    uint64_t sum = 0;
    int64_t at = 0;
    if (app_tasks_arguments(run)->journal == NULL || !app_is_root(run)) {
        return;
    }
    for (const char *path; (path = app_files_next(files, APP_READ, &at)) != NULL;) {
        batch_stamp stamp;
        batch_stamp_look(&stamp, path, &options);
        batch_stamp_finish(&stamp, path, &options);
        sum += stamp.hash;
    }
    app_tasks_set_inputs(run, sum);
}

/* `is` is the reason for one image, `are` that for several. */
static void warn(const app_batch *batch, const batch_redone *redone, const char *is,
                 const char *are)
{
    if (redone->count == 1) {
        app_warn(batch->run, "%s: %s; it is computed again", redone->first, is);
    } else if (redone->count > 1) {
        app_warn(batch->run, "%s and %" PRId64 " other image%s: %s; they are computed again",
                 redone->first, redone->count - 1, redone->count == 2 ? "" : "s", are);
    }
}

void batch_warn_redone(const app_batch *batch)
{
    warn(batch, &batch->changed, "its file is not what it was when the journal was written",
         "their files are not what they were when the journal was written");
    warn(batch, &batch->lost, "an output of it that the journal has is gone or empty",
         "outputs of them that the journal has are gone or empty");
}
