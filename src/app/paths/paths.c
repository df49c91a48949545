#define _POSIX_C_SOURCE 200809L
#include "app/paths/paths.h"
#include "app/paths/paths_internal.h"

#include "app/frame_internal.h"
#include "app/outputs.h"
#include "app/report/lines.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/standard.h"
#include "core/file/folders.h"
#include "core/world/collect.h"
#include "io/array/array_write.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Length of the part of `path` that names the file; the names of plain files have no more. */
static size_t length_of(app_file_use use, const char *path)
{
    bool plain = use == APP_NAMED || use == APP_LOG || use == APP_PLAIN;
    return plain ? strlen(path) : use < APP_WRITTEN ? halo_name_input(path) : halo_name_file(path);
}

halo_status app_files_add_of(app_files *files, app_file_use use, const char *path, const char *of,
                             bool folder)
{
    HALO_TRY(
        halo_grow(&files->list, &files->room, files->count, sizeof *files->list, "names of files"));
    app_file file = {.path = strndup(path, length_of(use, path)),
                     .given = strdup(path),
                     .of = of != NULL ? strdup(of) : NULL,
                     .use = use,
                     .folder = folder};
    if (file.path == NULL || file.given == NULL || (of != NULL && file.of == NULL)) {
        free(file.path);
        free(file.given);
        free(file.of);
        return halo_fail(HALO_MEMORY, "out of memory: names of files");
    }
    files->list[files->count++] = file;
    return HALO_OK;
}

/* A file that will be written, and those that its format makes beside it. */
typedef struct {
    app_files *files;
    app_file_use use;
    const char *path;
} written_file;

static halo_status take_written(void *context, const char *path, bool folder)
{
    const written_file *w = context;
    bool own = strcmp(path, w->path) == 0;
    return app_files_add_of(w->files, own ? w->use : APP_BESIDE, path, own ? NULL : w->path,
                            folder);
}

halo_status app_files_add(app_files *files, app_file_use use, const char *path)
{
    if (path == NULL) {
        return HALO_OK;
    }
    written_file written = {files, use, path};
    return use == APP_WRITTEN || use == APP_BESIDE
               ? halo_array_files(path, take_written, &written)
               : app_files_add_of(files, use, path, NULL, false);
}

const char *app_files_next(const app_files *files, app_file_use use, int64_t *at)
{
    while (*at < files->count && files->list[*at].use != use) {
        ++*at;
    }
    return *at < files->count ? files->list[(*at)++].given : NULL;
}

static void discard(app_files *files)
{
    for (int64_t i = 0; i < files->count; i++) {
        free(files->list[i].path);
        free(files->list[i].given);
        free(files->list[i].of);
        free(files->list[i].end);
    }
    free(files->list);
    app_file_sets_discard(files);
}

/* ---- the files of a run ---------------------------------------------------------------------- */

static const char *path_at(const char *base, size_t offset)
{
    const char *path;
    memcpy(&path, base + offset, sizeof path);
    return path;
}

/* The file that an option names, or NULL. Of an output that the command checks, this may be a
 * pattern. */
static const char *path_of(const app_run *run, const app_place *at)
{
    const halo_option *row = at->row;
    bool names = row->type == HALO_OPTION_INPUT || row->type == HALO_OPTION_OUTPUT ||
                 (row->type == HALO_OPTION_CUSTOM && row->file != 0);
    return names && ((row->flags & APP_REPEATS) == 0 || row->type == HALO_OPTION_CUSTOM)
               ? path_at(run->options,
                         row->type == HALO_OPTION_CUSTOM ? at->base + row->file : at->offset)
               : NULL;
}

static bool is_output_lost(const app_run *run, const app_place *at)
{
    const app_output *output = run->command->outputs;
    for (int i = 0; output != NULL && output[i].phase != NULL; i++) {
        if (app_output_is_of(&output[i], at) && (run->writing->lost_outputs >> i & 1) != 0) {
            return true;
        }
    }
    return false;
}

/* Services know more of it than its row. */
static app_option_file file_of(const app_run *run, const app_place *at)
{
    app_option_file file = {.path = path_of(run, at),
                            .use = at->row->type == HALO_OPTION_OUTPUT ? APP_WRITTEN : APP_READ,
                            .lost = is_output_lost(run, at)};
    if (file.path != NULL) {
        app_services_file(run, at, &file);
    }
    return file;
}

static halo_status add_options(app_files *files, const app_run *run)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        const app_option_file file = file_of(run, &at);
        if ((row->flags & APP_CHECKED) == 0 && !file.unchecked) {
            HALO_TRY((row->flags & (APP_NUMBERED | APP_BEATS)) != 0
                         ? app_files_add_pattern(files, file.path)
                         : app_files_add(files, file.use, file.path));
        }
    }
    return HALO_OK;
}

/* On rank 0. A log is opened as it is, and may be a device or a pipe. */
static halo_status check_log(const char *path, bool *there)
{
    struct stat log;
    *there = stat(path, &log) == 0;
    HALO_FAIL_IF(*there && (S_ISREG(log.st_mode) || S_ISDIR(log.st_mode)) &&
                     access(path, W_OK) != 0,
                 HALO_FILE, "the log \"%s\" cannot be written: %s", path, strerror(errno));
    return HALO_OK;
}

/* Collective. Can files be made where the first `count` will be? */
static halo_status check_folders(halo_world *world, const app_files *files, int64_t count)
{
    bool first = halo_world_rank(world) == 0;
    for (int64_t i = 0; i < count; i++) {
        const app_file *file = &files->list[i];
        bool there = false;
        if (file->use == APP_LOG) {
            HALO_TRY(halo_agree(world, first ? check_log(file->path, &there) : HALO_OK));
            HALO_TRY(halo_bcast(world, &there, sizeof there, 0));
        }
        bool tried = file->use != APP_BESIDE && file->use != APP_PLAIN;
        if (app_file_is_written(file) && !there && tried) {
            HALO_TRY(halo_array_check_path(world, file->path));
        }
    }
    return app_file_sets_check_folders(world, files);
}

/* Summaries go to standard error where standard output is for data. */
static halo_status claim_output(halo_world *world, const app_files *files)
{
    bool claims = false;
    for (int64_t i = 0; i < files->count; i++) {
        claims = claims ||
                 (app_file_is_written(&files->list[i]) && halo_is_standard(files->list[i].path));
    }
    claims = claims && halo_world_rank(world) == 0;
    return halo_agree(world, claims ? halo_standard_output_claim() : HALO_OK);
}

/* On rank 0. */
static halo_status compare(const app_run *run, app_files *files)
{
    HALO_TRY(app_files_add_inputs(files, run));
    HALO_TRY(app_file_sets_check(files));
    HALO_TRY(app_file_sets_add_members(files));
    HALO_TRY(app_files_find_collision(files));
    return app_file_sets_check_links(files);
}

/* On rank 0. Nothing is made before all names have been compared. */
static halo_status compare_and_make(app_run *run, app_files *files, app_step *make)
{
    HALO_TRY(compare(run, files));
    return make != NULL ? make(run) : HALO_OK;
}

/* Collective. Rank 0 has found it for all: the failure is not one of that rank. */
static halo_status share(halo_world *world, halo_status found)
{
    struct {
        halo_status status;
        char message[HALO_MESSAGE_SIZE];
    } said = {.status = found};
    if (found != HALO_OK) {
        snprintf(said.message, sizeof said.message, "%s", halo_last_message());
    }
    HALO_TRY(halo_bcast(world, &said, sizeof said, 0));
    return HALO_REQUIRE(said.status == HALO_OK, said.status, "%s", said.message);
}

/* On rank 0. A plot that gnuplot cannot draw is refused before the run takes long. */
static halo_status check_plots(const app_run *run)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        const char *path = (row->flags & APP_PLOT) != 0 ? path_of(run, &at) : NULL;
        if (path != NULL && !halo_name_ends(path, ".csv")) {
            HALO_TRY(halo_plot_check(path));
        }
    }
    return HALO_OK;
}

static halo_status check(app_run *run, app_files *files, app_step *make)
{
    HALO_TRY(halo_agree(run->world, add_options(files, run)));
    if (run->command->files != NULL) {
        HALO_TRY(run->command->files(run, files));
    }
    HALO_TRY(halo_agree(run->world, app_services_files(run, files)));
    int64_t common = files->count; /* which all ranks know */
    HALO_TRY(share(run->world, app_is_root(run) ? compare_and_make(run, files, make) : HALO_OK));
    HALO_TRY(check_folders(run->world, files, common));
    HALO_TRY(halo_agree(run->world, app_is_root(run) ? check_plots(run) : HALO_OK));
    return claim_output(run->world, files);
}

halo_status app_files_check(app_run *run, app_step *make)
{
    app_files files = {0};
    halo_status status = check(run, &files, make);
    discard(&files);
    return status;
}

static halo_status check_also(app_run *run, app_files *files,
                              halo_status (*add)(void *context, app_files *files), void *context)
{
    HALO_TRY(add_options(files, run));
    HALO_TRY(app_services_files(run, files));
    HALO_TRY(add(context, files));
    return compare(run, files);
}

halo_status app_files_check_also(app_run *run, halo_status (*add)(void *context, app_files *files),
                                 void *context)
{
    app_files files = {0};
    halo_status status = check_also(run, &files, add, context);
    discard(&files);
    return status;
}

bool app_file_is_lost(const app_run *run, const app_place *at)
{
    return file_of(run, at).lost;
}

/* In the order of the help, which has own outputs before those that all commands have. */
static void print_files(const app_run *run, const char *before, bool lost)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        const app_option_file file = file_of(run, &at);
        if (row->type == HALO_OPTION_OUTPUT && file.path != NULL && file.lost == lost) {
            bool stored = file.store != NULL;
            lines_write("%s%s%s%s%s", before,
                        halo_is_standard(file.path) ? "standard output" : file.path,
                        stored ? " in parts, in " : "", stored ? file.store : "",
                        stored ? " of each host" : "");
            before = ", ";
        }
    }
    printf("%s", *before == ',' ? "\n" : "");
}

void app_files_print(const app_run *run)
{
    print_files(run, "written    ", false);
    print_files(run, "lost       ", true);
    for (int i = 0; halo_folders_unshared(run->world, i) != NULL; i++) {
        const halo_unshared_folder *unchecked = halo_folders_unshared(run->world, i);
        lines_printf("disks", "%s is not shared with %s: rank 0 wrote for them", unchecked->name,
                     unchecked->hosts);
    }
}

/* ---- folders --------------------------------------------------------------------------------- */

halo_status paths_make_folder(halo_world *world, const char *path)
{
    return halo_agree(world, halo_world_rank(world) == 0 ? halo_folder_make(path) : HALO_OK);
}
