#include "app/batch/batch_internal.h"
#include "app/frame_internal.h"
#include "app/outputs.h"
#include "app/services/tasks.h"

#include <stdlib.h>
#include <string.h>

/* One image of many: a run of the same command, with options of its own, in the group's world. */

enum { OUTPUTS = 16 };

typedef struct {
    app_run run;
    char *names; /* [OUTPUTS][BATCH_NAME_SIZE] of its outputs */
} image_run;

static void put_path(void *options, size_t offset, const char *path)
{
    memcpy((char *)options + offset, &path, sizeof path);
}

/* Outputs that all images share stay, but nothing is written to their files. */
static halo_status name_outputs(const app_batch *batch, image_run *one, int64_t number)
{
    const app_output *output = batch->run->command->outputs;
    for (int i = 0; output != NULL && output[i].phase != NULL; i++) {
        const char *pattern = app_output_path(batch->run, &output[i]);
        if (pattern == NULL || batch_joins(batch->run, &output[i])) {
            continue;
        }
        char *name = one->names + (size_t)i * BATCH_NAME_SIZE;
        HALO_TRY(batch_name_print(pattern, batch->image[number], number, name));
        put_path(one->run.options, output[i].option, name);
    }
    return HALO_OK;
}

static halo_status make_options(const app_batch *batch, image_run *one, int64_t number)
{
    const app_command *command = batch->run->command;
    HALO_TRY(HALO_ALLOCATE(one->names, OUTPUTS * BATCH_NAME_SIZE, "names of outputs"));
    one->run.job = calloc(1, command->job_bytes + 1);
    one->run.options = malloc(app_options_bytes(command->syntax));
    HALO_FAIL_IF(one->run.options == NULL || one->run.job == NULL, HALO_MEMORY,
                 "out of memory: an image's run");
    HALO_TRY(app_run_create(&one->run));
    memcpy(one->run.options, batch->run->options, app_options_bytes(command->syntax));
    app_arguments *arguments = one->run.options;
    arguments->image = (app_inputs){.first = batch->image[number]};
    arguments->common.json = arguments->common.report = NULL;
    arguments->common.progress = "never";
    tasks_arguments *tasks =
        app_options_of_service(command->syntax, one->run.options, &app_tasks_service);
    *tasks = (tasks_arguments){0};
    one->run.arguments = arguments;
    return name_outputs(batch, one, number);
}

static halo_status make(const app_batch *batch, image_run *one, int64_t number, halo_buffer *rows)
{
    const app_run *all = batch->run;
    one->run.command = all->command;
    one->run.program = all->program;
    one->run.context = all->context;
    one->run.given = all->given;
    one->run.world = batch->group;
    one->run.whole = all;
    HALO_TRY(make_options(batch, one, number));
    one->run.writing->table = batch_take_table;
    batch_state *state = app_service_state(&one->run, &app_batch_service);
    *state = (batch_state){.all = app_batch_of(all), .rows = rows};
    return HALO_OK;
}

void batch_computed_free(batch_computed *computed)
{
    json_decref(computed->facts);
    halo_buffer_free(&computed->rows);
    *computed = (batch_computed){.facts = NULL};
}

/* Only a journal asks for it. */
static void note_files(const app_batch *batch, int64_t number, batch_stamp *stamp, bool read)
{
    const halo_image_options options = batch_image_options(batch);
    bool notes = app_tasks_arguments(batch->run)->journal != NULL && batch->leaders != NULL;
    if (notes) {
        (read ? batch_stamp_finish : batch_stamp_look)(stamp, batch->image[number], &options);
    }
}

halo_status batch_run_image(app_batch *batch, int64_t number, batch_computed *computed)
{
    image_run one = {0};
    note_files(batch, number, &computed->origin.stamp, false);
    halo_status status = halo_agree(batch->group, make(batch, &one, number, &computed->rows));
    HALO_IF_OK(status, app_run_steps(&one.run));
    if (status == HALO_OK && batch_reports_images(batch)) {
        status = app_report_facts(&one.run, &computed->facts);
    }
    if (status == HALO_OK) {
        bool solid = one.run.domain.axes == HALO_AXES;
        computed->origin.first_plane = one.run.image->info.first_slice;
        computed->origin.planes = solid ? one.run.domain.n[0] : 0;
        note_files(batch, number, &computed->origin.stamp, true);
    }
    if (one.run.job != NULL) {
        app_run_free(&one.run);
    }
    free(one.run.options);
    free(one.run.job);
    free(one.names);
    return status;
}
