#include "app/page/page_internal.h"

#include <stdio.h>
#include <string.h>

/* All values of the JSON. */

enum {
    FIGURE_ROWS = 200, /* of an array */
    NUMBER_TEXT = 24,
    NESTED = 4,      /* levels within a row */
    NESTED_ROWS = 64 /* of each */
};

static void put_figure(page *p, const char *key, const json_t *value)
{
    page_text_in(p, "<tr><th scope=\"row\"><code>", key, "</code></th>");
    page_put_value(p, "td", key, value);
    page_put(p, "</tr>\n");
}

/* Numbers and texts one after the other, each under its key. */
static void put_values(page *p, const char *path, const json_t *values)
{
    size_t i;
    json_t *value;
    page_text_in(p, "<tr><th scope=\"row\"><code>", path, "</code></th><td>");
    json_array_foreach((json_t *)values, i, value)
    {
        char number[NUMBER_TEXT], key[PAGE_KEY];
        snprintf(number, sizeof number, "%zu", i);
        page_join_key(key, path, number);
        page_put(p, i > 0 ? ", " : "");
        if (i == FIGURE_ROWS) {
            page_put(p, "...");
            break;
        }
        page_put_value(p, "span", key, value);
    }
    page_put(p, "</td></tr>\n");
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
        page_join_key(path, before, key);
        if (json_is_object(value) && strcmp(path, "arguments") != 0) {
            put_figures(p, path, value);
        } else if (json_is_array(value) && !json_is_object(json_array_get(value, 0))) {
            put_values(p, path, value);
        } else if (!json_is_array(value) && !json_is_object(value)) {
            put_figure(p, path, value);
        }
    }
}

/* Puts the names and values of an object within a row, one after the other. */
static void put_nested(page *p, const char *path, const json_t *value, int depth)
{
    char key[PAGE_KEY];
    if (json_is_array(value) && depth < NESTED) {
        for (size_t i = 0; i < json_array_size(value) && i < NESTED_ROWS; i++) {
            char number[NUMBER_TEXT];
            snprintf(number, sizeof number, "%zu", i);
            page_join_key(key, path, number);
            page_put(p, i > 0 ? "<br>" : "");
            put_nested(p, key, json_array_get(value, i), depth + 1);
        }
    } else if (json_is_object(value) && depth < NESTED) {
        const char *name, *between = "";
        json_t *inner;
        json_object_foreach((json_t *)value, name, inner)
        {
            page_join_key(key, path, name);
            page_text_in(p, between, name, " ");
            put_nested(p, key, inner, depth + 1);
            between = ", ";
        }
    } else {
        page_put_value(p, "span", path, value);
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
        page_join_key(of_row, path, number_text);
        page_join_key(key, of_row, title);
        if (json_is_object(value) || json_is_array(value)) {
            page_put(p, "<td>");
            put_nested(p, key, value, 0);
            page_put(p, "</td>");
        } else {
            page_put_value(p, "td", key, value);
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
    page_put_share(p, shown, count);
    page_put(p, "</caption><thead><tr>");
    json_object_foreach((json_t *)first, title, value)
    {
        page_title(p, title, json_is_number(value));
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
        page_join_key(path, before, key);
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
