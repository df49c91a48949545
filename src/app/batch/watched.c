#define _POSIX_C_SOURCE 200809L /* strdup */
#include "app/batch/batch_internal.h"
#include "app/batch/folder.h"
#include "app/batch/name_set.h"
#include "app/frame_internal.h"
#include "app/outputs.h"
#include "app/ranks/signals.h"
#include "app/services/tasks.h"
#include "base/printable.h"
#include "core/world/collect.h"
#include "io/array/array_write.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Images that arrive in a folder. Rank 0 watches it; those that have arrived are tasks of a round,
 * in which ranks compute them as those of any list, and then comes the next round. An image keeps
 * the number that it got, in the journal too, whose results begin with the image's name. */

typedef struct {
    app_batch *batch;
    batch_folder *folder;   /* on rank 0 */
    batch_name_set outputs; /* names of all outputs so far */
    int64_t hole;           /* no number before it is free */
    const char *redone[2];  /* names of images that are done again, for the warnings */
} watching;

static const char *folder_of(const app_batch *batch)
{
    return app_batch_arguments(batch->run)->folder;
}

/* ---- the list of images ---------------------------------------------------------------------- */

static halo_status make_room(app_batch *batch, int64_t count)
{
    bool root = halo_world_rank(batch->run->world) == 0;
    for (; batch->count < count; batch->count++) {
        HALO_TRY(halo_grow(&batch->image, &batch->room[0], batch->count, sizeof *batch->image,
                           "names of images"));
        batch->image[batch->count] = NULL;
        if (root) {
            HALO_TRY(halo_grow(&batch->results, &batch->room[1], batch->count,
                               sizeof *batch->results, "results of images"));
            batch->results[batch->count] = (batch_result){.number = batch->count};
        }
    }
    return HALO_OK;
}

static void free_name(const char *name)
{
    union {
        const char *read;
        char *own;
    } of = {name};
    free(of.own);
}

static void forget(app_batch *batch, int64_t number)
{
    free_name(batch->image[number]);
    batch->image[number] = NULL;
}

static halo_status set_image(app_batch *batch, int64_t number, const char *path)
{
    HALO_TRY(make_room(batch, number + 1));
    forget(batch, number);
    batch->image[number] = strdup(path);
    return HALO_REQUIRE(batch->image[number] != NULL, HALO_MEMORY,
                        "out of memory: names of images");
}

/* For the checks of names, before there is an image. */
halo_status batch_set_stand_in(app_batch *batch)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/image", folder_of(batch));
    return set_image(batch, 0, path);
}

void batch_forget_images(app_batch *batch)
{
    for (int64_t i = 0; batch->watched && i < batch->count; i++) {
        forget(batch, i);
    }
    batch->count = batch->watched ? 0 : batch->count;
}

/* A signal leaves out images that had arrived: a later run finds them again. */
static void drop_left_out(app_batch *batch)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < batch->count; i++) {
        const batch_result *result = &batch->results[i];
        if (result->facts == NULL && result->error == NULL) {
            forget(batch, i);
            continue;
        }
        const char *image = batch->image[i];
        const batch_result moved = *result;
        batch->image[i] = NULL;
        batch->results[i] = (batch_result){.facts = NULL};
        batch->image[kept] = image;
        batch->results[kept++] = moved;
    }
    batch->count = kept;
}

/* ---- outputs of an image --------------------------------------------------------------------- */

/* Calls `take` with the name of each output that the image has for itself. */
static halo_status each_output(watching *w, int64_t number,
                               halo_status (*take)(void *context, const char *pattern,
                                                   const char *path),
                               void *context)
{
    const app_run *run = w->batch->run;
    char path[BATCH_NAME_SIZE];
    for (const app_output *output = run->command->outputs; output != NULL && output->phase != NULL;
         output++) {
        const char *pattern = app_output_path(run, output);
        if (pattern != NULL && !batch_joins(run, output)) {
            HALO_TRY(batch_name_print(pattern, w->batch->image[number], number, path));
            HALO_TRY(take(context, pattern, path));
        }
    }
    return HALO_OK;
}

static halo_status check_output(void *context, const char *pattern, const char *path)
{
    watching *w = context;
    HALO_FAIL_IF(batch_name_set_has(&w->outputs, path), HALO_ARGUMENT,
                 "its output \"%.300s\" is that of an image before it; use {number} in names, or "
                 "rename it",
                 path);
    return batch_has_own_folders(pattern) ? batch_prepare_folder(path) : HALO_OK;
}

static halo_status add_output(void *context, const char *pattern, const char *path)
{
    (void)pattern;
    return batch_name_set_add(&((watching *)context)->outputs, path);
}

typedef struct {
    watching *w;
    int64_t number;
    app_files *files;
} file_list;

static halo_status list_output(void *context, const char *pattern, const char *path)
{
    (void)pattern;
    return app_files_add(((file_list *)context)->files, APP_BESIDE, path);
}

static halo_status list_files(void *context, app_files *files)
{
    file_list *list = context;
    list->files = files;
    HALO_TRY(app_files_add(files, APP_READ, list->w->batch->image[list->number]));
    return each_output(list->w, list->number, list_output, list);
}

/* An image that arrives fails for the reasons for which a list of images is refused. */
static halo_status check_image(watching *w, int64_t number)
{
    file_list list = {.w = w, .number = number};
    HALO_TRY(each_output(w, number, check_output, w));
    HALO_TRY(app_files_check_also(w->batch->run, list_files, &list));
    return each_output(w, number, add_output, w);
}

/* ---- the journal ----------------------------------------------------------------------------- */

/* An image that is done has left the folder, or is passed over there. */
static halo_status take_over(watching *w, int64_t number)
{
    const char *path = w->batch->image[number], *slash = strrchr(path, '/');
    HALO_TRY(each_output(w, number, add_output, w));
    return batch_folder_pass(w->folder, slash != NULL ? slash + 1 : path);
}

/* It will be found in the folder again. */
static void leave_to_folder(watching *w, int64_t number)
{
    app_batch *batch = w->batch;
    const char *first[] = {batch->changed.first, batch->lost.first};
    for (int i = 0; i < 2; i++) {
        if (first[i] != NULL && first[i] == batch->image[number]) {
            w->redone[i] = first[i];
            batch->image[number] = NULL;
        }
    }
    forget(batch, number);
}

/* On rank 0, as app_journal_job.check. */
static halo_status check_done(void *context, int64_t number, const void *data, size_t bytes,
                              bool *done)
{
    watching *w = context;
    size_t name = strnlen(data, bytes);
    HALO_FAIL_IF(name == 0 || name == bytes, HALO_FORMAT,
                 "the journal \"%s\" has no image %" PRId64 " where it should be; remove its lines "
                 "that begin with %" PRId64,
                 app_tasks_arguments(w->batch->run)->journal, number, number);
    HALO_TRY(set_image(w->batch, number, data));
    HALO_TRY(
        batch_check_done(w->batch, number, (const char *)data + name + 1, bytes - name - 1, done));
    if (*done) {
        return take_over(w, number);
    }
    leave_to_folder(w, number);
    return HALO_OK;
}

static halo_status open_journal(watching *w)
{
    app_batch *batch = w->batch;
    if (batch->leaders == NULL) {
        return HALO_OK;
    }
    HALO_TRY(app_tasks_open_journal(
        batch->run, batch->leaders,
        &(app_journal_job){.source = folder_of(batch), .check = check_done, .context = w}));
    if (halo_world_rank(batch->leaders) == 0) {
        batch_warn_redone(batch);
        return app_tasks_replay(batch->run, batch, batch_collect);
    }
    return HALO_OK;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static bool is_asked_to_stop(void *context)
{
    (void)context;
    return halo_signals_noted() != 0;
}

static int64_t next_number(watching *w)
{
    while (w->hole < w->batch->count && w->batch->image[w->hole] != NULL) {
        w->hole++;
    }
    return w->hole;
}

/* On rank 0. Appends the image and its number to the list of the round. */
static halo_status take_image(watching *w, const char *path, halo_buffer *list)
{
    int64_t number = next_number(w);
    HALO_TRY(set_image(w->batch, number, path));
    halo_status status = check_image(w, number);
    if (status == HALO_ARGUMENT || status == HALO_FILE) {
        batch_take_failure(w->batch, number, halo_last_message());
        return HALO_OK;
    }
    HALO_TRY(status);
    HALO_TRY(halo_buffer_append(list, &number, sizeof number));
    return halo_buffer_append(list, path, strlen(path) + 1);
}

/* On rank 0. Waits for images. */
static halo_status gather(watching *w, halo_buffer *list)
{
    halo_buffer paths = {0};
    halo_status status = batch_folder_next(w->folder, &paths);
    for (size_t at = 0; at < paths.size && status == HALO_OK;) {
        const char *path = (const char *)paths.data + at;
        at += strlen(path) + 1;
        status = take_image(w, path, list);
    }
    halo_buffer_free(&paths);
    return status;
}

/* Sets the names of the round's images, and *numbers [*count], ascending. */
static halo_status take_list(app_batch *batch, const halo_buffer *list, int64_t **numbers,
                             int64_t *count)
{
    bool root = halo_world_rank(batch->run->world) == 0;
    HALO_TRY(HALO_ALLOCATE(*numbers, list->size / sizeof **numbers + 1, "numbers of images"));
    for (size_t at = 0; at < list->size; (*count)++) {
        int64_t number;
        memcpy(&number, list->data + at, sizeof number);
        const char *path = (const char *)list->data + at + sizeof number;
        at += sizeof number + strlen(path) + 1;
        HALO_TRY(root ? HALO_OK : set_image(batch, number, path));
        (*numbers)[*count] = number;
    }
    return HALO_OK;
}

/* Images of other ranks need names while they are computed only. */
static void end_round(app_batch *batch, const int64_t *numbers, int64_t count)
{
    for (int64_t i = 0; halo_world_rank(batch->run->world) > 0 && i < count; i++) {
        forget(batch, numbers[i]);
    }
}

static halo_status run_round(watching *w, bool *ended)
{
    app_batch *batch = w->batch;
    halo_world *world = batch->run->world;
    halo_buffer list = {0};
    int64_t *numbers = NULL, count = 0;
    halo_status status = halo_world_rank(world) == 0 ? gather(w, &list) : HALO_OK;
    int64_t asked = halo_world_rank(world) == 0 && is_asked_to_stop(NULL);
    status = halo_bcast_buffer(world, status, &list);
    HALO_IF_OK(status, halo_bcast(world, &asked, sizeof asked, 0));
    *ended = asked != 0;
    if (status == HALO_OK && !*ended && list.size > 0) {
        status = halo_agree(world, take_list(batch, &list, &numbers, &count));
        HALO_IF_OK(status, batch_run_images(batch, numbers, count));
        end_round(batch, numbers, count);
    }
    free(numbers);
    halo_buffer_free(&list);
    return status;
}

static halo_status begin(watching *w)
{
    app_run *run = w->batch->run;
    const batch_arguments *arguments = app_batch_arguments(run);
    const batch_folder_options options = {.every = arguments->watch_every,
                                          .any_name = run->arguments->raw.width > 0,
                                          .stops = is_asked_to_stop};
    halo_signals_hold();
    batch_forget_images(w->batch);
    w->batch->watching = true;
    bool root = app_is_root(run);
    HALO_TRY(halo_agree(
        run->world, root ? batch_folder_open(&w->folder, arguments->folder, &options) : HALO_OK));
    return halo_agree(run->world, open_journal(w));
}

static void report_lost(app_run *run)
{
    if (app_is_root(run)) {
        halo_print_line(run->program, halo_last_message());
    }
    run->writing->lost = true;
}

halo_status batch_watch_folder(app_batch *batch)
{
    watching w = {.batch = batch};
    halo_status status = begin(&w);
    for (bool ended = false; status == HALO_OK && !ended;) {
        status = run_round(&w, &ended);
        if (status == HALO_FILE) { /* what came before stays */
            report_lost(batch->run);
            status = HALO_OK;
            ended = true;
        }
    }
    if (halo_world_rank(batch->run->world) == 0) {
        drop_left_out(batch);
    }
    batch_folder_close(&w.folder);
    batch_name_set_free(&w.outputs);
    free_name(w.redone[0]);
    free_name(w.redone[1]);
    return status;
}
