#include "app/facts.h"

#include "app/lines.h"
#include "app/report.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TEXT = 1024, MAX_KEY = 96, MAX_CONVERSION = 12 };

/* ---- values ---------------------------------------------------------------------------------- */

static const json_t *find_in(const json_t *object, const char *key)
{
    char first[MAX_KEY];
    const char *dot = strchr(key, '.');
    if (dot == NULL) {
        return json_object_get(object, key);
    }
    snprintf(first, sizeof first, "%.*s", (int)(dot - key), key);
    return find_in(json_object_get(object, first), dot + 1);
}

/* What is read, and where it goes. */
typedef struct {
    const char *at; /* the rest of the template */
    const json_t *facts, *others;
    char *out;
    size_t size, used;
} filling;

static void append(filling *f, const char *text, size_t length)
{
    size_t room = f->size - 1 - f->used;
    length = length < room ? length : room;
    memcpy(f->out + f->used, text, length);
    f->used += length;
    f->out[f->used] = '\0';
}

static void print_value(filling *f, const json_t *value, const char *conversion)
{
    char text[MAX_TEXT];
    if (json_is_string(value)) {
        snprintf(text, sizeof text, "%s", json_string_value(value));
    } else if (json_is_integer(value)) {
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    } else {
        /* The conversions are those of tables in this program. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, conversion, json_number_value(value));
#pragma GCC diagnostic pop
    }
    append(f, text, strlen(text));
}

/* What stands between braces: key, conversion, and "more than 0". False if it is missing. */
static bool put_value(filling *f, const char *inside, size_t length)
{
    char key[MAX_KEY], conversion[MAX_CONVERSION] = "%g";
    snprintf(key, sizeof key, "%.*s", (int)length, inside);
    bool plural = strncmp(key, "s:", 2) == 0;
    char *positive = strstr(key, ">0");
    if (positive != NULL) {
        *positive = '\0';
    }
    char *percent = strchr(key, '%');
    if (percent != NULL) {
        snprintf(conversion, sizeof conversion, "%s", percent);
        *percent = '\0';
    }
    const char *name = plural ? key + 2 : key;
    const json_t *value = find_in(f->facts, name);
    value = value != NULL ? value : find_in(f->others, name);
    if (value == NULL || json_is_null(value) ||
        (positive != NULL && json_number_value(value) <= 0)) {
        return false;
    }
    if (!plural) {
        print_value(f, value, conversion);
    } else if (json_integer_value(value) != 1) {
        append(f, "s", 1);
    }
    return true;
}

/* Up to the end or the bracket that closes. False if a value outside of inner brackets is missing;
 * then nothing of it is put. */
static bool fill(filling *f)
{
    size_t begun = f->used;
    bool whole = true;
    while (*f->at != '\0' && *f->at != ']') {
        size_t plain = strcspn(f->at, "{[]");
        append(f, f->at, plain);
        f->at += plain;
        if (*f->at == '{') {
            size_t length = strcspn(f->at, "}");
            whole = put_value(f, f->at + 1, length - 1) && whole;
            f->at += length + 1;
        } else if (*f->at == '[') {
            f->at++;
            fill(f);
            f->at += *f->at == ']';
        }
    }
    if (!whole) {
        f->used = begun;
        f->out[begun] = '\0';
    }
    return whole;
}

/* ---------------------------------------------------------------------------------------------- */

bool app_line_text(const app_line *line, const json_t *facts, const json_t *others, char *text,
                   size_t size)
{
    filling f = {.at = line->text, .facts = facts, .others = others, .out = text, .size = size};
    text[0] = '\0';
    return fill(&f);
}

void app_lines_print(const app_line *lines, const json_t *facts, const json_t *others, bool verbose)
{
    for (const app_line *line = lines; line != NULL && line->name != NULL; line++) {
        char text[MAX_TEXT];
        if ((verbose || !line->verbose) && app_line_text(line, facts, others, text, sizeof text)) {
            lines_print(line->name, text);
        }
    }
}

json_t *app_fact_text(const char *text)
{
    return text != NULL ? report_json_of_name(text) : json_null();
}

json_t *app_fact_count(json_int_t number)
{
    return number >= 0 ? json_integer(number) : json_null();
}
