#define _POSIX_C_SOURCE 200809L
#include "app/beats.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/outputs.h"
#include "app/paths/paths.h"
#include "app/schedule.h"
#include "app/services/checkpoint_internal.h"
#include "app/stencil/lines.h"
#include "base/memory.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool app_restores(const app_run *run)
{
    const checkpoint_state *state = app_checkpoint_state(run);
    return state != NULL && state->reader != NULL;
}

const json_t *app_restored(const app_run *run)
{
    const checkpoint_state *state = app_checkpoint_state(run);
    return state != NULL ? state->saved : NULL;
}

bool app_resumes(const app_run *run)
{
    const checkpoint_state *state = app_checkpoint_state(run);
    return state != NULL && state->resumed;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* With --checkpoint-store: files are called as the checkpoint would be. */
static halo_status create_store(const app_run *run, const char *path, halo_checkpoint_store **out)
{
    const char *slash = strrchr(path, '/');
    return halo_checkpoint_store_create(out, run->world, app_checkpoint_asked(run)->store,
                                        slash != NULL ? slash + 1 : path, -1);
}

static halo_status create_stores(app_run *run)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const checkpoint_arguments *state = app_checkpoint_asked(run);
    if (state->store == NULL) {
        return HALO_OK;
    }
    if (state->checkpoint != NULL) {
        HALO_TRY(create_store(run, state->checkpoint, &own->store));
        HALO_TRY(halo_checkpoint_store_check(own->store));
    }
    bool same = state->restore == NULL ||
                (state->checkpoint != NULL && strcmp(state->checkpoint, state->restore) == 0);
    own->restored = own->store;
    return same ? HALO_OK : create_store(run, state->restore, &own->restored);
}

/* With --resume a checkpoint that is there is the one to restore. If it is there for another rank
 * only, opening it says so: to begin anew would lose what is in it. */
static halo_status find_resumed(app_run *run)
{
    checkpoint_state *own = app_checkpoint_state(run);
    checkpoint_arguments *state =
        app_options_of_service(run->command->syntax, run->options, &app_checkpoint_service);
    int64_t there =
        state->resume && (own->restored != NULL ? halo_checkpoint_store_has(own->restored)
                                                : access(state->checkpoint, F_OK) == 0);
    HALO_TRY(halo_allreduce_max(run->world, &there, 1));
    state->restore = there != 0 ? state->checkpoint : state->restore;
    return HALO_OK;
}

/* The same command line is given again: is it, and where did it begin? */
static halo_status check_resumed(app_run *run, const char *path)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const json_t *begun = json_object_get(own->saved, "begun");
    const json_t *beat = json_object_get(begun, "beat");
    if (!json_is_integer(beat) || json_integer_value(beat) < 0 ||
        json_integer_value(beat) > run->first_beat) {
        return halo_fail(HALO_FORMAT,
                         "--resume: \"%s\" does not say how its run began; use --restore", path);
    }
    run->loop->begun = json_integer_value(beat);
    own->resumed = true;
    return app_options_check_begun(run->given, json_object_get(begun, "options"), path);
}

static halo_status open_checkpoint(app_run *run)
{
    checkpoint_state *own = app_checkpoint_state(run);
    HALO_TRY(create_stores(run));
    HALO_TRY(find_resumed(run));
    const char *path = app_checkpoint_asked(run)->restore;
    if (path == NULL) {
        return HALO_OK;
    }
    HALO_TRY(own->restored != NULL ? halo_checkpoint_store_open(&own->reader, own->restored)
                                   : halo_checkpoint_open(&own->reader, run->world, path));
    HALO_TRY(halo_agree(run->world, app_checkpoint_take_entries(run, path)));
    HALO_TRY(halo_agree(run->world, app_options_restore(run->given, own->saved, path)));
    return app_checkpoint_asked(run)->resume ? halo_agree(run->world, check_resumed(run, path))
                                             : HALO_OK;
}

static void close_checkpoint(app_run *run)
{
    checkpoint_state *own = app_checkpoint_state(run);
    halo_checkpoint_close(&own->reader);
    if (own->restored != own->store) {
        halo_checkpoint_store_destroy(&own->restored);
    }
    own->restored = NULL;
    halo_checkpoint_store_destroy(&own->store);
    json_decref(own->saved);
    own->saved = NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The rows of the file while they are read or written. */
typedef struct {
    app_layout layout;
    unsigned char *records; /* [layout.rows * layout.row_bytes], of every rank; or NULL */
    int64_t *cuts;          /* of records: all are rank 0's in the file */
    stencil_lines lines;    /* of fields */
} saved_rows;

static halo_status fill_records(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const saved_rows *all = context;
    size_t bytes = all->layout.row_bytes;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, all->records + (size_t)(first + i) * bytes, bytes);
    }
    return HALO_OK;
}

static halo_status take_records(void *context, int64_t first, int64_t rows, const void *data,
                                size_t pitch)
{
    const saved_rows *all = context;
    size_t bytes = all->layout.row_bytes;
    for (int64_t i = 0; i < rows; i++) {
        memcpy(all->records + (size_t)(first + i) * bytes, (const char *)data + (size_t)i * pitch,
               bytes);
    }
    return HALO_OK;
}

static halo_status create_records(const app_run *run, saved_rows *all, int64_t count)
{
    size_t bytes = app_checkpoint_what(run)->record_bytes;
    int ranks = halo_world_ranks(run->world);
    HALO_TRY(HALO_ALLOCATE(all->cuts, ranks + 1, "the rows of a checkpoint"));
    HALO_TRY(
        HALO_ALLOCATE_LARGE(all->records, count * (int64_t)bytes + 1, "the rows of a checkpoint"));
    for (int r = 1; r <= ranks; r++) {
        all->cuts[r] = count;
    }
    all->layout = (app_layout){.rows = count,
                               .row_bytes = bytes,
                               .cuts = all->cuts,
                               .fill = fill_records,
                               .take = take_records,
                               .context = all};
    return HALO_OK;
}

static halo_status begin_rows(app_run *run, saved_rows *all, bool reads)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const app_state *what = app_checkpoint_what(run);
    if (what->layout != NULL) {
        return what->layout(run, &all->layout, reads);
    }
    if (what->count != NULL) {
        int64_t count = reads ? halo_checkpoint_info(own->reader)->rows : what->count(run);
        return halo_agree(run->world, create_records(run, all, count));
    }
    stencil_lines *lines = &all->lines;
    HALO_TRY(stencil_lines_begin(lines, run->world, run->kernel, &run->domain, run->beat, 0,
                                 what->fields(run)));
    all->layout = (app_layout){.rows = lines->cuts[halo_world_ranks(run->world)],
                               .row_bytes = lines->line_bytes,
                               .cuts = lines->cuts,
                               .fill = stencil_lines_fill,
                               .take = stencil_lines_take,
                               .context = lines};
    return HALO_OK;
}

static void end_rows(app_run *run, saved_rows *all)
{
    const app_state *what = app_checkpoint_what(run);
    if (what->release != NULL) {
        what->release(run);
    }
    stencil_lines_end(&all->lines);
    free(all->cuts);
    halo_memory_free(all->records);
}

static halo_status read_rows(app_run *run, saved_rows *all)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const app_state *what = app_checkpoint_what(run);
    const app_layout *layout = &all->layout;
    HALO_TRY(begin_rows(run, all, true));
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status =
        halo_checkpoint_read(own->reader, layout->cuts, layout->take, layout->context);
    halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
    HALO_TRY(status);
    HALO_TRY(stencil_lines_scatter(&all->lines, &run->clock));
    if (all->records != NULL) {
        size_t bytes = (size_t)layout->rows * layout->row_bytes;
        HALO_TRY(halo_bcast(run->world, all->records, bytes, 0));
    }
    return what->recall != NULL ? what->recall(run, all->records, layout->rows) : HALO_OK;
}

halo_status app_checkpoint_restore(app_run *run)
{
    saved_rows all = {0};
    halo_status status = read_rows(run, &all);
    end_rows(run, &all);
    return status;
}

halo_status app_checkpoint_check_image(app_run *run)
{
    return app_image_check(
        run->image,
        json_object_get(app_checkpoint_state(run)->saved, app_checkpoint_what(run)->image),
        app_checkpoint_asked(run)->restore);
}

/* ---- writing --------------------------------------------------------------------------------- */

static halo_status write_rows(app_run *run, const char *path, const char *text,
                              const app_layout *layout)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const halo_checkpoint what = {.kernel = app_checkpoint_name(run),
                                  .options = text,
                                  .beat = app_beats_done(run),
                                  .rows = layout->rows,
                                  .row_bytes = layout->row_bytes};
    const halo_rows rows = {.fill = layout->fill, .context = layout->context};
    halo_stretch stretch = halo_clock_begin(run->world);
    bool stored = own->store != NULL && path == app_checkpoint_asked(run)->checkpoint;
    halo_status status = stored
                             ? halo_checkpoint_store_write(own->store, &what, layout->cuts, &rows)
                             : halo_checkpoint_write(run->world, path, &what, layout->cuts, &rows);
    halo_clock_end(&run->clock, HALO_PHASE_ENCODE, stretch, run->world);
    if (status == HALO_OK) {
        own->written = true;
        own->written_beat = what.beat;
    }
    return status;
}

static halo_status write_file(app_run *run, const char *path, saved_rows *all)
{
    const app_state *what = app_checkpoint_what(run);
    HALO_TRY(begin_rows(run, all, false));
    HALO_TRY(what->store != NULL ? what->store(run, all->records) : HALO_OK);
    HALO_TRY(stencil_lines_gather(&all->lines, &run->clock));
    char *text = app_checkpoint_entries(run);
    halo_status status = halo_agree(
        run->world,
        text != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a checkpoint's text"));
    if (status == HALO_OK) {
        status = write_rows(run, path, text, &all->layout);
    }
    free(text);
    return status;
}

halo_status app_checkpoint_write(app_run *run, const char *path)
{
    const app_state *what = app_checkpoint_what(run);
    saved_rows all = {0};
    if (what->count != NULL && what->count(run) == 0) {
        return HALO_OK;
    }
    halo_status status = write_file(run, path, &all);
    end_rows(run, &all);
    return status;
}

/* ---- as an event ----------------------------------------------------------------------------- */

schedule_event app_checkpoint_when(const app_run *run)
{
    const checkpoint_arguments *state = app_checkpoint_asked(run);
    return (schedule_event){.every = state->checkpoint == NULL ? 0
                                     : state->every > 0        ? state->every
                                                               : INT64_MAX,
                            .begin = SCHEDULE_NEVER,
                            .end = true};
}

/* Words for the warning that a checkpoint could not be written; NULL: there was a warning before,
 * and another try follows. */
static const char *find_words(const app_run *run, bool warned, char words[HALO_MESSAGE_SIZE])
{
    checkpoint_state *own = app_checkpoint_state(run);
    bool last = run->loop->ending != APP_NOT_YET;
    if (last && own->written) {
        snprintf(words, HALO_MESSAGE_SIZE, "the file has the state at beat %" PRId64,
                 own->written_beat);
    } else if (last) {
        snprintf(words, HALO_MESSAGE_SIZE, "there is no checkpoint of this run");
    } else {
        snprintf(words, HALO_MESSAGE_SIZE, "%sthe next is tried when it is due",
                 own->written ? "the one before stays, and " : "");
    }
    return warned && !last ? NULL : words;
}

halo_status app_checkpoint_visit(app_run *run)
{
    checkpoint_state *own = app_checkpoint_state(run);
    char words[HALO_MESSAGE_SIZE];
    bool warned = own->fails;
    halo_status status = app_checkpoint_write(run, app_checkpoint_asked(run)->checkpoint);
    own->fails = status == HALO_FILE;
    return app_survive_for_now(run, status, find_words(run, warned, words));
}

/* ---- as a service ---------------------------------------------------------------------------- */

void app_checkpoint_say_left(const app_run *run, char text[HALO_MESSAGE_SIZE])
{
    enum { OLDER = 64 };
    const checkpoint_arguments *asked = app_checkpoint_asked(run);
    const checkpoint_state *own = app_checkpoint_state(run);
    char older[OLDER] = "";
    text[0] = '\0';
    if (own == NULL || !own->written || asked->checkpoint == NULL) {
        return;
    }
    if (own->fails) {
        snprintf(older, sizeof older, " from beat %" PRId64, own->written_beat);
    }
    if (asked->resume) {
        snprintf(text, HALO_MESSAGE_SIZE, "; the same command goes on%s", older);
    } else {
        snprintf(text, HALO_MESSAGE_SIZE, "; go on with --restore %s%s%s%s", asked->checkpoint,
                 asked->store != NULL ? " --checkpoint-store local:" : "",
                 asked->store != NULL ? asked->store : "", older);
    }
}

/* A checkpoint that could not be written has no next try: it is lost now. */
static halo_status end_checkpoints(app_run *run, halo_status mine)
{
    run->writing->lost = run->writing->lost || app_checkpoint_state(run)->fails;
    return mine;
}

/* With --resume the option that is written and that which is read have the same name. */
static void take_file(const app_run *run, const app_place *at, app_option_file *file)
{
    const checkpoint_state *own = app_checkpoint_state(run);
    bool saves = at->row->type == HALO_OPTION_OUTPUT;
    if (at->service != &app_checkpoint_service) {
        return;
    }
    file->use = saves ? APP_CHECKPOINT : APP_RESTORED;
    file->store = app_checkpoint_asked(run)->store;
    file->apart = file->store != NULL;
    file->lost = saves && own != NULL && own->fails && !own->written;
}

static const app_event checkpoint_event = {.when = app_checkpoint_when,
                                           .visit = app_checkpoint_visit};

const app_service app_checkpoint_service = {.name = "checkpoint",
                                            .bytes = sizeof(checkpoint_state),
                                            .rows = app_checkpoint_rows,
                                            .place = app_place_of_runs,
                                            .options_bytes = APP_OPTIONS(checkpoint_arguments),
                                            .one_image = true,
                                            .open = open_checkpoint,
                                            .file = take_file,
                                            .event = &checkpoint_event,
                                            .end = end_checkpoints,
                                            .close = close_checkpoint};
