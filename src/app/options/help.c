#define _POSIX_C_SOURCE 200809L /* open_memstream, strndup */
#include "app/options/options.h"
#include "app/report/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_COLUMN = 29,
    SPEC_SIZE = 240,
    DESCRIPTION = 16384, /* between options and notes */
    NAMES = 6,
    ENTRY_INDENT = 4
};

/* ---- one option ------------------------------------------------------------------------------ */

void app_option_value(const halo_option *row, char text[APP_VALUE_SIZE])
{
    static const char *const names[] = {
        [HALO_OPTION_INTEGER] = "N",   [HALO_OPTION_REAL] = "X",     [HALO_OPTION_SHARE] = "SHARE",
        [HALO_OPTION_TEXT] = "TEXT",   [HALO_OPTION_INPUT] = "FILE", [HALO_OPTION_OUTPUT] = "FILE",
        [HALO_OPTION_CUSTOM] = "VALUE"};
    const char *choices = row->choices != NULL ? row->choices + (*row->choices == '|') : "";
    const char *own = row->value != NULL ? row->value : names[row->type];
    bool chosen = row->type == HALO_OPTION_CHOICE || row->type == HALO_OPTION_INDEX;
    bool endings = row->type == HALO_OPTION_OUTPUT && row->value == NULL;
    text[0] = '\0';
    if (row->type != HALO_OPTION_FLAG) {
        snprintf(text, APP_VALUE_SIZE, "%s%s%s%s", row->word != NULL ? row->word : "",
                 row->word != NULL ? "|" : "", own != NULL ? own : "",
                 (chosen && row->value == NULL) || endings ? choices : "");
    }
}

char *app_option_text(const halo_option *row)
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
static void print_spec(const halo_option *row, char spec[SPEC_SIZE])
{
    char value[APP_VALUE_SIZE], letter[NAMES + 1] = "      ";
    app_option_value(row, value);
    if (row->letter != 0) {
        snprintf(letter, sizeof letter, "  -%c, ", row->letter);
    }
    snprintf(spec, SPEC_SIZE, "%s--%s%s%s", letter, row->name, *value != '\0' ? "=" : "", value);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Lines as of lines_append, however long: each has a character of the text at least. */
static void append_lines(FILE *page, const char *first, int indent, const char *text)
{
    size_t size = strlen(first) + (strlen(text) + 1) * ((size_t)indent + sizeof "\n") + 1;
    char *lines = calloc(1, size);
    if (lines != NULL) {
        lines_append(lines, size, first, indent, text);
        fputs(lines, page);
    }
    free(lines);
}

/* Paragraphs are lines of any length, which are broken; entries of lists begin with blanks. */
static void append_paragraphs(FILE *page, const char *text)
{
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        if (line != NULL) {
            append_lines(page, "", *line == ' ' ? ENTRY_INDENT : 0, line);
        }
        free(line);
        text += length + (text[length] == '\n');
    }
}

/* The text stands beside the option, or, where that is too long, below it. */
static void append_option(FILE *page, const halo_option *row)
{
    char spec[SPEC_SIZE], first[SPEC_SIZE];
    char *text = app_option_text(row);
    print_spec(row, spec);
    bool beside = strlen(spec) < TEXT_COLUMN;
    if (!beside) {
        fprintf(page, "%s\n", spec);
    }
    snprintf(first, sizeof first, "%-*s", TEXT_COLUMN, beside ? spec : "");
    append_lines(page, first, TEXT_COLUMN, text != NULL ? text : "");
    free(text);
}

static void append_usage(FILE *page, const app_syntax *syntax, const char *program)
{
    app_place at = {0};
    fprintf(page, "Usage: %s [OPTION...]", program);
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if ((row->flags & APP_ARGUMENT) != 0) {
            fprintf(page, " %s%s", row->name, (row->flags & APP_REPEATS) != 0 ? "..." : "");
        }
    }
    fprintf(page, "\n");
}

static void append_options(FILE *page, const app_syntax *syntax)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (row->type == HALO_OPTION_SECTION) {
            fprintf(page, "\n %s\n", row->help);
        } else if (app_is_shown(row)) {
            append_option(page, row);
        }
    }
    fprintf(page, "\n  -h, --help                 This text\n\n");
}

static void append_description(FILE *page, const app_syntax *syntax)
{
    char *text = syntax->describe != NULL ? calloc(1, DESCRIPTION) : NULL;
    if (text != NULL) {
        syntax->describe(syntax, text, DESCRIPTION);
        fprintf(page, "%s\n", text);
    }
    free(text);
}

void app_options_help(const app_syntax *syntax, const char *program)
{
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    if (page == NULL) {
        return;
    }
    append_usage(page, syntax, program);
    append_paragraphs(page, syntax->about);
    append_options(page, syntax);
    append_description(page, syntax);
    append_paragraphs(page, syntax->notes);
    if (fclose(page) == 0) {
        fputs(text, stdout);
    }
    free(text);
}
