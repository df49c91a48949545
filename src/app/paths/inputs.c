#define _POSIX_C_SOURCE 200809L
#include "app/paths/paths.h"
#include "app/paths/paths_internal.h"
#include "base/names.h"
#include "base/standard.h"
#include "io/image/image_reader.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that readers open though no option names them. */

static const char STANDARD_OUTPUT[] = "/dev/stdout";

typedef struct {
    app_files *files;
    const char *of;
} input_file;

static halo_status take_input(void *context, const char *path, bool folder)
{
    const input_file *input = context;
    return app_files_add_of(input->files, APP_READ, path, input->of, folder);
}

/* Adds files that a shell has opened for the process. */
static halo_status add_standard(app_files *files, const app_file *file)
{
    bool written = app_file_is_written(file);
    const char *path = written ? STANDARD_OUTPUT : HALO_STANDARD_INPUT;
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode)
               ? app_files_add_of(files, written ? APP_BESIDE : APP_READ, path, "-", false)
               : HALO_OK;
}

halo_status app_files_add_printed(app_files *files)
{
    struct stat there;
    bool prints = fstat(STDOUT_FILENO, &there) == 0 && S_ISREG(there.st_mode);
    for (int64_t i = 0; i < files->count && prints; i++) {
        const app_file *file = &files->list[i];
        bool added = file->use == APP_PLAIN && strcmp(file->path, STANDARD_OUTPUT) == 0;
        prints = !added && !(app_file_is_written(file) && halo_is_standard(file->path));
    }
    return prints ? app_files_add(files, APP_PLAIN, STANDARD_OUTPUT) : HALO_OK;
}

/* Only what exists can be replaced: with new names alone nothing is opened for this. */
static bool any_written_is_there(const app_files *files)
{
    bool any = files->set_count > 0;
    for (int64_t i = 0; i < files->count && !any; i++) {
        const app_file *file = &files->list[i];
        any = app_file_is_written(file) && (file->there || halo_is_standard(file->path));
    }
    return any;
}

/* The image of all slices, if several files are to be one. */
static halo_image_options options_of(const app_run *run, const char *path)
{
    const app_inputs *image = &run->arguments->image;
    bool first = image->first != NULL && strlen(path) == halo_name_input(image->first) &&
                 strncmp(path, image->first, strlen(path)) == 0;
    halo_image_options options = {.follow_links = run->arguments->follow_links};
    if (run->arguments->stack && first) {
        options.slices = image->list;
        options.slice_count = image->count;
    }
    return options;
}

static halo_status add_inputs_of(app_files *files, const app_run *run, const app_file *file)
{
    const halo_image_options options = options_of(run, file->path);
    char of[PATH_SIZE], given[PATH_SIZE]; /* the list may move */
    snprintf(of, sizeof of, "%s", file->path);
    snprintf(given, sizeof given, "%s", file->given);
    return halo_image_files(given, &options, take_input, &(input_file){files, of});
}

halo_status app_files_add_inputs(app_files *files, const app_run *run)
{
    const char *arguments = halo_standard_arguments();
    if (arguments != NULL && !halo_is_standard(arguments)) {
        HALO_TRY(app_files_add(files, APP_READ, arguments));
    }
    HALO_TRY(run->arguments->common.quiet ? HALO_OK : app_files_add_printed(files));
    HALO_TRY(app_files_identify(files));
    bool looks = any_written_is_there(files);
    for (int64_t i = 0, count = files->count; i < count; i++) {
        const app_file file = files->list[i];
        if (halo_is_standard(file.path)) {
            HALO_TRY(add_standard(files, &file));
        } else if (file.use == APP_READ && (looks || file.is_dir)) {
            HALO_TRY(add_inputs_of(files, run, &file));
        }
    }
    return HALO_OK;
}
