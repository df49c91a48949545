#include "app/page/page_internal.h"
#include "app/report/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_TEXT = 40, CELL_TEXT = 512, ROWS_SHOWN = 1000, KEY_TEXT = 64 };

/* Keys that are too long for this are none of the program's. */
void page_join_key(char out[PAGE_KEY], const char *before, const char *key)
{
    size_t used = (size_t)snprintf(out, PAGE_KEY, "%s%s", before, *before != '\0' ? "." : "");
    if (used < PAGE_KEY) {
        snprintf(out + used, PAGE_KEY - used, "%s", key);
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* An element with the value itself, under its key. */
void page_put_value(page *p, const char *tag, const char *key, const json_t *value)
{
    char *text = page_value(value);
    page_printf(p, "<%s%s", tag, json_is_number(value) ? " class=\"n\"" : "");
    page_text_in(p, " data-key=\"", key, "\">");
    page_text(p, text != NULL ? text : "");
    page_printf(p, "</%s>", tag);
    free(text);
}

/* A cell may show one value of its row alone, "{key%.4f} s" or "{1e6*key}": puts the value's
 * key, and the factor it was multiplied with. */
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
    page_printf(p, "<td%s",
                column->width > 0          ? " class=\"n\""
                : strlen(text) > LONG_TEXT ? " class=\"long\""
                                           : "");
    if (known) {
        put_key(p, rows, number, column->text);
    }
    page_text_in(p, ">", known ? text : "-", "</td>");
}

void page_title(page *p, const char *title, bool number)
{
    page_put(p, number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
    while (*title != '\0') {
        char part[CELL_TEXT];
        size_t length = strcspn(title, "_");
        length += title[length] == '_';
        snprintf(part, sizeof part, "%.*s", (int)length, title);
        page_text(p, part);
        title += length;
        page_put(p, *title != '\0' ? "<wbr>" : "");
    }
    page_put(p, "</th>");
}

void page_titles(page *p, const app_column *columns)
{
    page_put(p, "<thead><tr>");
    for (; columns->title != NULL; columns++) {
        page_title(p, columns->title, columns->width > 0);
    }
    page_put(p, "</tr></thead>\n");
}

/* A long table shows its first rows only; this says how many. */
void page_put_share(page *p, size_t shown, size_t count)
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
        page_put_share(p, shown, count);
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
