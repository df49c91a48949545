#define _POSIX_C_SOURCE 200809L
#include "app/report/facts.h"

#include "app/report/lines.h"
#include "base/minmax.h"
#include "base/printable.h"
#include "core/quiescence/detector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1024, MAX_KEY = 96, MAX_CONVERSION = 12, TEN = 10 };

/* ---- values ---------------------------------------------------------------------------------- */

static const json_t *entry_of(const json_t *value, const char *key)
{
    char *end;
    if (!json_is_array(value)) {
        return json_object_get(value, key);
    }
    /* Facts of many images are an array: a name is then none of its elements. */
    unsigned long index = strtoul(key, &end, TEN);
    return end > key && *end == '\0' ? json_array_get(value, index) : NULL;
}

static const json_t *find_in(const json_t *value, const char *key)
{
    char first[MAX_KEY];
    const char *dot = strchr(key, '.');
    if (dot == NULL) {
        return entry_of(value, key);
    }
    snprintf(first, sizeof first, "%.*s", (int)(dot - key), key);
    return find_in(entry_of(value, first), dot + 1);
}

const json_t *app_fact(const json_t *facts, const json_t *others, const char *key)
{
    const json_t *value = find_in(facts, key);
    return value != NULL ? value : find_in(others, key);
}

/* The text that is read, and the buffer to which its values go. */
typedef struct {
    const char *at; /* the rest of the template */
    const json_t *facts, *others;
    char *out;
    size_t size, used;
} filling;

static void append(filling *f, const char *text, size_t length)
{
    size_t room = f->size - 1 - f->used;
    if (length > room) { /* not within a character */
        for (length = room; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80; length--) {
        }
    }
    memcpy(f->out + f->used, text, length);
    f->used += length;
    f->out[f->used] = '\0';
}

/* The parts of a text between braces. */
typedef struct {
    char text[MAX_KEY]; /* what the others point into */
    char *key, *conversion, *above, *yes, *no;
    double factor;
    bool plural;
} slot;

/* End the text where `mark` is, and return what is behind it, or NULL. */
static char *cut_at(char *text, char mark)
{
    char *at = strchr(text, mark);
    if (at == NULL) {
        return NULL;
    }
    *at = '\0';
    return at + 1;
}

static void take_apart(slot *s, const char *inside, size_t length)
{
    char *end;
    snprintf(s->text, sizeof s->text, "%.*s", (int)length, inside);
    s->yes = cut_at(s->text, '?');
    s->no = s->yes != NULL ? cut_at(s->yes, ':') : NULL;
    s->above = cut_at(s->text, '>');
    s->conversion = cut_at(s->text, '%');
    s->plural = strncmp(s->text, "s:", 2) == 0;
    s->key = s->plural ? s->text + 2 : s->text;
    s->factor = strtod(s->key, &end);
    if (end > s->key && *end == '*') {
        s->key = end + 1;
    } else {
        s->factor = 1;
    }
}

static double number_of(const json_t *value)
{
    return json_is_boolean(value) ? (double)json_is_true(value) : json_number_value(value);
}

/* 1.199e+04 -> 11990: people do not read exponents of what can be written out. */
static void write_out(char text[MAX_TEXT], const char *conversion)
{
    enum { LONGEST = 15 };
    const char *exponent = strchr(conversion, 'g') != NULL ? strstr(text, "e+") : NULL;
    if (exponent != NULL && atoi(exponent + 2) < LONGEST) {
        snprintf(text, MAX_TEXT, "%.0f", strtod(text, NULL));
    }
}

static void print_value(filling *f, const json_t *value, const slot *s)
{
    char text[MAX_TEXT], conversion[MAX_CONVERSION];
    if (json_is_string(value)) {
        snprintf(text, sizeof text, "%s", json_string_value(value));
    } else if (json_is_integer(value) && s->conversion == NULL && s->factor == 1) {
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    } else {
        snprintf(conversion, sizeof conversion, "%%%s",
                 s->conversion != NULL ? s->conversion : "g");
        /* The conversions are those of tables in this program. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, conversion, s->factor * number_of(value));
#pragma GCC diagnostic pop
        write_out(text, conversion);
    }
    append(f, text, strlen(text));
}

/* False if the value is missing. */
static bool put_value(filling *f, const char *inside, size_t length)
{
    slot s;
    take_apart(&s, inside, length);
    const json_t *value = app_fact(f->facts, f->others, s.key);
    if (value == NULL || json_is_null(value) ||
        (s.above != NULL && s.factor * number_of(value) <= strtod(s.above, NULL))) {
        return false;
    }
    if (s.yes != NULL) {
        const char *chosen = number_of(value) != 0 ? s.yes : s.no != NULL ? s.no : "";
        append(f, chosen, strlen(chosen));
    } else if (!s.plural) {
        print_value(f, value, &s);
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
            f->at += length + (f->at[length] == '}');
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

/* ---- tables ---------------------------------------------------------------------------------- */

enum { MAX_CELL = 64, MAX_COLUMNS = 32 };

/* The title stands above the first row, as row -1. */
static void fill_cell(const app_column *column, const json_t *rows, int64_t row,
                      char cell[MAX_CELL])
{
    const app_line line = {.text = column->text};
    if (row < 0) {
        snprintf(cell, MAX_CELL, "%s", column->title);
    } else if (!app_line_text(&line, json_array_get(rows, (size_t)row), NULL, cell, MAX_CELL)) {
        snprintf(cell, MAX_CELL, "-");
    }
    halo_make_printable(cell);
}

/* Blanks are printed before the cell that follows them, so that no line ends with any. */
static void print_row(const app_column *columns, const int *widths, const json_t *rows, int64_t row)
{
    int blanks = 0;
    for (int c = 0; c < MAX_COLUMNS && columns[c].title != NULL; c++) {
        char cell[MAX_CELL];
        fill_cell(&columns[c], rows, row, cell);
        int free = widths[c] - (int)strlen(cell), before = columns[c].width < 0 ? 0 : free;
        if (cell[0] != '\0') {
            printf("%*s%s", blanks + before, "", cell);
            blanks = -before;
        }
        blanks += free + 2;
    }
    printf("\n");
}

static void print_listing(const app_listing *listing, const json_t *rows)
{
    const app_column *columns = listing->columns;
    int64_t count = (int64_t)json_array_size(rows);
    int widths[MAX_COLUMNS];
    char cell[MAX_CELL];
    for (int c = 0; c < MAX_COLUMNS && columns[c].title != NULL; c++) {
        widths[c] = abs(columns[c].width);
        for (int64_t row = -1; row < count; row++) {
            fill_cell(&columns[c], rows, row, cell);
            widths[c] = (int)halo_max(widths[c], (int64_t)strlen(cell));
        }
    }
    printf("\n");
    for (int64_t row = -1; row < count; row++) {
        print_row(columns, widths, rows, row);
    }
    if (listing->note != NULL) {
        printf("%*s %s\n", widths[0], "", listing->note);
    }
}

void app_listings_print(const app_listing *listings, const json_t *facts, const json_t *others,
                        bool verbose)
{
    for (const app_listing *l = listings; l != NULL && l->rows != NULL; l++) {
        const json_t *rows = app_fact(facts, others, l->rows);
        if (json_is_array(rows) && (verbose || !l->verbose)) {
            print_listing(l, rows);
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */

json_t *app_fact_text(const char *text)
{
    json_t *json = text != NULL ? json_string(text) : json_null();
    char *plain = json == NULL ? strdup(text) : NULL;
    if (plain != NULL) {
        halo_make_utf8(plain);
        json = json_string(plain);
        free(plain);
    }
    return json;
}

json_t *app_fact_number(const halo_number *number)
{
    char text[HALO_NUMBER_TEXT];
    bool fits = number->whole && number->magnitude <= (uint64_t)INT64_MAX;
    halo_number_print(number, text);
    return fits ? json_integer((number->negative ? -1 : 1) * (json_int_t)number->magnitude)
           : number->whole || isinf(number->value) ? json_string(text)
                                                   : json_real(number->value);
}

json_t *app_fact_count(json_int_t number)
{
    return number >= 0 ? json_integer(number) : json_null();
}

json_t *app_fact_integers(const int64_t *numbers, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, json_integer(numbers[i]));
    }
    return array;
}

json_t *app_fact_reals(const double *numbers, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, json_real(numbers[i]));
    }
    return array;
}

json_t *app_fact_real(double number, bool known)
{
    return known && isfinite(number) ? json_real(number) : json_null();
}

json_t *app_fact_parts(int axes, const int *n)
{
    if ((axes < 2 || n[1] == 1) && (axes < 3 || n[2] == 1)) {
        return json_sprintf("%d strip%s", n[0], n[0] == 1 ? "" : "s");
    }
    return axes < 3 ? json_sprintf("%d x %d blocks", n[0], n[1])
                    : json_sprintf("%d x %d x %d blocks", n[0], n[1], n[2]);
}

json_t *app_fact_async(const halo_async_report *report, const char *detector)
{
    const char *standard = halo_detector_list(0)->name;
    return report->phases == 0
               ? NULL
               : json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "detector",
                           detector != NULL ? detector : standard, "phases",
                           (json_int_t)report->phases, "phases_to_the_end",
                           (json_int_t)report->ended, "messages", (json_int_t)report->messages,
                           "bytes", (json_int_t)report->bytes, "control",
                           (json_int_t)report->control, "rounds", (json_int_t)report->rounds);
}

bool app_facts_add_missing(json_t *facts, json_t *more)
{
    return json_object_update_recursive(more, facts) == 0 && json_object_update(facts, more) == 0;
}
