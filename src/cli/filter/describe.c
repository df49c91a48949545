#include "app/report/lines.h"
#include "cli/filter/job.h"
#include "kernels/filter/filters.h"

#include <stdio.h>
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

/* "gaussian:S|S,S,S [truncate=N] [mode, cval]" */
static void print_step(const halo_filter *filter, char text[TEXT])
{
    const halo_option *row = filter->params;
    bool edges = false;
    snprintf(text, TEXT, "%s", filter->name);
    for (; row != NULL && row->type != HALO_OPTION_END; row++) {
        char value[APP_VALUE_SIZE];
        app_option_value(row, value);
        if (is_of_edges(row)) {
            edges = true;
        } else if (row->required != NULL) {
            add(text, ":", value, "");
        } else {
            add(text, " [", row->name, value[0] != '\0' ? "=" : "");
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
