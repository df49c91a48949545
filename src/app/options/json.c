#include "app/options/kept.h"
#include "app/options/options_internal.h"
#include "app/options/values.h"
#include "app/report/facts.h"
#include "app/report/json_text.h"

#include <stdlib.h>
#include <string.h>

/* Values of options as JSON: what --json echoes, and what checkpoints keep. */

/* Is the value that of a number that was not given? */
static bool is_missing(const app_entry *of)
{
    return (of->row->flags & HALO_OPTION_OPTIONAL) != 0 &&
           !*halo_optional_given(of->row, of->field);
}

static json_t *value_of(const app_entry *of)
{
    if (is_missing(of)) {
        return json_null();
    }
    if ((of->row->flags & APP_REPEATS) != 0) {
        return of->texts != NULL ? json_incref(of->texts) : json_array();
    }
    switch (of->row->type) {
    case HALO_OPTION_FLAG:
        return json_boolean(*(const bool *)of->field);
    case HALO_OPTION_INTEGER:
        return json_integer((json_int_t)halo_option_integer(of->row, of->field));
    case HALO_OPTION_REAL:
    case HALO_OPTION_SHARE:
        return json_real(*(const double *)of->field);
    case HALO_OPTION_CUSTOM:
    case HALO_OPTION_CHOICE:
    case HALO_OPTION_INDEX:
        return app_fact_text(of->shown);
    default:
        return app_fact_text(*(const char *const *)of->field);
    }
}

const char *app_option_key(const halo_option *row)
{
    return row->key != NULL ? row->key : row->name;
}

json_t *app_options_json(const app_options *options)
{
    json_t *object = json_object();
    bool good = object != NULL;
    for (int i = 0; good && i < options->count; i++) {
        const app_entry *of = &options->entries[i];
        if ((of->row->flags & APP_ARGUMENT) == 0) {
            good = json_object_set_new(object, app_option_key(of->row), value_of(of)) == 0;
        }
    }
    if (!good) {
        json_decref(object);
    }
    return good ? object : NULL;
}

static bool is_left_out(const app_entry *of)
{
    return (of->row->flags & APP_UNLESS_DEFAULT) != 0 && of->shown != NULL &&
           strcmp(of->shown, of->row->standard) == 0;
}

bool app_options_save(const app_options *options, json_t *object)
{
    bool good = true;
    for (int i = 0; good && i < options->count; i++) {
        const app_entry *of = &options->entries[i];
        if ((of->row->flags & APP_SAVED) != 0 && !is_left_out(of)) {
            good = json_object_set_new(object, app_option_key(of->row), value_of(of)) == 0;
        }
    }
    return good;
}

/* ---- back ------------------------------------------------------------------------------------ */

/* Another value than the saved one was asked for. */
static halo_status refuse(const app_entry *given, const json_t *saved, const char *path)
{
    char name[APP_OPTION_NAME];
    app_option_name(given->row, name);
    HALO_FAIL_IF(given->row->type == HALO_OPTION_FLAG || saved == NULL || json_is_null(saved),
                 HALO_ARGUMENT, "%s: the checkpoint \"%s\" was made without it; leave it out", name,
                 path);
    char *has = app_json_text(saved, 0);
    halo_status status =
        halo_fail(HALO_ARGUMENT, "%s %s: the checkpoint \"%s\" has %s; leave %s out", name,
                  given->text, path, has != NULL ? has : "another value", name);
    free(has);
    return status;
}

/* Values have been held against their rows: app_kept_check_options. */
static bool restore_number(const app_entry *of, const json_t *saved)
{
    double value = json_number_value(saved);
    if (of->row->type == HALO_OPTION_INTEGER) {
        bool same = halo_option_integer(of->row, of->field) == json_integer_value(saved);
        halo_option_set_integer(of->row, of->field, json_integer_value(saved));
        return same;
    }
    bool same = *(double *)of->field <= value && *(double *)of->field >= value;
    *(double *)of->field = value;
    return same;
}

/* Text is parsed again, so that custom values are made from it. It belongs to `saved`, which
 * outlives the options. */
static halo_status restore_text(app_entry *of, const json_t *saved, bool *same)
{
    const char *text = saved != NULL ? json_string_value(saved) : of->row->standard;
    *same = of->shown != NULL && strcmp(text, of->shown) == 0;
    of->shown = text;
    return app_value_parse(of->row, text, of->field);
}

/* Restores a number, or that there is none. */
static bool restore_optional(const app_entry *of, const json_t *saved)
{
    bool *there = halo_optional_given(of->row, of->field), saves = json_is_number(saved);
    bool same = *there == saves;
    *there = saves;
    return saves ? restore_number(of, saved) && same : same;
}

static halo_status restore(app_entry *of, const app_entry *given, const json_t *saved,
                           const char *path)
{
    bool same = true;
    if ((of->row->flags & HALO_OPTION_OPTIONAL) != 0) {
        same = restore_optional(of, saved);
        return same || given == NULL ? HALO_OK : refuse(given, saved, path);
    }
    switch (of->row->type) {
    case HALO_OPTION_FLAG:
        same = !*(bool *)of->field || json_is_true(saved);
        *(bool *)of->field = json_is_true(saved);
        break;
    case HALO_OPTION_INTEGER:
    case HALO_OPTION_REAL:
    case HALO_OPTION_SHARE:
        same = restore_number(of, saved);
        break;
    default:
        HALO_TRY(restore_text(of, saved, &same));
    }
    return same || given == NULL ? HALO_OK : refuse(given, saved, path);
}

halo_status app_options_restore(app_options *options, const json_t *object, const char *path)
{
    HALO_TRY(app_kept_check_options(options->syntax, object, path));
    for (int i = 0; i < options->count; i++) {
        app_entry *of = &options->entries[i];
        if ((of->row->flags & APP_SAVED) != 0) {
            HALO_TRY(restore(of, app_entry_given(options, of->field),
                             json_object_get(object, app_option_key(of->row)), path));
        }
    }
    return HALO_OK;
}

/* ---- how a run began ------------------------------------------------------------------------- */

/* Does the option say how a run begins? It then excludes those by which a run goes on. */
static bool begins(const app_options *options, const halo_option *row)
{
    const char *other = NULL;
    bool found = false;
    for (size_t n; (n = halo_list_next(row->excludes, &other)) > 0;) {
        const app_entry *of = app_entry_named(options, other, n);
        found = found || (of != NULL && (of->row->flags & APP_GOES_ON) != 0);
    }
    return found && (row->flags & APP_GOES_ON) == 0;
}

/* The value that was given, or null. */
static json_t *given_as(const app_entry *of)
{
    return of->text == NULL                      ? json_null()
           : (of->row->flags & APP_REPEATS) != 0 ? value_of(of)
                                                 : app_fact_text(of->text);
}

json_t *app_options_begun(const app_options *options)
{
    json_t *object = json_object();
    bool good = object != NULL;
    for (int i = 0; good && i < options->count; i++) {
        const app_entry *of = &options->entries[i];
        if (begins(options, of->row) && of->text != NULL) {
            good = json_object_set_new(object, app_option_key(of->row), given_as(of)) == 0;
        }
    }
    if (!good) {
        json_decref(object);
    }
    return good ? object : NULL;
}

halo_status app_options_check_begun(const app_options *options, const json_t *begun,
                                    const char *path)
{
    for (int i = 0; i < options->count; i++) {
        const app_entry *of = &options->entries[i];
        const json_t *before = json_object_get(begun, app_option_key(of->row));
        json_t *now = begins(options, of->row) ? given_as(of) : json_null();
        bool same =
            !begins(options, of->row) || json_equal(before != NULL ? before : json_null(), now);
        json_decref(now);
        if (!same) {
            char name[APP_OPTION_NAME], *had = app_json_text(before, 0);
            app_option_name(of->row, name);
            halo_status status =
                halo_fail(HALO_ARGUMENT,
                          "%s%s%s: the checkpoint \"%s\" was begun with %s; give that, or "
                          "another --checkpoint",
                          name, of->text != NULL ? " " : " is missing",
                          of->text != NULL ? of->text : "", path, had != NULL ? had : "none");
            free(had);
            return status;
        }
    }
    return HALO_OK;
}
