#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#include "app/batch/batch.h"
#include "app/page/page_internal.h"
#include "app/report/facts.h"
#include "app/report/json_text.h"

#include "app/report/report.h"
#include "base/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TITLE = 512, TIME = 64 };

/* ---- the frame ------------------------------------------------------------------------------- */

/* The first word of the command line that is no option, or the kernel, or NULL. */
static const char *subject_of(const page *p)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(p->run->command->syntax, &at)) != NULL;) {
        const char *field = (const char *)p->run->options + at.offset;
        if ((row->flags & APP_ARGUMENT) != 0 && app_was_given(p->run, field)) {
            return app_given_text(p->run->given, field);
        }
    }
    return json_string_value(app_fact(p->from->facts, NULL, "kernel"));
}

/* "halobeat label: data/brick.png" */
static void find_title(const page *p, char title[TITLE])
{
    const app_inputs *inputs = &p->run->arguments->image;
    const char *subject = app_batch_of(p->run) != NULL ? "many images"
                          : inputs->count > 0          ? inputs->first
                                                       : subject_of(p);
    int used = snprintf(title, TITLE, "%s%s%s", p->run->program, subject != NULL ? ": " : "",
                        subject != NULL ? subject : "");
    if (app_batch_of(p->run) == NULL && inputs->count > 1 && used < TITLE) {
        snprintf(title + used, TITLE - (size_t)used, " and %lld more",
                 (long long)inputs->count - 1);
    }
}

static void put_links(page *p, const page *body)
{
    page_put(p, "<nav aria-label=\"Sections\"><ul>");
    for (int i = 0; i < body->sections; i++) {
        page_printf(p, "<li><a href=\"#%s\">%s</a></li>", body->section[i][0], body->section[i][1]);
    }
    page_put(p, "</ul></nav>\n");
}

static void put_head(page *p, const page *body)
{
    char title[TITLE], when[TIME];
    time_t now = time(NULL);
    struct tm parts;
    find_title(p, title);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
    page_put(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; img-src data:; media-src data:\">\n"
                "<meta name=\"generator\" content=\"halobeat " HALOBEAT_VERSION "\">\n");
    page_text_in(p, "<title>", title, "</title>\n");
    page_put(p, "<style>\n");
    for (int i = 0; page_style[i] != NULL; i++) {
        page_put(p, page_style[i]);
    }
    page_text_in(p, "</style>\n</head>\n<body>\n<header>\n<h1>", title, "</h1>\n");
    int ranks = halo_world_ranks(p->run->world);
    page_printf(p,
                "<p class=\"faint\">%s &middot; halobeat " HALOBEAT_VERSION " &middot; %d rank%s",
                when, ranks, ranks == 1 ? "" : "s");
    if (p->run->seconds > 0) {
        page_printf(p, " &middot; %.4g s", p->run->seconds);
    }
    page_put(p, "</p>\n");
    put_links(p, body);
    page_put(p, "</header>\n<main>\n");
}

/* A script that is data is never run; what could end it, or begin another, is written in another
 * way. */
static void put_json(page *p, const json_t *facts)
{
    char *text = app_json_text(facts, JSON_INDENT(1));
    if (text == NULL && p->status == HALO_OK) {
        p->status = halo_fail(HALO_MEMORY, "out of memory: the page of the report");
    }
    page_put(p, "<script type=\"application/json\" id=\"report\">");
    for (char *at = text; at != NULL && *at != '\0';) {
        size_t plain = strcspn(at, "<");
        char mark = at[plain];
        at[plain] = '\0';
        page_put(p, at);
        at += plain;
        if (mark != '\0') {
            page_put(p, "\\u003c");
            at++;
        }
    }
    page_put(p, "</script>\n");
    free(text);
}

/* ---------------------------------------------------------------------------------------------- */

/* All sections. */
static void put_body(page *p)
{
    bool many = json_is_array(p->from->facts);
    page_warnings(p);
    page_requested(p);
    page_begin(p, "result", "What came of it");
    page_lines(p);
    if (many) {
        page_images(p);
        page_failed_images(p);
    }
    page_listings(p);
    page_end(p);
    page_files(p);
    page_shots(p);
    page_times(p);
    if (many) {
        page_each_image(p);
    } else {
        page_boundaries(p);
        page_figures(p);
    }
    page_defaults(p);
}

/* The body comes first, since the head has links to what is in it. */
static void put_page(page *p)
{
    page body = {.run = p->run, .from = p->from};
    put_body(&body);
    put_head(p, &body);
    p->status = halo_status_first(p->status, body.status);
    HALO_IF_OK(p->status, halo_buffer_append(&p->text, body.text.data, body.text.size));
    halo_buffer_free(&body.text);
    page_put(p, "</main>\n");
    put_json(p, p->from->facts);
    page_put(p, "</body>\n</html>\n");
}

static halo_status write_page(app_run *run, const app_page *from)
{
    page p = {.run = run, .from = from};
    const char *path = run->arguments->common.report;
    if (path == NULL) {
        return HALO_OK;
    }
    if (app_is_root(run)) {
        put_page(&p);
    }
    halo_status status = report_save_text(run->world, path, p.status, &p.text);
    halo_buffer_free(&p.text);
    return status;
}

const app_service app_page_service = {.report = write_page};
