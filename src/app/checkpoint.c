#include "app/frame_internal.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const int64_t MAX_BEAT = INT64_MAX / 4; /* so that beats can be added to it */

static const char *name_of(const app_run *run)
{
    const app_command *command = run->command;
    return command->state->name != NULL ? command->state->name(run) : command->syntax->name;
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool check_image(const app_run *run)
{
    const char *key = run->command->state->image;
    const json_t *image = json_object_get(run->saved, key != NULL ? key : "");
    return key == NULL || (json_integer_value(json_object_get(image, "width")) > 0 &&
                           json_integer_value(json_object_get(image, "height")) > 0);
}

static halo_status check(app_run *run, const char *path)
{
    const app_state *state = run->command->state;
    const halo_checkpoint *info = halo_checkpoint_info(run->reader);
    if (strcmp(info->kernel, name_of(run)) != 0) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" is a checkpoint of `halobeat %s`, and cannot be restored by "
                         "`halobeat %s`",
                         path, info->kernel, name_of(run));
    }
    run->saved = json_loads(info->options, 0, NULL);
    run->first_beat = info->beat;
    if (info->beat > MAX_BEAT) {
        return halo_fail(HALO_ARGUMENT,
                         "the checkpoint \"%s\" is at beat %" PRId64 ", too many to count", path,
                         info->beat);
    }
    return check_image(run) && state->check(run, info, run->saved)
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "\"%s\" is a checkpoint of another version of `halobeat %s`, or its "
                           "parts contradict each other: %.200s",
                           path, name_of(run), info->options);
}

halo_status app_checkpoint_open(app_run *run)
{
    const char *path = run->arguments->state.restore;
    if (path == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_checkpoint_open(&run->reader, run->world, path));
    HALO_TRY(halo_agree(run->world, check(run, path)));
    return halo_agree(run->world, app_options_restore(run->given, run->saved, path));
}

void app_checkpoint_close(app_run *run)
{
    halo_checkpoint_close(&run->reader);
    json_decref(run->saved);
    run->saved = NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static halo_status fill_records(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_layout *layout = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch,
               (const char *)layout->records + (size_t)(first + i) * layout->row_bytes,
               layout->row_bytes);
    }
    return HALO_OK;
}

static halo_status take_records(void *context, int64_t first, int64_t rows, const void *data,
                                size_t pitch)
{
    const app_layout *layout = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)layout->records + (size_t)(first + i) * layout->row_bytes,
               (const char *)data + (size_t)i * pitch, layout->row_bytes);
    }
    return HALO_OK;
}

/* Records are all rank 0's in the file; *cuts is to be freed. */
static halo_status complete(app_run *run, app_layout *layout, int64_t **cuts)
{
    int ranks = halo_world_ranks(run->world);
    *cuts = NULL;
    if (layout->records == NULL) {
        return HALO_OK;
    }
    *cuts = malloc(((size_t)ranks + 1) * sizeof **cuts);
    for (int r = 0; *cuts != NULL && r <= ranks; r++) {
        (*cuts)[r] = r == 0 ? 0 : layout->rows;
    }
    layout->cuts = *cuts;
    layout->fill = fill_records;
    layout->take = take_records;
    layout->context = layout;
    return halo_agree(run->world, *cuts != NULL
                                      ? HALO_OK
                                      : halo_fail(HALO_MEMORY, "out of memory: a checkpoint"));
}

static halo_status read_rows(app_run *run, app_layout *layout)
{
    int64_t *cuts;
    halo_status status = complete(run, layout, &cuts);
    if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(run->world);
        status = halo_checkpoint_read(run->reader, layout->cuts, layout->take, layout->context);
        halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
    }
    if (status == HALO_OK && layout->records != NULL) {
        status =
            halo_bcast(run->world, layout->records, (size_t)layout->rows * layout->row_bytes, 0);
    }
    free(cuts);
    return status;
}

halo_status app_checkpoint_restore(app_run *run)
{
    const app_state *state = run->command->state;
    app_layout layout = {0};
    halo_status status = state->layout(run, &layout, true);
    if (status == HALO_OK) {
        status = read_rows(run, &layout);
    }
    if (status == HALO_OK && state->recall != NULL) {
        status = state->recall(run, &layout);
    }
    if (state->release != NULL) {
        state->release(run, &layout);
    }
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static char *make_text(app_run *run)
{
    const app_state *state = run->command->state;
    json_t *json = json_object();
    bool good = json != NULL && app_options_save(run->given, json) &&
                (state->keep == NULL || state->keep(run, json)) &&
                (state->image == NULL ||
                 json_object_set_new(json, state->image, app_image_sign(&run->image)) == 0);
    char *text = good ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

static halo_status write_rows(app_run *run, const char *path, const char *text, app_layout *layout)
{
    const halo_checkpoint what = {.kernel = name_of(run),
                                  .options = text,
                                  .beat = app_beats_done(run),
                                  .rows = layout->rows,
                                  .row_bytes = layout->row_bytes};
    int64_t *cuts;
    halo_status status = complete(run, layout, &cuts);
    if (status == HALO_OK) {
        const halo_rows rows = {.fill = layout->fill, .context = layout->context};
        halo_stretch stretch = halo_clock_begin(run->world);
        status = halo_checkpoint_write(run->world, path, &what, layout->cuts, &rows);
        halo_clock_end(&run->clock, HALO_PHASE_ENCODE, stretch, run->world);
    }
    free(cuts);
    run->saved_state = status == HALO_OK;
    return status;
}

static halo_status write_file(app_run *run, const char *path, app_layout *layout)
{
    char *text = make_text(run);
    halo_status status = halo_agree(
        run->world,
        text != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a checkpoint's text"));
    if (status == HALO_OK) {
        status = write_rows(run, path, text, layout);
    }
    free(text);
    return status;
}

halo_status app_checkpoint_write(app_run *run, const char *path)
{
    const app_state *state = run->command->state;
    app_layout layout = {0};
    halo_status status = state->layout(run, &layout, false);
    if (status == HALO_OK && (layout.records != NULL || layout.fill != NULL)) {
        status = write_file(run, path, &layout);
    }
    if (state->release != NULL) {
        state->release(run, &layout);
    }
    return status;
}

/* ---- as an event ----------------------------------------------------------------------------- */

schedule_event app_checkpoint_when(const app_run *run)
{
    return checkpoint_event(&run->arguments->state);
}

halo_status app_checkpoint_visit(app_run *run)
{
    return app_checkpoint_write(run, run->arguments->state.checkpoint);
}
