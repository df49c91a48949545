#include "base/option.h"

#include "base/option_values.h"
#include "base/version.h"

#include <stdio.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

int halo_options_count(const halo_option *rows)
{
    int count = 0;
    while (rows != NULL && rows[count].type != HALO_OPTION_END) {
        count++;
    }
    return count;
}

const halo_option *halo_options_find(const halo_option *rows, const char *name, size_t length)
{
    for (; rows != NULL && rows->type != HALO_OPTION_END; rows++) {
        if (rows->type != HALO_OPTION_SECTION && strlen(rows->name) == length &&
            memcmp(rows->name, name, length) == 0) {
            return rows;
        }
    }
    return NULL;
}

size_t halo_option_bytes(const halo_option *row)
{
    bool optional = (row->flags & HALO_OPTION_OPTIONAL) != 0;
    switch (row->type) {
    case HALO_OPTION_FLAG:
        return sizeof(bool);
    case HALO_OPTION_INDEX:
        return sizeof(int);
    case HALO_OPTION_INTEGER:
        return optional                    ? sizeof(halo_optional_integer)
               : row->bytes == sizeof(int) ? sizeof(int)
                                           : sizeof(int64_t);
    case HALO_OPTION_REAL:
    case HALO_OPTION_SHARE:
        return optional ? sizeof(halo_optional_real) : sizeof(double);
    default:
        return sizeof(const char *);
    }
}

static bool is_same_real(double a, double b)
{
    return a <= b && a >= b;
}

bool halo_option_is_same(const halo_option *row, const void *a, const void *b)
{
    bool optional = (row->flags & HALO_OPTION_OPTIONAL) != 0;
    const char *x, *y;
    if (optional && *halo_optional_given(row, (void *)a) != *halo_optional_given(row, (void *)b)) {
        return false;
    }
    switch (row->type) { /* optional numbers begin with their value */
    case HALO_OPTION_FLAG:
        return *(const bool *)a == *(const bool *)b;
    case HALO_OPTION_INDEX:
        return *(const int *)a == *(const int *)b;
    case HALO_OPTION_INTEGER:
        return halo_option_integer(row, a) == halo_option_integer(row, b);
    case HALO_OPTION_REAL:
    case HALO_OPTION_SHARE:
        return is_same_real(*(const double *)a, *(const double *)b);
    default:
        x = *(const char *const *)a;
        y = *(const char *const *)b;
        return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
    }
}

/* ---- by name and value ----------------------------------------------------------------------- */

halo_status halo_options_set_defaults(const halo_option *rows, void *structure)
{
    for (; rows != NULL && rows->type != HALO_OPTION_END; rows++) {
        if (rows->standard != NULL) {
            halo_status status =
                halo_option_take(rows, rows->standard, (char *)structure + rows->offset);
            HALO_TRY(status != HALO_ARGUMENT
                         ? status
                         : halo_option_refuse(rows, rows->name, rows->standard));
        }
    }
    return HALO_OK;
}

static halo_status refuse_name(const halo_option *rows, const char *owner, const char *name)
{
    char names[HALO_MESSAGE_SIZE / 2] = "";
    for (; rows != NULL && rows->type != HALO_OPTION_END; rows++) {
        size_t used = strlen(names);
        if (rows->type != HALO_OPTION_SECTION) {
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", rows->name);
        }
    }
    return halo_fail(HALO_ARGUMENT, "%s has no option '%.100s'; it has %s%s", owner, name,
                     names[0] != '\0' ? names : "none",
                     names[0] != '\0' ? ", as NAME=VALUE with commas between them" : "");
}

halo_status halo_options_set(const halo_option *rows, void *structure, const char *owner,
                             const char *name, const char *value)
{
    enum { NAMED = 160 };
    char named[NAMED];
    const halo_option *row = halo_options_find(rows, name, strlen(name));
    if (row == NULL) {
        return refuse_name(rows, owner, name);
    }
    halo_status status = halo_option_take(row, value, (char *)structure + row->offset);
    snprintf(named, sizeof named, "%s: %s", owner, name);
    return status != HALO_ARGUMENT ? status : halo_option_refuse(row, named, value);
}

/* `pair` is changed. */
static halo_status read_pair(const halo_option *rows, void *structure, const char *owner,
                             char *pair)
{
    char *equals = strchr(pair, '=');
    if (equals != NULL) {
        *equals = '\0';
        return halo_options_set(rows, structure, owner, pair, equals + 1);
    }
    bool alone = halo_options_count(rows) == 1 && strcmp(rows[0].name, pair) != 0;
    return alone ? halo_options_set(rows, structure, owner, rows[0].name, pair)
                 : halo_options_set(rows, structure, owner, pair, "");
}

halo_status halo_options_read(const halo_option *rows, void *structure, const char *owner,
                              char *text)
{
    while (text != NULL) {
        char *comma = strchr(text, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        HALO_TRY(read_pair(rows, structure, owner, text));
        text = comma != NULL ? comma + 1 : NULL;
    }
    return HALO_OK;
}

void halo_options_take_known(void *own, size_t own_bytes, const void *given, size_t given_bytes)
{
    memset(own, 0, own_bytes);
    if (given != NULL) {
        memcpy(own, given, given_bytes < own_bytes ? given_bytes : own_bytes);
    }
}

void halo_report_give(void *given, size_t given_bytes, const void *own, size_t own_bytes)
{
    if (given != NULL) {
        halo_options_take_known(given, given_bytes, own, own_bytes);
    }
}

halo_status halo_options_take(void *own, size_t own_bytes, const void *given, size_t given_bytes,
                              const char *name)
{
    /* Later members begin at multiples of 8: before that lies padding, whose bytes may be any. */
    const size_t member = sizeof(int64_t), later = (own_bytes + member - 1) / member * member;
    for (size_t i = later; i < given_bytes && given != NULL; i++) {
        if (((const unsigned char *)given)[i] != 0) {
            memset(own, 0, own_bytes);
            return halo_fail(HALO_ARGUMENT,
                             "%s sets an option that Halobeat %s does not know: the program was "
                             "built for a newer version; install that, or build the program with "
                             "the headers of this one",
                             name, HALOBEAT_VERSION);
        }
    }
    halo_options_take_known(own, own_bytes, given, given_bytes);
    return HALO_OK;
}
