#include "app/options/kept.h"
#include "app/page/page_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* The page's section of options. */

/* An option that was given several times, each on its own line. */
static void put_each(page *p, const json_t *values)
{
    size_t i;
    json_t *value;
    page_put(p, "<td>");
    json_array_foreach((json_t *)values, i, value)
    {
        char *text = page_value(value);
        page_text_in(p, i > 0 ? "<br>" : "", text != NULL ? text : "", "");
        free(text);
    }
    page_put(p, json_array_size(values) > 0 ? "</td>" : "-</td>");
}

static void put_option(page *p, const app_place *at, const json_t *values, bool given)
{
    const halo_option *row = at->row;
    const json_t *value = json_object_get(values, app_option_key(row));
    bool reported = json_object_get(p->from->facts, "arguments") != NULL;
    char key[PAGE_KEY], brief[PAGE_BRIEF];
    snprintf(key, sizeof key, "arguments.%s", app_option_key(row));
    if (app_was_given(p->run, (const char *)p->run->options + at->offset) != given) {
        return;
    }
    page_text_in(p, "<tr><th scope=\"row\"><code>--", row->name, "</code></th>");
    if (json_is_array(value)) {
        put_each(p, value);
    } else if (!reported) {
        char *text = page_value(value);
        page_text_in(p, "<td>", text != NULL ? text : "", "</td>");
        free(text);
    } else {
        page_put_value(p, "td", key, value);
    }
    page_brief(row->help, brief);
    page_text_in(p, "<td class=\"faint long\">", brief, "</td></tr>\n");
}

static void put_options(page *p, const json_t *values, bool given)
{
    app_place at = {0};
    page_put(p, "<div class=\"wide\"><table class=\"options\"><thead><tr><th "
                "scope=\"col\">option</th>"
                "<th scope=\"col\">value</th><th scope=\"col\">what it says</th></tr></thead>"
                "<tbody>\n");
    for (const halo_option *row; (row = app_next_row(p->run->command->syntax, &at)) != NULL;) {
        if (app_is_shown(row)) {
            put_option(p, &at, values, given);
        }
    }
    page_put(p, "</tbody></table></div>\n");
}

void page_requested(page *p)
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
