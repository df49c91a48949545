#define _POSIX_C_SOURCE 200809L /* access */
#include "app/beat_files.h"
#include "app/beats.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/outputs.h"
#include "app/paths/paths.h"
#include "app/schedule.h"
#include "app/services/checkpoint_internal.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The service of checkpoints: what the frame calls. */

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

halo_status app_checkpoint_check_files(const app_run *run, const app_beat_files *of)
{
    char path[FILENAME_SIZE], option[APP_OPTION_NAME];
    return HALO_REQUIRE(
        app_beat_files_are_there(run, of, path, option), HALO_FILE,
        "\"%.1000s\" of %s is missing, and the checkpoint \"%.1000s\" is behind its %s; remove the "
        "checkpoint to begin again, or give it to --restore to go on without that file",
        path, option, app_checkpoint_arguments(run)->checkpoint, of->beat);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* With --checkpoint-store: files are called as the checkpoint would be. */
static halo_status create_store(const app_run *run, const char *path, halo_checkpoint_store **out)
{
    const char *slash = strrchr(path, '/');
    return halo_checkpoint_store_create(out, run->world, app_checkpoint_arguments(run)->store,
                                        slash != NULL ? slash + 1 : path, -1);
}

static halo_status create_stores(app_run *run)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const checkpoint_arguments *state = app_checkpoint_arguments(run);
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
    HALO_FAIL_IF(!json_is_integer(beat) || json_integer_value(beat) < 0 ||
                     json_integer_value(beat) > run->first_beat,
                 HALO_FORMAT, "--resume: \"%s\" does not say how its run began; use --restore",
                 path);
    run->loop->begun = json_integer_value(beat);
    own->resumed = true;
    return app_options_check_begun(run->given, json_object_get(begun, "options"), path);
}

static halo_status open_checkpoint(app_run *run)
{
    checkpoint_state *own = app_checkpoint_state(run);
    HALO_TRY(create_stores(run));
    HALO_TRY(find_resumed(run));
    const char *path = app_checkpoint_arguments(run)->restore;
    if (path == NULL) {
        return HALO_OK;
    }
    HALO_TRY(own->restored != NULL ? halo_checkpoint_store_open(&own->reader, own->restored)
                                   : halo_checkpoint_open(&own->reader, run->world, path));
    HALO_TRY(halo_agree(run->world, app_checkpoint_take_entries(run, path)));
    HALO_TRY(halo_agree(run->world, app_options_restore(run->given, own->saved, path)));
    return app_checkpoint_arguments(run)->resume ? halo_agree(run->world, check_resumed(run, path))
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

/* ---- as an event ----------------------------------------------------------------------------- */

schedule_event app_checkpoint_when(const app_run *run)
{
    const checkpoint_arguments *state = app_checkpoint_arguments(run);
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
    halo_status status = app_checkpoint_write(run, app_checkpoint_arguments(run)->checkpoint);
    own->fails = status == HALO_FILE;
    return app_survive_for_now(run, status, find_words(run, warned, words));
}

/* ---- as a service ---------------------------------------------------------------------------- */

static int64_t find_end(const app_run *run)
{
    const checkpoint_arguments *options = app_checkpoint_arguments(run);
    return app_was_given(run, &options->until_beat) ? options->until_beat : -1;
}

/* A state that is beyond the last beat is no result of this command line, and cannot be taken back.
 */
static halo_status check_last_beat(app_run *run)
{
    const checkpoint_arguments *options = app_checkpoint_arguments(run);
    bool until = app_was_given(run, &options->until_beat);
    if (run->last_beat >= run->first_beat) {
        return HALO_OK;
    }
    if (!app_restores(run)) { /* its input says where it begins */
        return halo_fail(HALO_ARGUMENT,
                         "the run begins at beat %" PRId64 ", beyond --until-beat %" PRId64
                         ": give %" PRId64 " or more",
                         run->first_beat, run->last_beat, run->first_beat);
    }
    return halo_fail(
        HALO_ARGUMENT,
        "the checkpoint \"%s\" is at beat %" PRId64 ", beyond beat %" PRId64
        ", at which this run ends: give %s %" PRId64 " or more, or the name of another checkpoint",
        options->restore, run->first_beat, run->last_beat, until ? "--until-beat" : "--beats",
        until ? run->first_beat : run->first_beat - run->loop->begun);
}

/* Is the image that of the checkpoint? */
static halo_status check_image(app_run *run)
{
    return app_restores(run) ? app_image_check(run->image,
                                               json_object_get(app_checkpoint_state(run)->saved,
                                                               app_checkpoint_what(run)->image),
                                               app_checkpoint_arguments(run)->restore)
                             : HALO_OK;
}

static halo_status restore(app_run *run, bool *done)
{
    *done = app_restores(run);
    return *done ? app_checkpoint_restore(run) : HALO_OK;
}

static void say_left(const app_run *run, char text[HALO_MESSAGE_SIZE])
{
    enum { OLDER = 64 };
    const checkpoint_arguments *options = app_checkpoint_arguments(run);
    const checkpoint_state *own = app_checkpoint_state(run);
    char older[OLDER] = "";
    if (!own->written || options->checkpoint == NULL) {
        return;
    }
    if (own->fails) {
        snprintf(older, sizeof older, " from beat %" PRId64, own->written_beat);
    }
    if (options->resume) {
        snprintf(text, HALO_MESSAGE_SIZE, "; the same command goes on%s", older);
    } else {
        snprintf(text, HALO_MESSAGE_SIZE, "; go on with --restore %s%s%s%s", options->checkpoint,
                 options->store != NULL ? " --checkpoint-store local:" : "",
                 options->store != NULL ? options->store : "", older);
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
    file->use = saves ? APP_STATE_WRITTEN : APP_STATE_READ;
    file->store = app_checkpoint_arguments(run)->store;
    file->unchecked = file->store != NULL;
    file->lost = saves && own != NULL && own->fails && !own->written;
}

static const app_event checkpoint_event = {.when = app_checkpoint_when,
                                           .visit = app_checkpoint_visit};

const app_service app_checkpoint_service = {.bytes = sizeof(checkpoint_state),
                                            .rows = app_checkpoint_rows,
                                            .place = app_place_of_runs,
                                            .options_bytes = APP_OPTIONS(checkpoint_arguments),
                                            .one_image = true,
                                            .open = open_checkpoint,
                                            .file = take_file,
                                            .until = find_end,
                                            .check = check_last_beat,
                                            .seen = check_image,
                                            .fill = restore,
                                            .event = &checkpoint_event,
                                            .end = end_checkpoints,
                                            .left = say_left,
                                            .close = close_checkpoint};
