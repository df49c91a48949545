#define _POSIX_C_SOURCE 200809L
#include "app/paths_internal.h"

#include "app/balance.h"
#include "app/batch/batch_internal.h"
#include "app/frame_internal.h"
#include "app/lines.h"
#include "app/outputs.h"
#include "base/names.h"
#include "base/standard.h"
#include "core/file/file.h"
#include "core/file/folders.h"
#include "core/world/collect.h"
#include "io/array/array_write.h"
#include "io/image/slices.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 16 };

halo_status app_files_add(app_files *files, app_file_use use, const char *path)
{
    if (path == NULL) {
        return HALO_OK;
    }
    if (files->count == files->room) {
        int64_t room = 2 * files->room + FIRST_ROOM;
        app_file *list = realloc(files->list, (size_t)room * sizeof *list);
        if (list == NULL) {
            return halo_fail(HALO_MEMORY, "out of memory: names of files");
        }
        files->list = list;
        files->room = room;
    }
    app_file file = {.path = strndup(path, halo_name_file(path)), .use = use};
    if (file.path == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: names of files");
    }
    files->list[files->count++] = file;
    return HALO_OK;
}

static void discard(app_files *files)
{
    for (int64_t i = 0; i < files->count; i++) {
        free(files->list[i].path);
    }
    free(files->list);
    app_file_sets_discard(files);
}

/* ---- names of one file ----------------------------------------------------------------------- */

static bool identify(app_file *file)
{
    struct stat there;
    const char *path = file->path;
    if (halo_is_standard(path)) {
        file->name = app_file_is_written(file) ? "standard output" : "standard input";
        return true;
    }
    if (halo_name_there(path, &there) == 0) {
        const char *slash = strrchr(path, '/');
        char folder[PATH_SIZE] = ".";
        if (slash != NULL) {
            snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
        }
        if (stat(folder, &there) != 0) {
            return false; /* which the check of the file itself will report */
        }
        file->name = slash != NULL ? slash + 1 : path;
    }
    file->device = there.st_dev;
    file->number = there.st_ino;
    return true;
}

/* 0 for names of one file. */
static int compare_files(const app_file *a, const app_file *b)
{
    if (a->device != b->device) {
        return a->device < b->device ? -1 : 1;
    }
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return strcmp(a->name != NULL ? a->name : "", b->name != NULL ? b->name : "");
}

/* Names of one file lie beside each other, in the order in which they were added. */
static int compare_entries(const void *x, const void *y)
{
    const app_file *a = *(const app_file *const *)x, *b = *(const app_file *const *)y;
    int order = compare_files(a, b);
    return order != 0 ? order : a < b ? -1 : a > b;
}

/* Would the first, which is written, replace what the second is for? */
static bool collides(const app_file *a, const app_file *b)
{
    return a != b && app_file_is_written(a) &&
           !(a->use == APP_CHECKPOINT && b->use == APP_RESTORED);
}

/* In `names` [count] of one file; *pair are places in the list. */
static bool find_pair(const app_files *files, app_file *const *names, int64_t count,
                      int64_t pair[2])
{
    int64_t a = 0;
    /* A file can be read twice, standard input cannot. */
    bool once = count > 1 && !app_file_is_written(names[0]) && halo_is_standard(names[0]->path);
    if (once) {
        pair[0] = names[0] - files->list;
        pair[1] = names[1] - files->list;
        return true;
    }
    while (a < count && !app_file_is_written(names[a])) {
        a++;
    }
    for (int64_t b = 0; a < count && b < count; b++) {
        if (collides(names[a], names[b])) {
            pair[0] = names[a] - files->list;
            pair[1] = names[b] - files->list;
            return true;
        }
    }
    return false;
}

/* Leaves *pair alone if there are no two names of one file. */
static halo_status find_collision(app_files *files, int64_t pair[2])
{
    app_file **sorted = malloc((size_t)(files->count + 1) * sizeof(app_file *));
    int64_t count = 0, begin = 0;
    if (sorted == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: names of files");
    }
    for (int64_t i = 0; i < files->count; i++) {
        if (identify(&files->list[i])) {
            sorted[count++] = &files->list[i];
        }
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_entries);
    bool found = false;
    while (begin < count && !found) {
        int64_t end = begin + 1;
        while (end < count && compare_files(sorted[begin], sorted[end]) == 0) {
            end++;
        }
        found = find_pair(files, sorted + begin, end - begin, pair);
        begin = end;
    }
    free(sorted);
    return HALO_OK;
}

static halo_status fail_same(const app_files *files, const int64_t pair[2])
{
    return halo_fail(HALO_ARGUMENT,
                     "\"%s\" and \"%s\" are the same file, which is named twice; every file needs "
                     "its own name",
                     files->list[pair[0]].path, files->list[pair[1]].path);
}

/* Rank 0 looks, and all ranks say the same of what it found. Behind the `common` files that all
 * ranks know, which it names first, it alone has slices. */
static halo_status check_distinct(halo_world *world, app_files *files, int64_t common)
{
    int64_t pair[2] = {-1, -1};
    bool looks = halo_world_rank(world) == 0;
    halo_status status = looks ? find_collision(files, pair) : HALO_OK;
    if (status == HALO_OK && pair[1] >= common) {
        status = fail_same(files, pair);
    }
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_bcast(world, pair, sizeof pair, 0));
    if (pair[0] >= 0 && halo_is_standard(files->list[pair[0]].path)) {
        return halo_fail(HALO_ARGUMENT,
                         "one file can %s, and two are called \"-\"; give one of them another name",
                         app_file_is_written(&files->list[pair[0]]) ? "go to standard output"
                                                                    : "come from standard input");
    }
    return pair[0] < 0 ? HALO_OK : fail_same(files, pair);
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
static const char *path_of(const app_run *run, const app_option *row)
{
    bool names = row->type == APP_INPUT || row->type == APP_OUTPUT ||
                 (row->type == APP_CUSTOM && row->file != 0);
    return names && ((row->flags & APP_REPEATS) == 0 || row->type == APP_CUSTOM)
               ? path_at(run->options, row->type == APP_CUSTOM ? row->file : row->offset)
               : NULL;
}

static halo_status add_options(app_files *files, const app_run *run)
{
    const checkpoint_arguments *state = &run->arguments->state;
    app_place at = {0};
    for (const app_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        const char *path = path_of(run, row);
        /* With --resume both have the same name. */
        bool saved = row->type == APP_OUTPUT && path == state->checkpoint;
        app_file_use use = saved                     ? APP_CHECKPOINT
                           : path == state->restore  ? APP_RESTORED
                           : row->type == APP_OUTPUT ? APP_WRITTEN
                                                     : APP_READ;
        bool stored = state->store != NULL && (use == APP_RESTORED || use == APP_CHECKPOINT);
        bool many = run->batch != NULL &&
                    (row->offset == offsetof(app_arguments, image) || batch_writes(run, row));
        if ((row->flags & APP_CHECKED) == 0 && !stored && !many) {
            HALO_TRY((row->flags & (APP_NUMBERED | APP_BEATS)) != 0
                         ? app_files_add_pattern(files, path)
                         : app_files_add(files, use, path));
        }
    }
    HALO_TRY(run->batch != NULL ? batch_add_files(run->batch, files) : HALO_OK);
    HALO_TRY(app_files_add(files, APP_LOG, run->arguments->tasks.journal));
    return app_files_add(files, APP_LOG, app_balance_log_file(run->balance));
}

/* On rank 0. What cannot be listed, the reader will speak of. */
static halo_status add_slices(app_files *files, const char *path, const char *const *names,
                              int64_t count)
{
    halo_slices slices;
    halo_status status = HALO_OK;
    if (count == 0 && (path == NULL || !halo_slices_are_named(path))) {
        return HALO_OK;
    }
    bool found = halo_slices_find(&slices, path, names, count) == HALO_OK;
    for (int64_t i = 0; found && i < slices.count && status == HALO_OK; i++) {
        status = app_files_add(files, APP_READ, slices.name[i]);
    }
    halo_slices_free(&slices);
    return status;
}

/* On rank 0. The files of which the images are made. */
static halo_status add_all_slices(app_files *files, const app_run *run)
{
    const app_inputs *image = &run->arguments->image;
    if (!run->command->image) {
        return HALO_OK;
    }
    if (run->batch == NULL) {
        return add_slices(files, image->first, image->list,
                          run->arguments->stack ? image->count : 0);
    }
    for (int64_t i = 0; i < run->batch->count; i++) {
        HALO_TRY(add_slices(files, run->batch->image[i], NULL, 0));
    }
    return HALO_OK;
}

/* On rank 0. A log is opened as it is, and may be a device or a pipe. */
static halo_status check_log(const char *path, bool *there)
{
    struct stat log;
    *there = stat(path, &log) == 0;
    if (*there && (S_ISREG(log.st_mode) || S_ISDIR(log.st_mode)) && access(path, W_OK) != 0) {
        return halo_fail(HALO_FILE, "the log \"%s\" cannot be written: %s", path, strerror(errno));
    }
    return HALO_OK;
}

/* Collective. Can files be made where these will be? */
static halo_status check_folders(halo_world *world, const app_files *files)
{
    bool first = halo_world_rank(world) == 0;
    for (int64_t i = 0; i < files->count; i++) {
        const app_file *file = &files->list[i];
        bool there = false;
        if (file->use == APP_LOG) {
            HALO_TRY(halo_agree(world, first ? check_log(file->path, &there) : HALO_OK));
            HALO_TRY(halo_bcast(world, &there, sizeof there, 0));
        }
        if (app_file_is_written(file) && !there && file->use != APP_BESIDE) {
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

static halo_status check(app_run *run, app_files *files)
{
    HALO_TRY(halo_agree(run->world, add_options(files, run)));
    if (run->command->files != NULL) {
        HALO_TRY(run->command->files(run, files));
    }
    int64_t common = files->count;
    bool first = halo_world_rank(run->world) == 0;
    HALO_TRY(halo_agree(run->world, first ? add_all_slices(files, run) : HALO_OK));
    HALO_TRY(check_distinct(run->world, files, common));
    HALO_TRY(app_file_sets_check(run->world, files));
    HALO_TRY(check_folders(run->world, files));
    return claim_output(run->world, files);
}

halo_status app_files_check(app_run *run)
{
    app_files files = {0};
    halo_status status = check(run, &files);
    discard(&files);
    return status;
}

bool app_file_is_lost(const app_run *run, const app_option *row)
{
    const app_output *output = run->command->outputs;
    for (int i = 0; output != NULL && output[i].phase != NULL; i++) {
        if (output[i].option == row->offset && (run->lost_outputs >> i & 1) != 0) {
            return true;
        }
    }
    const char *path = path_of(run, row);
    const app_arguments *arguments = run->arguments;
    bool pictures = path == arguments->movie.path || path == run->movie.folder;
    return (pictures && run->movie.dropped) ||
           (path == arguments->state.checkpoint && run->saving_fails && !run->saved_state);
}

/* In the order of the help, which has own outputs before those that all commands have. */
static void print_files(const app_run *run, const char *before, bool lost)
{
    app_place at = {0};
    for (const app_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        const char *path = row->type == APP_OUTPUT ? path_of(run, row) : NULL;
        if (path != NULL && app_file_is_lost(run, row) == lost) {
            bool stored = run->store != NULL && path == run->arguments->state.checkpoint;
            printf("%s%s%s%s%s", before, halo_is_standard(path) ? "standard output" : path,
                   stored ? " in parts, in " : "", stored ? run->arguments->state.store : "",
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
    for (int i = 0; halo_folders_apart(run->world, i) != NULL; i++) {
        const halo_folder_apart *apart = halo_folders_apart(run->world, i);
        lines_printf("disks", "%s is not shared with %s: rank 0 wrote for them", apart->name,
                     apart->hosts);
    }
}

/* ---- folders --------------------------------------------------------------------------------- */

halo_status paths_make_folder(halo_world *world, const char *path)
{
    return halo_agree(world, halo_world_rank(world) == 0 ? halo_folder_make(path) : HALO_OK);
}
