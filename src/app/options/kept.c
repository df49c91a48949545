#include "app/options/kept.h"

#include "app/options/values.h"
#include "app/report/json_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers go through the parser of the command line, so that limits and rules are those of options
 * everywhere: as text that is the very same number. */
static bool takes_number(const halo_option *row, const json_t *value)
{
    enum { NUMBER = 40 };
    char text[NUMBER];
    union {
        halo_optional_integer integer;
        halo_optional_real real;
    } parsed; /* is of no use */
    if (row->word != NULL && json_number_value(value) >= 0 && json_number_value(value) <= 0) {
        return json_is_integer(value) || row->type != HALO_OPTION_INTEGER;
    }
    if (json_is_integer(value)) {
        snprintf(text, sizeof text, "%" PRId64, (int64_t)json_integer_value(value));
    } else if (json_is_real(value) && row->type != HALO_OPTION_INTEGER) {
        snprintf(text, sizeof text, "%.17g", json_real_value(value));
    } else {
        return false;
    }
    /* On the command line shares have words around them, such as "change:1%". */
    halo_option plain = *row;
    plain.parse = row->type == HALO_OPTION_SHARE ? NULL : row->parse;
    return app_value_parse(&plain, text, &parsed) == HALO_OK;
}

/* Nor may it have a zero within. */
static bool takes_text(const halo_option *row, const json_t *value)
{
    const char *text = json_string_value(value);
    if (text == NULL || strlen(text) != json_string_length(value)) {
        return false;
    }
    return row->parse != NULL && row->type != HALO_OPTION_CUSTOM ? row->parse(text, NULL) == HALO_OK
           : row->choices != NULL ? halo_list_has(row->choices, text, strlen(text))
                                  : true;
}

static bool takes(const halo_option *row, const json_t *value)
{
    switch (row->type) {
    case HALO_OPTION_FLAG:
        return json_is_boolean(value);
    case HALO_OPTION_INTEGER:
    case HALO_OPTION_REAL:
    case HALO_OPTION_SHARE:
        return takes_number(row, value);
    default:
        return takes_text(row, value);
    }
}

bool app_kept_takes(const app_kept *kept, const json_t *value)
{
    size_t count = json_array_size(value);
    bool optional = (kept->row.flags & HALO_OPTION_OPTIONAL) != 0;
    if ((kept->null && value == NULL) || ((kept->null || optional) && json_is_null(value))) {
        return true;
    }
    if (kept->max == 0) {
        return takes(&kept->row, value);
    }
    bool good = json_is_array(value) && count >= (size_t)kept->min && count <= (size_t)kept->max;
    for (size_t i = 0; good && i < count; i++) {
        good = takes(&kept->row, json_array_get(value, i));
    }
    return good;
}

static halo_status refuse(const app_kept *kept, const char *key, const json_t *value,
                          const char *path)
{
    enum { SHOWN = 80, PATH = 150 };
    char wanted[HALO_OPTION_TAKEN], count[APP_VALUE_SIZE] = "";
    char *has = value != NULL ? app_json_text(value, 0) : NULL;
    halo_option_taken(&kept->row, wanted);
    if (kept->max > 0) {
        snprintf(count, sizeof count, "a list of %d to %d, each ", kept->min, kept->max);
    }
    halo_status status = halo_fail(
        HALO_FORMAT,
        "the checkpoint \"%.*s\" was damaged, or made by another version: its %s is %.*s%s, "
        "and must be %s%s; use another checkpoint",
        PATH, path, key, SHOWN, has != NULL ? has : "missing",
        has != NULL && strlen(has) > SHOWN ? "..." : "", count, wanted);
    free(has);
    return status;
}

halo_status app_kept_check(const app_kept *rows, const json_t *object, const char *path)
{
    for (; rows != NULL && rows->row.name != NULL; rows++) {
        const json_t *value = json_object_get(object, rows->row.name);
        if (!app_kept_takes(rows, value)) {
            return refuse(rows, rows->row.name, value, path);
        }
    }
    return HALO_OK;
}

halo_status app_kept_check_options(const app_syntax *syntax, const json_t *object, const char *path)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        const app_kept kept = {.row = *row};
        const json_t *value = json_object_get(object, app_option_key(row));
        bool may_miss = value == NULL && (row->flags & APP_UNLESS_DEFAULT) != 0;
        if ((row->flags & APP_SAVED) != 0 && !may_miss && !app_kept_takes(&kept, value)) {
            return refuse(&kept, app_option_key(row), value, path);
        }
    }
    return HALO_OK;
}

/* ---- members --------------------------------------------------------------------------------- */

enum { HASH_DIGITS = 16, HEX = 16 };

halo_status app_kept_parse_hash(const char *text, void *into)
{
    if (strlen(text) != HASH_DIGITS || strspn(text, "0123456789abcdef") != HASH_DIGITS) {
        return HALO_ARGUMENT;
    }
    if (into != NULL) {
        *(uint64_t *)into = strtoull(text, NULL, HEX);
    }
    return HALO_OK;
}

static json_t *value_of(const app_kept *kept, const void *member)
{
    switch (kept->row.type) {
    case HALO_OPTION_FLAG:
        return json_boolean(*(const bool *)member);
    case HALO_OPTION_INTEGER:
        return json_integer(halo_option_integer(&kept->row, member));
    case HALO_OPTION_REAL:
        return json_real(*(const double *)member);
    default:
        return json_sprintf("%016" PRIx64, *(const uint64_t *)member);
    }
}

bool app_kept_save(const app_kept *rows, const void *from, json_t *object)
{
    bool good = true;
    for (; rows != NULL && rows->row.name != NULL; rows++) {
        const void *member = (const char *)from + rows->row.offset;
        if (rows->row.bytes > 0) {
            good = json_object_set_new(object, rows->row.name, value_of(rows, member)) == 0 && good;
        }
    }
    return good;
}

void app_kept_restore(const app_kept *rows, const json_t *object, void *into)
{
    for (; rows != NULL && rows->row.name != NULL; rows++) {
        const json_t *value = json_object_get(object, rows->row.name);
        void *member = (char *)into + rows->row.offset;
        if (rows->row.bytes == 0) {
            continue;
        }
        switch (rows->row.type) {
        case HALO_OPTION_FLAG:
            *(bool *)member = json_is_true(value);
            break;
        case HALO_OPTION_INTEGER:
            halo_option_set_integer(&rows->row, member, json_integer_value(value));
            break;
        case HALO_OPTION_REAL:
            *(double *)member = json_number_value(value);
            break;
        default:
            app_kept_parse_hash(json_string_value(value), member);
        }
    }
}
