#include "app/image/image.h"
#include "app/options/kept.h"
#include "app/services/checkpoint_internal.h"
#include "base/json_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

static const int64_t MAX_BEAT = INT64_MAX / 4; /* so that beats can be added to it */

/* ---- reading --------------------------------------------------------------------------------- */

#define SIDE(key)                                                                      \
    {                                                                                  \
        .row = {.name = key, .type = HALO_OPTION_INTEGER, .min = 1, .max = INT32_MAX } \
    }
static const app_kept image_rows[] = {SIDE("width"),
                                      SIDE("height"),
                                      {.row = {.name = "digest", .type = HALO_OPTION_TEXT}},
                                      {.max = 0}};
#undef SIDE

/* Every value by itself, before anything uses it. */
static halo_status check_values(const app_run *run, const char *path)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const app_state *what = app_checkpoint_what(run);
    if (what->image != NULL) {
        HALO_TRY(app_kept_check(image_rows, json_object_get(own->saved, what->image), path));
    }
    HALO_TRY(app_kept_check(what->kept, own->saved, path));
    return app_kept_check_options(run->command->syntax, own->saved, path);
}

/* Are there as many rows and bytes as the entries say? */
static bool has_its_rows(const app_run *run, const halo_checkpoint *info)
{
    const app_state *what = app_checkpoint_what(run);
    const json_t *saved = app_checkpoint_state(run)->saved;
    const json_t *image = what->image != NULL ? json_object_get(saved, what->image) : NULL;
    int64_t bits = json_integer_value(json_object_get(image, "width")) * what->pixel_bits;
    int64_t planes = json_integer_value(json_object_get(image, "planes")); /* 0: of two axes */
    planes = planes >= 1 && planes <= INT32_MAX ? planes : 1;
    bool of_image = info->rows == planes * json_integer_value(json_object_get(image, "height")) &&
                    info->row_bytes == (size_t)(bits + CHAR_BIT - 1) / CHAR_BIT;
    return (what->record_bytes == 0 || info->row_bytes == what->record_bytes) &&
           (what->pixel_bits == 0 || of_image) &&
           (what->rows == NULL ||
            info->rows == json_integer_value(json_object_get(saved, what->rows)));
}

halo_status app_checkpoint_take_entries(app_run *run, const char *path)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const app_state *what = app_checkpoint_what(run);
    const halo_checkpoint *info = halo_checkpoint_info(own->reader);
    HALO_FAIL_IF(strcmp(info->kernel, app_checkpoint_name(run)) != 0, HALO_FORMAT,
                 "\"%s\" is a checkpoint of `halobeat %s`, and cannot be restored by `halobeat %s`",
                 path, info->kernel, app_checkpoint_name(run));
    own->saved = json_loads(info->options, 0, NULL);
    run->first_beat = info->beat;
    HALO_FAIL_IF(info->beat > MAX_BEAT, HALO_ARGUMENT,
                 "the checkpoint \"%s\" is at beat %" PRId64 ", too many to count", path,
                 info->beat);
    if (what->options != NULL) {
        json_object_update(own->saved, json_object_get(own->saved, what->options));
    }
    HALO_TRY(check_values(run, path));
    app_kept_restore(what->kept, own->saved, run->job);
    return HALO_REQUIRE(has_its_rows(run, info) &&
                            (what->check == NULL || what->check(run, info, own->saved)),
                        HALO_FORMAT,
                        "\"%s\" is a checkpoint of another version of `halobeat %s`, or its parts "
                        "contradict each other: %.200s",
                        path, app_checkpoint_name(run), info->options);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* How the run began, so that --resume can tell whether it is the same: what an earlier checkpoint
 * has, or what was given. */
static bool keep_beginning(app_run *run, json_t *json)
{
    checkpoint_state *own = app_checkpoint_state(run);
    json_t *begun = json_incref(json_object_get(own->saved, "begun"));
    if (own->reader == NULL) {
        json_t *options = app_options_begun(run->given);
        begun = options != NULL ? json_pack("{s:I, s:o}", "beat", (json_int_t)run->first_beat,
                                            "options", options)
                                : NULL;
        return begun != NULL && json_object_set_new(json, "begun", begun) == 0;
    }
    return begun == NULL || json_object_set_new(json, "begun", begun) == 0;
}

static bool keep_image(const app_run *run, json_t *json)
{
    const char *key = app_checkpoint_what(run)->image;
    return key == NULL || json_object_set_new(json, key, app_image_sign(run->image)) == 0;
}

/* How the run began is part of the options. Where these are an object, it is behind the image. */
static bool keep_options(app_run *run, json_t *json)
{
    const char *key = app_checkpoint_what(run)->options;
    json_t *options = key != NULL ? json_object() : json_incref(json);
    bool good =
        options != NULL && app_options_save(run->given, options) && keep_beginning(run, options) &&
        (key == NULL || (keep_image(run, json) && json_object_set(json, key, options) == 0));
    json_decref(options);
    return good;
}

char *app_checkpoint_entries(app_run *run)
{
    const app_state *what = app_checkpoint_what(run);
    json_t *json = json_object();
    bool good = json != NULL && keep_options(run, json) &&
                app_kept_save(what->kept, run->job, json) &&
                (what->keep == NULL || what->keep(run, json)) &&
                (what->options != NULL || keep_image(run, json));
    char *text = good ? halo_json_text(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}
