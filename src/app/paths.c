#define _POSIX_C_SOURCE 200809L
#include "app/paths.h"

#include "app/frame_internal.h"
#include "core/file/file.h"
#include "core/world/collect.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* Which file a path means, however it is spelled: the file itself where it exists, otherwise its
 * folder and name. */
typedef struct {
    dev_t device;
    ino_t number;
    const char *name; /* or NULL */
} file_identity;

static bool identify(const char *path, file_identity *identity)
{
    struct stat there;
    *identity = (file_identity){0};
    if (stat(path, &there) != 0) {
        const char *slash = strrchr(path, '/');
        char folder[PATH_SIZE] = ".";
        if (slash != NULL) {
            snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
        }
        if (stat(folder, &there) != 0) {
            return false; /* which the check of the file itself will report */
        }
        identity->name = slash != NULL ? slash + 1 : path;
    }
    identity->device = there.st_dev;
    identity->number = there.st_ino;
    return true;
}

static bool same_file(const char *a, const char *b)
{
    file_identity x, y;
    if (a == NULL || b == NULL || !identify(a, &x) || !identify(b, &y) ||
        (x.name == NULL) != (y.name == NULL)) {
        return false;
    }
    return x.device == y.device && x.number == y.number &&
           (x.name == NULL || strcmp(x.name, y.name) == 0);
}

/* Two names of one file, by their indices: so all ranks can say the same of what rank 0 found. */
typedef struct {
    int output, other; /* -1: none */
    bool is_input;     /* the other one */
} collision;

static collision find_collision(const char *const *outputs, int output_count,
                                const char *const *inputs, int input_count)
{
    for (int i = 0; i < output_count; i++) {
        for (int j = i + 1; j < output_count; j++) {
            if (same_file(outputs[i], outputs[j])) {
                return (collision){.output = i, .other = j};
            }
        }
        for (int j = 0; j < input_count; j++) {
            if (same_file(outputs[i], inputs[j])) {
                return (collision){.output = i, .other = j, .is_input = true};
            }
        }
    }
    return (collision){.output = -1};
}

halo_status paths_check_distinct(halo_world *world, const char *const *outputs, int output_count,
                                 const char *const *inputs, int input_count)
{
    collision found = {.output = -1};
    if (halo_world_rank(world) == 0) {
        found = find_collision(outputs, output_count, inputs, input_count);
    }
    HALO_TRY(halo_bcast(world, &found, sizeof found, 0));
    if (found.output < 0) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "\"%s\" and \"%s\" are the same file, which is named twice; every file needs "
                     "its own name",
                     outputs[found.output],
                     found.is_input ? inputs[found.other] : outputs[found.other]);
}

halo_status paths_check(halo_world *world, const char *const *outputs, int output_count,
                        const char *const *inputs, int input_count)
{
    HALO_TRY(paths_check_distinct(world, outputs, output_count, inputs, input_count));
    for (int i = 0; i < output_count; i++) {
        if (outputs[i] != NULL) {
            HALO_TRY(halo_file_check(world, outputs[i]));
        }
    }
    return HALO_OK;
}

static halo_status make_folder(const char *path)
{
    struct stat there;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return halo_fail(HALO_FILE, "the folder \"%s\" cannot be made: %s", path, strerror(errno));
    }
    if (stat(path, &there) != 0 || !S_ISDIR(there.st_mode)) {
        return halo_fail(HALO_FILE, "\"%s\" is not a folder; give another name", path);
    }
    if (access(path, W_OK | X_OK) != 0) {
        return halo_fail(HALO_FILE, "the folder \"%s\" cannot be written to: %s", path,
                         strerror(errno));
    }
    return HALO_OK;
}

halo_status paths_make_folder(halo_world *world, const char *path)
{
    return halo_agree(world, halo_world_rank(world) == 0 ? make_folder(path) : HALO_OK);
}

/* ---- the files of a run, as the rows of its options name them -------------------------------- */

typedef struct {
    const char **paths;
    int count;
} file_list;

typedef struct {
    file_list outputs, inputs;
    bool all;             /* also those that the command itself checks */
    const char *restored; /* which the checkpoint may replace */
} files;

static void add(file_list *list, const char *path)
{
    list->paths[list->count++] = path;
}

static const char *path_at(const char *base, size_t offset)
{
    const char *path;
    memcpy(&path, base + offset, sizeof path);
    return path;
}

static void collect_row(files *f, const char *base, const app_option *row)
{
    bool repeats = (row->flags & APP_REPEATS) != 0;
    size_t offset = row->type == APP_CUSTOM ? row->file : row->offset;
    bool names = row->type == APP_INPUT || row->type == APP_OUTPUT ||
                 (row->type == APP_CUSTOM && row->file != 0);
    const char *path = names && !repeats ? path_at(base, offset) : NULL;
    bool checked = (row->flags & APP_CHECKED) != 0;
    if (path == NULL || path == f->restored || (checked && !f->all)) {
        return;
    }
    add(row->type == APP_OUTPUT ? &f->outputs : &f->inputs, path);
}

static halo_status collect(files *f, const app_run *run, bool all)
{
    const app_syntax *syntax = run->command->syntax;
    app_place counted = {0}, at = {0};
    size_t rows = 0;
    while (app_next_row(syntax, &counted) != NULL) {
        rows++;
    }
    *f = (files){.all = all, .restored = run->arguments->state.restore};
    f->outputs.paths = calloc(rows + 1, sizeof *f->outputs.paths);
    f->inputs.paths = calloc(rows + 1, sizeof *f->inputs.paths);
    if (f->outputs.paths == NULL || f->inputs.paths == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: names of files");
    }
    for (const app_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        collect_row(f, run->options, row);
    }
    return HALO_OK;
}

static void discard(files *f)
{
    free(f->outputs.paths);
    free(f->inputs.paths);
}

static halo_status check(app_run *run, files *f)
{
    halo_world *world = run->world;
    const char *checkpoint = run->arguments->state.checkpoint;
    HALO_TRY(
        paths_check(world, f->outputs.paths, f->outputs.count, f->inputs.paths, f->inputs.count));
    HALO_TRY(app_balance_check_log(run->balance, f->outputs.paths, f->outputs.count));
    HALO_TRY(app_balance_check_log(run->balance, f->inputs.paths, f->inputs.count));
    HALO_TRY(app_balance_check_log(run->balance, &f->restored, 1));
    for (int i = 0; i < f->outputs.count; i++) {
        if (f->outputs.paths[i] != checkpoint) {
            HALO_TRY(paths_check_distinct(world, &f->outputs.paths[i], 1, &f->restored, 1));
        }
    }
    return HALO_OK;
}

halo_status app_files_check(app_run *run)
{
    files f;
    halo_status status = halo_agree(run->world, collect(&f, run, false));
    if (status == HALO_OK) {
        status = check(run, &f);
    }
    discard(&f);
    if (status == HALO_OK && run->command->check_paths != NULL) {
        status = run->command->check_paths(run);
    }
    return status;
}

/* In the order of the help, which has own outputs before those that all commands have. */
void app_files_print(const app_run *run)
{
    files f;
    if (collect(&f, run, true) == HALO_OK) {
        for (int i = 0; i < f.outputs.count; i++) {
            printf("%s%s", i > 0 ? ", " : "written    ", f.outputs.paths[i]);
        }
        printf("%s", f.outputs.count > 0 ? "\n" : "");
    }
    discard(&f);
}
