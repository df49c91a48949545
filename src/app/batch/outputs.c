#include "app/outputs.h"
#include "app/batch/batch_internal.h"
#include "app/frame_internal.h"
#include "app/options/values.h"
#include "app/paths/paths_internal.h"
#include "base/names.h"
#include "core/file/folders.h"
#include "io/array/array_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what cannot be done with many images ---------------------------------------------------- */

static halo_status check_option(const app_run *run, const app_place *at)
{
    const halo_option *row = at->row;
    char name[APP_OPTION_NAME];
    if (row->type == HALO_OPTION_SECTION ||
        !app_was_given(run, (const char *)run->options + at->offset)) {
        return HALO_OK;
    }
    app_option_name(row, name);
    HALO_FAIL_IF(at->service != NULL && at->service->one_image, HALO_ARGUMENT,
                 "%s is for one image; leave it out, or name one image", name);
    bool alone = app_batch_arguments(run)->ranks_per_image <= 1;
    HALO_FAIL_IF(alone && at->service == NULL && APP_IS_WITHIN(row, decomposition), HALO_ARGUMENT,
                 "%s is for an image on several ranks; leave it out, or give --ranks-per-image",
                 name);
    return HALO_OK;
}

static bool is_shared(const app_output *output, const char *path)
{
    return output->joins && !batch_name_varies(path) && halo_name_ends(path, ".csv");
}

static halo_status check_output(const app_batch *batch, const app_output *output)
{
    const char *path = app_output_path(batch->run, output);
    if (path == NULL) {
        return HALO_OK;
    }
    HALO_TRY(batch_name_check(path));
    if (batch->watched) {
        return batch_check_watched_output(batch, output);
    }
    if (batch->count <= 1 || batch_name_varies(path) || is_shared(output, path)) {
        return HALO_OK;
    }
    const char *ending = strrchr(path, '.');
    return halo_fail(HALO_ARGUMENT,
                     "\"%.300s\" would be the file of %" PRId64 " images; write {name} where the "
                     "image's name is to stand, such as \"{name}%.20s\"%s",
                     path, batch->count, ending != NULL ? ending : "",
                     output->joins ? ", or name one table of all that ends in .csv" : "");
}

halo_status batch_check(const app_batch *batch)
{
    const app_run *run = batch->run;
    int64_t requested = app_batch_arguments(run)->ranks_per_image;
    app_place at = {0};
    while (app_next_row(run->command->syntax, &at) != NULL) {
        HALO_TRY(check_option(run, &at));
    }
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        HALO_TRY(check_output(batch, output));
    }
    int ranks = halo_world_ranks(run->world);
    HALO_FAIL_IF(requested > ranks, HALO_ARGUMENT,
                 "--ranks-per-image %" PRId64 " with %d rank%s; start more, or ask for fewer",
                 requested, ranks, ranks == 1 ? "" : "s");
    return HALO_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Is the row an output of the command's table? */
static bool is_written(const app_run *run, const app_place *at)
{
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        if (app_output_is_of(output, at)) {
            return true;
        }
    }
    return false;
}

void batch_take_file(const app_run *run, const app_place *at, app_option_file *file)
{
    bool stands_for_many = at->offset == offsetof(app_arguments, image) || is_written(run, at);
    file->unchecked = file->unchecked || stands_for_many;
}

static size_t folder_length(const char *path)
{
    size_t length = halo_name_file(path);
    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    return length > 0 ? length - 1 : 0;
}

/* On rank 0. A folder for outputs: what runs that were killed have left there goes. That of label
 * layers is made in an image of OME-Zarr only. */
halo_status batch_prepare_folder(const char *path)
{
    char folder[BATCH_NAME_SIZE], file[BATCH_NAME_SIZE];
    struct stat there;
    size_t length = folder_length(path);
    snprintf(folder, sizeof folder, "%.*s", (int)length, path);
    if (length > 0 && halo_name_layer(path) == 0 && stat(folder, &there) != 0) {
        HALO_TRY(halo_folder_make(folder));
    }
    snprintf(file, sizeof file, "%.*s", (int)halo_name_file(path), path);
    halo_array_clean_folder(file);
    return HALO_OK;
}

/* The files of one output. */
typedef struct {
    const app_batch *batch;
    const char *pattern;
    /* Is given each name, and whether it is the first one in its folder. */
    halo_status (*take)(void *context, const char *path, bool first);
    void *context;
} output_names;

static halo_status each_name(const output_names *names)
{
    const app_batch *batch = names->batch;
    char before[BATCH_NAME_SIZE] = "", path[BATCH_NAME_SIZE];
    if (batch->watching || (batch->watched && batch_has_own_folders(names->pattern))) {
        return HALO_OK; /* these are looked at as images arrive */
    }
    for (int64_t i = 0; i < batch->count; i++) {
        HALO_TRY(batch_name_print(names->pattern, batch->image[i], i, path));
        size_t length = folder_length(path);
        bool same = i > 0 && length == folder_length(before) && memcmp(path, before, length) == 0;
        HALO_TRY(names->take(names->context, path, !same));
        memcpy(before, path, strlen(path) + 1);
    }
    return HALO_OK;
}

/* One of each folder is tried; the others lie beside it. */
static halo_status add_name(void *files, const char *path, bool first)
{
    return app_files_add(files, first ? APP_WRITTEN : APP_BESIDE, path);
}

/* The folder of several files, of which none is known here. */
static halo_status add_folder(void *files, const char *path, bool first)
{
    (void)first;
    return app_files_add_of(files, APP_BESIDE, path, NULL, true);
}

static halo_status make_folder(void *unused, const char *path, bool first)
{
    (void)unused;
    return first ? batch_prepare_folder(path) : HALO_OK;
}

halo_status batch_add_files(app_batch *batch, app_files *files)
{
    const app_run *run = batch->run;
    for (int64_t i = 0; i < batch->count && !batch->watched; i++) {
        HALO_TRY(app_files_add(files, APP_READ, batch->image[i]));
    }
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        const char *path = app_output_path(run, output);
        if (path != NULL && is_shared(output, path)) {
            HALO_TRY(app_files_add(files, APP_WRITTEN, path));
        } else if (path != NULL) {
            bool folder = output->folder_is_complete != NULL;
            HALO_TRY(
                each_name(&(output_names){batch, path, folder ? add_folder : add_name, files}));
        }
    }
    return HALO_OK;
}

halo_status batch_make_folders(app_batch *batch)
{
    const app_output *output = batch->run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        const char *path = app_output_path(batch->run, output);
        if (path != NULL && !is_shared(output, path)) {
            HALO_TRY(each_name(&(output_names){batch, path, make_folder, NULL}));
        }
    }
    return HALO_OK;
}

bool batch_joins(const app_run *run, const app_output *output)
{
    const char *path = app_output_path(run, output);
    return path != NULL && is_shared(output, path);
}

int batch_count_tables(const app_run *run)
{
    const app_output *output = run->command->outputs;
    int count = 0;
    for (; output != NULL && output->phase != NULL; output++) {
        count += batch_joins(run, output);
    }
    return count;
}
