#include "app/batch/batch_internal.h"
#include "app/batch/folder.h"
#include "app/frame_internal.h"
#include "app/outputs.h"
#include "app/services/tasks.h"

#include <stdio.h>
#include <string.h>

/* Checks of runs on images that arrive in a folder. */

static const char *folder_of(const app_batch *batch)
{
    return app_batch_arguments(batch->run)->folder;
}

static halo_status check_sheet(const app_run *run)
{
    const batch_arguments *arguments = app_batch_arguments(run);
    return HALO_REQUIRE(
        arguments->sheet == NULL || !batch_lies_in(arguments->sheet, arguments->folder),
        HALO_ARGUMENT,
        "the contact sheet \"%.300s\" lies in the watched folder itself, which would take it for "
        "another image; use another folder",
        arguments->sheet);
}

halo_status batch_check_watching(const app_run *run)
{
    const batch_arguments *arguments = app_batch_arguments(run);
    HALO_FAIL_IF(run->arguments->image.count > 0, HALO_ARGUMENT,
                 "--watch-folder takes images from %.300s; leave out %.300s", arguments->folder,
                 run->arguments->image.first);
    HALO_FAIL_IF(run->arguments->stack, HALO_ARGUMENT,
                 "--stack makes one volume of all images, and those of --watch-folder never end; "
                 "leave one of them out");
    HALO_FAIL_IF(app_tasks_arguments(run)->timeline != NULL, HALO_ARGUMENT,
                 "--timeline is for a list of images; leave it out with --watch-folder");
    HALO_TRY(app_is_root(run) ? batch_folder_check(arguments->folder) : HALO_OK);
    return check_sheet(run);
}

/* Does each image get a folder of its own? */
bool batch_has_own_folders(const char *pattern)
{
    char folder[BATCH_NAME_SIZE];
    const char *slash = strrchr(pattern, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - pattern) : 0, pattern);
    return strstr(folder, "{name}") != NULL || strstr(folder, "{number}") != NULL;
}

/* `name` is one of an output, of any image. */
static halo_status check_place(const app_batch *batch, const char *pattern, const char *name)
{
    bool feeds = batch_lies_in(name, folder_of(batch)) &&
                 (batch_is_image_name(name) || batch->run->arguments->raw.width > 0);
    return HALO_REQUIRE(!feeds, HALO_ARGUMENT,
                        "\"%.300s\" lies in the watched folder itself, which would take it for "
                        "another image; use a folder in it, such as \"%.200s/out/{name}.png\"",
                        pattern, folder_of(batch));
}

halo_status batch_check_watched_output(const app_batch *batch, const app_output *output)
{
    char name[BATCH_NAME_SIZE];
    const char *path = app_output_path(batch->run, output);
    if (batch_joins(batch->run, output)) {
        return HALO_OK;
    }
    const char *ending = strrchr(path, '.');
    HALO_FAIL_IF(!batch_name_varies(path), HALO_ARGUMENT,
                 "\"%.300s\" would be the file of all images; write {name} where the image's name "
                 "is to stand, such as \"{name}%.20s\"",
                 path, ending != NULL ? ending : "");
    HALO_TRY(batch_name_print(path, batch->image[0], 0, name));
    return check_place(batch, path, name);
}
