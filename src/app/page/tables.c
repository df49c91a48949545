#include "app/page/page_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_TEXT = 1024,
    CELL_TEXT = 512,
    ROWS_SHOWN = 1000,
    FIGURE_ROWS = 200,
    KEY_TEXT = 64,
    NUMBER_TEXT = 24
};

/* Keys that are too long for this are none of the program's. */
static void join_key(char out[PAGE_KEY], const char *before, const char *key)
{
    size_t used = (size_t)snprintf(out, PAGE_KEY, "%s%s", before, *before != '\0' ? "." : "");
    if (used < PAGE_KEY) {
        snprintf(out + used, PAGE_KEY - used, "%s", key);
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* An element with the value itself, under its key. */
static void put_value(page *p, const char *tag, const char *key, const json_t *value)
{
    char *text = page_value(value);
    page_printf(p, "<%s%s", tag, json_is_number(value) ? " class=\"n\"" : "");
    page_text_in(p, " data-key=\"", key, "\">");
    page_text(p, text != NULL ? text : "");
    page_printf(p, "</%s>", tag);
    free(text);
}

/* Of a cell that shows one value of its row alone, "{key%.4f} s" or "{1e6*key}", where that value
 * is, and what it was multiplied with. */
static void put_key(page *p, const char *rows, int64_t row, const char *text)
{
    char key[KEY_TEXT];
    const char *begin = text[0] == '{' ? text + 1 : NULL, *close = strchr(text, '}');
    if (rows == NULL || begin == NULL || close == NULL || strchr(close, '{') != NULL) {
        return;
    }
    char *end;
    double factor = strtod(begin, &end);
    bool scaled = end > begin && *end == '*';
    begin = scaled ? end + 1 : begin;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(begin, "%>?}"), begin);
    if (strncmp(key, "s:", 2) == 0 || begin[strcspn(begin, "?}")] == '?') {
        return;
    }
    page_text_in(p, " data-key=\"", rows, "");
    page_printf(p, "%s%lld.", rows[0] != '\0' ? "." : "", (long long)row);
    page_text_in(p, "", key, "\"");
    if (scaled) {
        page_printf(p, " data-factor=\"%g\"", factor);
    }
}

void page_cell(page *p, const app_column *column, const json_t *row, const char *rows,
               int64_t number)
{
    const app_line line = {.text = column->text};
    char text[CELL_TEXT];
    bool known = app_line_text(&line, row, NULL, text, sizeof text);
    page_printf(p, "<td%s", column->width > 0 ? " class=\"n\"" : "");
    if (known) {
        put_key(p, rows, number, column->text);
    }
    page_text_in(p, ">", known ? text : "-", "</td>");
}

void page_titles(page *p, const app_column *columns)
{
    page_put(p, "<thead><tr>");
    for (; columns->title != NULL; columns++) {
        page_printf(p, "<th scope=\"col\"%s>", columns->width > 0 ? " class=\"n\"" : "");
        page_text_in(p, "", columns->title, "</th>");
    }
    page_put(p, "</tr></thead>\n");
}

/* Of long tables the first rows. */
static void put_share(page *p, size_t shown, size_t count)
{
    if (shown < count) {
        page_printf(p, " The first %zu of %zu rows.", shown, count);
    }
}

void page_listing(page *p, const app_listing *listing, const json_t *facts, const char *key)
{
    size_t count = json_array_size(facts), shown = count < ROWS_SHOWN ? count : ROWS_SHOWN;
    page_put(p, "<div class=\"wide\"><table class=\"listing\">");
    if (listing->note != NULL || shown < count) {
        page_text_in(p, "<caption>", listing->note, "");
        put_share(p, shown, count);
        page_put(p, "</caption>");
    }
    page_titles(p, listing->columns);
    page_put(p, "<tbody>\n");
    for (size_t i = 0; i < shown; i++) {
        page_put(p, "<tr>");
        for (const app_column *column = listing->columns; column->title != NULL; column++) {
            page_cell(p, column, json_array_get(facts, i), key, (int64_t)i);
        }
        page_put(p, "</tr>\n");
    }
    page_put(p, "</tbody></table></div>\n");
}

/* ---- what was asked -------------------------------------------------------------------------- */

static void put_option(page *p, const app_option *row, const json_t *values, bool given)
{
    const json_t *value = json_object_get(values, app_option_key(row));
    bool reported = json_object_get(p->from->facts, "arguments") != NULL;
    char key[PAGE_KEY], brief[PAGE_BRIEF];
    snprintf(key, sizeof key, "arguments.%s", app_option_key(row));
    if (app_was_given(p->run, (const char *)p->run->options + row->offset) != given) {
        return;
    }
    page_text_in(p, "<tr><th scope=\"row\"><code>--", row->name, "</code></th>");
    if (json_is_array(value) || !reported) {
        char *text = page_value(value);
        page_text_in(p, "<td>", text != NULL ? text : "", "</td>");
        free(text);
    } else {
        put_value(p, "td", key, value);
    }
    page_brief(row->help, brief);
    page_text_in(p, "<td class=\"faint\">", brief, "</td></tr>\n");
}

static void put_options(page *p, const json_t *values, bool given)
{
    app_place at = {0};
    page_put(p, "<div class=\"wide\"><table class=\"options\"><thead><tr><th "
                "scope=\"col\">option</th>"
                "<th scope=\"col\">value</th><th scope=\"col\">what it says</th></tr></thead>"
                "<tbody>\n");
    for (const app_option *row; (row = app_next_row(p->run->command->syntax, &at)) != NULL;) {
        if (app_is_shown(row)) {
            put_option(p, row, values, given);
        }
    }
    page_put(p, "</tbody></table></div>\n");
}

void page_asked(page *p)
{
    json_t *values = app_options_json(p->run->given);
    page_begin(p, "asked", "What was asked");
    page_text_in(p, "<pre><code id=\"command-line\">", app_options_line(p->run->given),
                 "</code></pre>\n");
    put_options(p, values, true);
    page_end(p);
    json_decref(values);
}

void page_defaults(page *p)
{
    json_t *values = app_options_json(p->run->given);
    page_begin(p, "defaults", "Options that were not given");
    page_put(p, "<details><summary>Show their defaults</summary>\n");
    put_options(p, values, false);
    page_put(p, "</details>\n");
    page_end(p);
    json_decref(values);
}

/* ---- what came of it ------------------------------------------------------------------------- */

void page_lines(page *p)
{
    const app_line *const *list = p->from->lines;
    if (list == NULL) {
        return;
    }
    page_put(p, "<table class=\"lines\"><caption>What the summary says</caption><tbody>\n");
    for (; *list != NULL; list++) {
        for (const app_line *line = *list; line->name != NULL; line++) {
            char text[LINE_TEXT];
            if (app_line_text(line, p->from->facts, p->from->others, text, sizeof text)) {
                page_put(p, line->verbose ? "<tr class=\"more\">" : "<tr>");
                page_text_in(p, "<th scope=\"row\">", line->name, "</th>");
                page_text_in(p, "<td>", text, "</td></tr>\n");
            }
        }
    }
    page_put(p, "</tbody></table>\n");
}

void page_listings(page *p)
{
    const app_listing *const *list = p->from->listings;
    for (; list != NULL && *list != NULL; list++) {
        for (const app_listing *listing = *list; listing->rows != NULL; listing++) {
            const json_t *reported = app_fact(p->from->facts, NULL, listing->rows);
            const json_t *rows = app_fact(p->from->facts, p->from->others, listing->rows);
            bool elsewhere = strcmp(listing->rows, "tasks.ranks") == 0; /* charts.c */
            if (json_array_size(rows) > 0 && !elsewhere) {
                page_listing(p, listing, rows, reported != NULL ? listing->rows : NULL);
            }
        }
    }
}

/* ---- all figures ----------------------------------------------------------------------------- */

static void put_figure(page *p, const char *key, const json_t *value)
{
    page_text_in(p, "<tr><th scope=\"row\"><code>", key, "</code></th>");
    put_value(p, "td", key, value);
    page_put(p, "</tr>\n");
}

/* Values in objects in objects, too. Arrays of objects are tables of their own; options, and
 * decisions of the balancer, stand elsewhere. */
static void put_figures(page *p, const char *before, const json_t *facts)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)facts, key, value)
    {
        char path[PAGE_KEY];
        join_key(path, before, key);
        if (json_is_object(value) && strcmp(path, "arguments") != 0) {
            put_figures(p, path, value);
        } else if (json_is_array(value) && !json_is_object(json_array_get(value, 0))) {
            char *text = page_value(value);
            page_text_in(p, "<tr><th scope=\"row\"><code>", path, "</code></th>");
            page_text_in(p, "<td>", text != NULL ? text : "", "</td></tr>\n");
            free(text);
        } else if (!json_is_array(value) && !json_is_object(value)) {
            put_figure(p, path, value);
        }
    }
}

static void put_row(page *p, const char *path, size_t number, const json_t *titles,
                    const json_t *row)
{
    const char *title;
    json_t *of_first;
    page_put(p, "<tr>");
    json_object_foreach((json_t *)titles, title, of_first)
    {
        char number_text[NUMBER_TEXT], of_row[PAGE_KEY], key[PAGE_KEY];
        const json_t *value = json_object_get(row, title);
        snprintf(number_text, sizeof number_text, "%zu", number);
        join_key(of_row, path, number_text);
        join_key(key, of_row, title);
        if (json_is_object(value) || json_is_array(value)) {
            page_put(p, "<td>...</td>");
        } else {
            put_value(p, "td", key, value);
        }
    }
    page_put(p, "</tr>\n");
}

static void put_array(page *p, const char *path, const json_t *rows)
{
    const json_t *first = json_array_get(rows, 0);
    size_t count = json_array_size(rows), shown = count < FIGURE_ROWS ? count : FIGURE_ROWS;
    const char *title;
    json_t *value;
    page_text_in(p, "<div class=\"wide\"><table><caption><code>", path, "</code>");
    put_share(p, shown, count);
    page_put(p, "</caption><thead><tr>");
    json_object_foreach((json_t *)first, title, value)
    {
        page_printf(p, "<th scope=\"col\"%s>", json_is_number(value) ? " class=\"n\"" : "");
        page_text_in(p, "", title, "</th>");
    }
    page_put(p, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < shown; i++) {
        put_row(p, path, i, first, json_array_get(rows, i));
    }
    page_put(p, "</tbody></table></div>\n");
}

static void put_arrays(page *p, const char *before, const json_t *facts)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)facts, key, value)
    {
        char path[PAGE_KEY];
        join_key(path, before, key);
        if (json_is_object(value)) {
            put_arrays(p, path, value);
        } else if (json_is_object(json_array_get(value, 0)) &&
                   strcmp(path, "balance.decisions") != 0) {
            put_array(p, path, value);
        }
    }
}

void page_figures_of(page *p, const char *before, const json_t *facts)
{
    page_put(p, "<div class=\"wide\"><table><thead><tr><th scope=\"col\">key</th>"
                "<th scope=\"col\">value</th></tr></thead><tbody>\n");
    put_figures(p, before, facts);
    page_put(p, "</tbody></table></div>\n");
    put_arrays(p, before, facts);
}

void page_figures(page *p)
{
    page_begin(p, "figures", "All figures");
    page_put(p, "<p class=\"faint\">As <code>--json</code> writes them; seconds, bytes and cells "
                "unless a key says otherwise.</p>\n<details><summary>Show all</summary>\n");
    page_figures_of(p, "", p->from->facts);
    page_put(p, "</details>\n");
    page_end(p);
}

/* ---- warnings -------------------------------------------------------------------------------- */

static int64_t count_failed(const page *p)
{
    const json_t *facts = p->from->facts;
    int64_t failed = 0;
    for (size_t i = 0; json_is_array(facts) && i < json_array_size(facts); i++) {
        failed += json_object_get(json_array_get(facts, i), "error") != NULL;
    }
    return failed;
}

/* Lines of the summary that are called so; true if there are any. */
static bool put_warning_lines(page *p, bool puts)
{
    const app_line *const *list = p->from->lines;
    bool any = false;
    for (; list != NULL && *list != NULL; list++) {
        for (const app_line *line = *list; line->name != NULL; line++) {
            char text[LINE_TEXT];
            if (strcmp(line->name, "warning") == 0 &&
                app_line_text(line, p->from->facts, p->from->others, text, sizeof text)) {
                any = true;
                page_text_in(p, puts ? "<li>" : "", puts ? text : "", puts ? "</li>\n" : "");
            }
        }
    }
    return any;
}

void page_warnings(page *p)
{
    const json_t *warnings = p->run->warnings;
    int64_t failed = count_failed(p);
    bool stopped = p->run->ending == APP_SIGNAL;
    size_t i;
    json_t *warning;
    if (json_array_size(warnings) == 0 && failed == 0 && !stopped && !put_warning_lines(p, false)) {
        return;
    }
    page_put(p, "<section id=\"warnings\" class=\"warnings\" aria-labelledby=\"warnings-heading\">"
                "<h2 id=\"warnings-heading\">Warnings</h2>\n<ul>\n");
    if (stopped) {
        page_put(p, "<li>A signal stopped the run before its end.</li>\n");
    }
    if (failed > 0) {
        page_printf(p, "<li>%lld of %zu images failed; the table below says why.</li>\n",
                    (long long)failed, json_array_size(p->from->facts));
    }
    json_array_foreach((json_t *)warnings, i, warning)
    {
        page_text_in(p, "<li>", json_string_value(warning), "</li>\n");
    }
    put_warning_lines(p, true);
    page_put(p, "</ul>\n</section>\n");
}
