#include "app/lines.h"
#include "app/options.h"
#include "app/values.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_COLUMN = 29,
    SPEC_SIZE = 240,
    PAGE_SIZE = 32768,
    LINE_SIZE = 1024,
    NAMES = 6,
    ENTRY_INDENT = 4
};

/* ---- one option ------------------------------------------------------------------------------ */

void app_option_value(const app_option *row, char text[APP_VALUE_SIZE])
{
    static const char *const names[] = {
        [APP_INTEGER] = "N",  [APP_REAL] = "X",      [APP_SHARE] = "SHARE", [APP_TEXT] = "TEXT",
        [APP_INPUT] = "FILE", [APP_OUTPUT] = "FILE", [APP_CUSTOM] = "VALUE"};
    const char *choices = row->choices != NULL ? row->choices + (*row->choices == '|') : "";
    const char *own = row->value != NULL ? row->value : names[row->type];
    bool chosen = row->type == APP_CHOICE || row->type == APP_INDEX;
    bool endings = row->type == APP_OUTPUT && row->value == NULL;
    text[0] = '\0';
    if (row->type != APP_FLAG) {
        snprintf(text, APP_VALUE_SIZE, "%s%s%s%s", row->word != NULL ? row->word : "",
                 row->word != NULL ? "|" : "", own != NULL ? own : "",
                 (chosen && row->value == NULL) || endings ? choices : "");
    }
}

char *app_option_text(const app_option *row)
{
    const char *standard = row->unless != NULL ? row->unless : row->standard;
    size_t size =
        strlen(row->help) + (standard != NULL ? strlen(standard) : 0) + sizeof " (default: )";
    char *text = malloc(size);
    if (text != NULL) {
        snprintf(text, size, "%s%s%s%s", row->help, standard != NULL ? " (default: " : "",
                 standard != NULL ? standard : "", standard != NULL ? ")" : "");
    }
    return text;
}

/* "  -o, --output=FILE.png" */
static void print_spec(const app_option *row, char spec[SPEC_SIZE])
{
    char value[APP_VALUE_SIZE], letter[NAMES + 1] = "      ";
    app_option_value(row, value);
    if (row->letter != 0) {
        snprintf(letter, sizeof letter, "  -%c, ", row->letter);
    }
    snprintf(spec, SPEC_SIZE, "%s--%s%s%s", letter, row->name, *value != '\0' ? "=" : "", value);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void append(char *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char *page, const char *format, ...)
{
    size_t used = strlen(page);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(page + used, PAGE_SIZE - used, format, arguments);
    va_end(arguments);
}

/* Paragraphs are lines of any length, which are broken; entries of lists begin with blanks. */
static void append_paragraphs(char *page, const char *text)
{
    while (text != NULL && *text != '\0') {
        char line[LINE_SIZE];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        lines_append(page, PAGE_SIZE, "", *line == ' ' ? ENTRY_INDENT : 0, line);
        text += length + (text[length] == '\n');
    }
}

/* The text stands beside the option, or, where that is too long, below it. */
static void append_option(char *page, const app_option *row)
{
    char spec[SPEC_SIZE], first[SPEC_SIZE];
    char *text = app_option_text(row);
    print_spec(row, spec);
    bool beside = strlen(spec) < TEXT_COLUMN;
    if (!beside) {
        append(page, "%s\n", spec);
    }
    snprintf(first, sizeof first, "%-*s", TEXT_COLUMN, beside ? spec : "");
    lines_append(page, PAGE_SIZE, first, TEXT_COLUMN, text != NULL ? text : "");
    free(text);
}

static void append_usage(char *page, const app_syntax *syntax, const char *program)
{
    app_place at = {0};
    append(page, "Usage: %s [OPTION...]", program);
    for (const app_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if ((row->flags & APP_ARGUMENT) != 0) {
            append(page, " %s%s", row->name, (row->flags & APP_REPEATS) != 0 ? "..." : "");
        }
    }
    append(page, "\n");
}

static void append_options(char *page, const app_syntax *syntax)
{
    app_place at = {0};
    for (const app_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (row->type == APP_SECTION) {
            append(page, "\n %s\n", row->help);
        } else if (app_is_shown(row)) {
            append_option(page, row);
        }
    }
    append(page, "\n  -h, --help                 This text\n\n");
}

void app_options_help(const app_syntax *syntax, const char *program)
{
    char *page = calloc(1, PAGE_SIZE);
    if (page == NULL) {
        return;
    }
    append_usage(page, syntax, program);
    append_paragraphs(page, syntax->about);
    append_options(page, syntax);
    if (syntax->describe != NULL) {
        size_t used = strlen(page);
        syntax->describe(syntax, page + used, PAGE_SIZE - used);
        append(page, "\n");
    }
    append_paragraphs(page, syntax->notes);
    fputs(page, stdout);
    free(page);
}
