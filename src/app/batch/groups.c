#define _POSIX_C_SOURCE 200809L /* strdup */
#include "app/batch/batch_internal.h"
#include "app/ranks/signals.h"
#include "app/services/tasks.h"
#include "base/printable.h"
#include "core/world/collect.h"

#include <string.h>

/* Images as tasks. Where each is computed by one rank, that is a task of a thread, in a world of
 * its own without messages. Where several ranks compute one together, the first of each group
 * takes tasks, and tells the others which image is next. */

enum { NO_MORE = -1 };

/* ---- worlds ---------------------------------------------------------------------------------- */

/* Ranks beside each other, which launchers put on one host, as evenly as can be. */
static int group_of(const app_batch *batch, int rank)
{
    int64_t ranks = halo_world_ranks(batch->run->world);
    int64_t groups = ranks / app_batch_arguments(batch->run)->ranks_per_image;
    return (int)((int64_t)rank * groups / ranks);
}

static halo_status split(const app_batch *batch, int colour, halo_world **out)
{
    halo_world *world = batch->run->world;
    const halo_world_options options = {.wait = batch->run->arguments->common.wait};
    return halo_world_split(out, world, colour, &options);
}

halo_status batch_begin_groups(app_batch *batch)
{
    halo_world *world = batch->run->world;
    int rank = halo_world_rank(world);
    if (app_batch_arguments(batch->run)->ranks_per_image <= 1) {
        batch->leaders = world;
        return halo_agree(world, halo_world_create_alone(&batch->group, world));
    }
    HALO_TRY(halo_agree(world, split(batch, group_of(batch, rank), &batch->group)));
    bool leads = halo_world_rank(batch->group) == 0;
    return halo_agree(world, split(batch, leads ? 0 : -1, &batch->leaders));
}

void batch_end_groups(app_batch *batch)
{
    halo_world_destroy(&batch->group);
    if (batch->leaders != batch->run->world) {
        halo_world_destroy(&batch->leaders);
    }
}

/* ---- an image -------------------------------------------------------------------------------- */

/* After a signal there is nothing to do any more: images that were not begun say nothing. */
static bool is_stopped(app_batch *batch)
{
    if ((batch->watched ? halo_signals_noted() : halo_signals_pending()) != 0) {
        atomic_store(&batch->stopped, true);
    }
    return atomic_load(&batch->stopped);
}

static halo_status run_image(app_batch *batch, halo_task_range *range)
{
    batch_computed computed = {0};
    halo_buffer packed = {0};
    if (batch->leaders != batch->run->world) {
        HALO_TRY(halo_bcast(batch->group, &range->task, sizeof range->task, 0));
    }
    halo_status status = batch_run_image(batch, range->task, &computed);
    if (status == HALO_OK && batch->watched) { /* a journal has no list of names */
        const char *image = batch->image[range->task];
        status = halo_buffer_append(&packed, image, strlen(image) + 1);
    }
    HALO_IF_OK(status,
               batch_result_pack(&packed, &computed.origin, computed.facts, &computed.rows));
    bool drops = is_stopped(batch) && !batch->watched;
    if (status == HALO_OK && !drops) {
        status = halo_task_put(range, packed.data, packed.size);
    }
    batch_computed_free(&computed);
    halo_buffer_free(&packed);
    return drops ? HALO_OK : status;
}

static halo_status run_images(void *context, halo_task_range *range)
{
    app_batch *batch = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        if (!is_stopped(batch)) {
            HALO_TRY(run_image(batch, range));
        }
    }
    return HALO_OK;
}

/* The others of a group. What an image fails with is its first rank's to report. */
static halo_status follow(app_batch *batch)
{
    for (;;) {
        int64_t image;
        batch_computed computed = {0};
        HALO_TRY(halo_bcast(batch->group, &image, sizeof image, 0));
        if (image == NO_MORE) {
            return HALO_OK;
        }
        (void)batch_run_image(batch, image, &computed);
        batch_computed_free(&computed);
    }
}

/* ---- on rank 0 ------------------------------------------------------------------------------- */

static halo_status keep(batch_result *result, const batch_parts *parts)
{
    HALO_TRY(HALO_ALLOCATE(result->facts, parts->facts_size, "what is reported of an image"));
    HALO_TRY(HALO_ALLOCATE(result->rows, parts->rows_size + 1, "a table of an image"));
    memcpy(result->facts, parts->facts, parts->facts_size);
    memcpy(result->rows, parts->rows, parts->rows_size);
    return HALO_OK;
}

halo_status batch_collect(void *context, int64_t task, const void *data, size_t bytes)
{
    app_batch *batch = context;
    batch_parts parts;
    size_t name = batch->watched ? strnlen(data, bytes - 1) + 1 : 0;
    HALO_FAIL_IF(!batch_result_split((const char *)data + name, bytes - name,
                                     batch_count_tables(batch->run), &parts),
                 HALO_FORMAT, "the result of %s is damaged", batch->image[task]);
    HALO_TRY(keep(&batch->results[task], &parts));
    return app_tasks_done(batch->run, task, data, bytes);
}

void batch_take_failure(void *context, int64_t task, const char *message)
{
    app_batch *batch = context;
    const char *image = batch->image[task];
    bool named = strstr(message, image) != NULL;
    batch->failed++;
    app_tasks_count(batch->run);
    progress_end(&batch->run->progress);
    halo_print_message(batch->run->program, "%s%s%s", named ? "" : image, named ? "" : ": ",
                       message);
    batch->results[task].error = strdup(message);
}

/* ---------------------------------------------------------------------------------------------- */

static const char *name_of(const void *context, int64_t task)
{
    return ((const app_batch *)context)->image[task];
}

static halo_status open_journal(app_batch *batch)
{
    HALO_TRY(app_tasks_open_journal(
        batch->run, batch->leaders,
        &(app_journal_job){
            .tasks = batch->count, .name = name_of, .check = batch_check_done, .context = batch}));
    if (halo_world_rank(batch->leaders) == 0) {
        batch_warn_redone(batch);
    }
    return HALO_OK;
}

static halo_status lead(app_batch *batch, const int64_t *numbers, int64_t count)
{
    bool alone = batch->leaders == batch->run->world;
    const halo_tasks_options options = {.count = count,
                                        .numbers = numbers,
                                        .context = batch,
                                        .run = run_images,
                                        .collect = batch_collect,
                                        .failed = batch_take_failure,
                                        .keep_going = true,
                                        .once = batch->watched, /* others may arrive meanwhile */
                                        .gives_back = true,
                                        .same_thread = !alone};
    halo_status status = numbers == NULL ? open_journal(batch) : HALO_OK;
    HALO_IF_OK(status, app_tasks_run(batch->run, batch->leaders, &options));
    int64_t none = NO_MORE;
    halo_status ended = alone ? HALO_OK : halo_bcast(batch->group, &none, sizeof none, 0);
    return halo_status_first(status, ended);
}

halo_status batch_run_images(app_batch *batch, const int64_t *numbers, int64_t count)
{
    halo_world *world = batch->run->world;
    bool leads = batch->leaders != NULL;
    if (halo_world_rank(world) == 0 && numbers == NULL) {
        halo_status status = HALO_ALLOCATE(batch->results, batch->count + 1, "results of images");
        HALO_TRY(halo_agree(world, status));
    } else {
        HALO_TRY(halo_agree(world, HALO_OK));
    }
    progress_phase(&batch->run->progress, "images");
    halo_status status = leads ? lead(batch, numbers, count) : follow(batch);
    progress_end(&batch->run->progress);
    /* Failures of images have been reported. */
    int64_t failed = batch->failed;
    HALO_TRY(halo_bcast(world, &failed, sizeof failed, 0));
    return halo_agree(world, failed > 0 && status != HALO_TRANSPORT ? HALO_OK : status);
}
