#include "app/beat_files.h"
#include "app/frame_internal.h"
#include "base/filename_pattern.h"
#include "base/standard.h"
#include "io/array/array_write.h"

#include <inttypes.h>
#include <stdio.h>

/* The first output of this kind from `at` on; NULL after the last. */
static const app_output *find_output(const app_output *at)
{
    while (at->phase != NULL && at->when != APP_EACH_BEAT) {
        at++;
    }
    return at->phase != NULL ? at : NULL;
}

static const app_output *first_output(const app_run *run)
{
    return find_output(run->command->outputs);
}

/* NULL: the output is not asked for. */
static const filename_pattern *name_of(const app_run *run, const app_output *output)
{
    const void *name = (const char *)run->options + output->option;
    return app_output_path(run, output) != NULL ? name : NULL;
}

static const char *file_of(const app_run *run, const app_beat_files *of, const app_output *output,
                           int64_t beat, char out[FILENAME_SIZE])
{
    const filename_pattern *name = name_of(run, output);
    return name != NULL ? halo_filename_print(name, of->first + beat, out) : NULL;
}

/* The option as users write it: "-o", "--vectors". */
static void print_option(const app_run *run, const app_output *output, char text[APP_OPTION_NAME])
{
    app_place at = {0};
    const halo_option *row;
    while ((row = app_next_row(run->command->syntax, &at)) != NULL &&
           !app_output_is_of(output, &at)) {
    }
    if (row != NULL && row->letter != '\0') {
        snprintf(text, APP_OPTION_NAME, "-%c", row->letter);
    } else if (row != NULL) {
        app_option_name(row, text);
    }
}

static halo_status check_name(const app_run *run, const app_beat_files *of,
                              const app_output *output)
{
    const filename_pattern *name = name_of(run, output);
    char option[APP_OPTION_NAME] = "";
    if (run->last_beat <= 1 || name == NULL || name->numbered) {
        return HALO_OK;
    }
    print_option(run, output, option);
    return halo_fail(HALO_ARGUMENT,
                     "%s %s is one file, and %" PRId64 " %s need %" PRId64
                     ": put a place for a number into its name, such as %%04d",
                     option, name->text, of->inputs, of->name, run->last_beat);
}

halo_status app_beat_files_add(const app_run *run, const app_beat_files *of, app_files *files)
{
    char name[FILENAME_SIZE];
    const app_output *output = first_output(run);
    for (; output != NULL; output = find_output(output + 1)) {
        HALO_TRY(check_name(run, of, output));
        for (int64_t i = 0; i < run->last_beat; i++) {
            app_file_use use = i < run->first_beat ? APP_BESIDE : APP_WRITTEN;
            HALO_TRY(app_files_add(files, use, file_of(run, of, output, i, name)));
        }
    }
    return HALO_OK;
}

bool app_beat_files_are_there(const app_run *run, const app_beat_files *of,
                              char path[FILENAME_SIZE], char option[APP_OPTION_NAME])
{
    const app_output *output = first_output(run);
    option[0] = '\0';
    for (; output != NULL; output = find_output(output + 1)) {
        for (int64_t i = 0; i < run->first_beat && name_of(run, output) != NULL; i++) {
            file_of(run, of, output, i, path);
            if (!halo_is_standard(path) && !halo_array_is_there(path)) {
                print_option(run, output, option);
                return false;
            }
        }
    }
    return true;
}

halo_status app_beat_files_write(app_run *run, const app_beat_files *of, int64_t beat)
{
    char name[FILENAME_SIZE];
    const app_output *output = first_output(run);
    for (; output != NULL; output = find_output(output + 1)) {
        const char *path = file_of(run, of, output, beat, name);
        if (path != NULL) {
            HALO_TRY(app_output_write(run, output, path));
        }
    }
    return HALO_OK;
}
