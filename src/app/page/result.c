#include "app/beats.h"
#include "app/page/page_internal.h"
#include "app/report/facts.h"

#include <stdio.h>
#include <string.h>

/* The page's section of results and warnings. */

enum { LINE_TEXT = 1024 };

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

/* ---- warnings -------------------------------------------------------------------------------- */

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
    int64_t failed = p->from->failed;
    bool stopped = p->run->loop->ending == APP_SIGNAL || p->from->stopped;
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
        page_printf(p, "<li>%lld of %lld images failed; the table below says why.</li>\n",
                    (long long)failed, (long long)p->from->count);
    }
    json_array_foreach((json_t *)warnings, i, warning)
    {
        page_text_in(p, "<li>", json_string_value(warning), "</li>\n");
    }
    put_warning_lines(p, true);
    page_put(p, "</ul>\n</section>\n");
}
