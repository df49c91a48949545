#include "app/report/lines.h"
#include "cli/filter/job.h"
#include "kernels/filter/filters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The filters in the help. */

enum { TEXT = 1024 };

/* Rows of edges are the same for all filters that have them. */
static bool is_of_edges(const halo_option *row)
{
    return strcmp(row->name, "mode") == 0 || strcmp(row->name, "cval") == 0;
}

static void add(char text[TEXT], const char *first, const char *second, const char *third)
{
    size_t used = strlen(text);
    snprintf(text + used, TEXT - used, "%s%s%s", first, second, third);
}

/* How a value is written: of flags, which take it behind =, too. */
static void value_of(const halo_option *row, char value[APP_VALUE_SIZE])
{
    if (row->type == HALO_OPTION_FLAG) {
        snprintf(value, APP_VALUE_SIZE, "true|false");
    } else {
        app_option_value(row, value);
    }
}

/* "gaussian:S|S,S,S [truncate=N] [mode, cval]" */
static void print_step(const halo_filter *filter, char text[TEXT])
{
    const halo_option *row = filter->params;
    bool edges = false;
    snprintf(text, TEXT, "%s", filter->name);
    for (; row != NULL && row->type != HALO_OPTION_END; row++) {
        char value[APP_VALUE_SIZE];
        value_of(row, value);
        if (is_of_edges(row)) {
            edges = true;
        } else if (row->required != NULL) {
            add(text, ":", value, "");
        } else {
            add(text, " [", row->name, "=");
            add(text, value, "]", "");
        }
    }
    add(text, edges ? " [mode, cval]" : "", "", "");
}

void filter_describe(const app_syntax *syntax, char *out, size_t size)
{
    enum { INDENT = 6 };
    (void)syntax;
    lines_append(
        out, size, "", 0,
        "Filters, with the value that they need, and those that may be added as "
        ":KEY=VALUE. mode says what is beyond the edges, reflect, mirror, nearest, wrap or "
        "constant, with cval as the constant:");
    for (int i = 0; filter_table[i] != NULL; i++) {
        char step[TEXT];
        print_step(filter_table[i], step);
        lines_append(out, size, "  ", INDENT, step);
        lines_append(out, size, "      ", INDENT, filter_table[i]->help);
    }
}

/* ---- one filter ------------------------------------------------------------------------------ */

/* A name in a line of its own, and text below it. */
static void append_entry(char *out, size_t size, const char *name, const char *text)
{
    enum { INDENT = 6 };
    lines_append(out, size, "  ", INDENT, name);
    lines_append(out, size, "      ", INDENT, text);
}

static void append_option(char *out, size_t size, const halo_option *row)
{
    char value[APP_VALUE_SIZE], name[2 * APP_VALUE_SIZE];
    char *text = app_option_text(row);
    value_of(row, value);
    snprintf(name, sizeof name, "%s=%s", row->name, value);
    append_entry(out, size, name, text != NULL ? text : "");
    free(text);
}

static const char *describe_types(const halo_filter *filter)
{
    return filter->bits   ? "Results are bits (default: bool)"
           : filter->real ? "Type of the results (default: float32, or that of samples that are "
                            "reals)"
           : filter->gives != 0 ? "Type of the results (default: that of the samples)"
                                : "Results have the type of the samples; no other type is possible";
}

static void print_filter(const halo_filter *filter)
{
    enum { PAGE = 1 << 14 };
    char step[TEXT], out[PAGE] = "";
    print_step(filter, step);
    lines_append(out, PAGE, "", 0, step);
    snprintf(step, sizeof step,
             "%s. The definition is that of %s; docs/filters.md names what differs.", filter->help,
             filter->authority);
    lines_append(out, PAGE, "", 0, step);
    lines_append(out, PAGE, "", 0, "");
    for (const halo_option *row = filter->params; row != NULL && row->type != HALO_OPTION_END;
         row++) {
        append_option(out, PAGE, row);
    }
    append_entry(out, PAGE, "dtype=TYPE", describe_types(filter));
    snprintf(step, sizeof step, "Examples: %s", filter->examples);
    for (char *bar = strchr(step, '|'); bar != NULL; bar = strchr(bar, '|')) {
        *bar = ' ';
    }
    lines_append(out, PAGE, "", 2, step);
    fputs(out, stdout);
}

halo_status filter_explain(const char *word, bool speaks)
{
    const halo_filter *filter = NULL;
    HALO_TRY(filter_named(word, strcspn(word, ":"), &filter));
    if (speaks) {
        print_filter(filter);
    }
    return HALO_OK;
}
