#define _POSIX_C_SOURCE 200809L
#include "app/page/page_internal.h"

#include "app/batch/batch.h"
#include "app/batch/names.h"
#include "app/frame_internal.h"
#include "app/outputs.h"
#include "base/names.h"
#include "base/standard.h"

#include <string.h>
#include <sys/stat.h>

enum { INPUTS_SHOWN = 4 };

/* Files of the run: pictures of them, and the list of those that were written. */

/* The path of an output; NULL: it has none, or the row is none. */
static const char *path_in(const app_run *run, const app_place *at)
{
    const char *path = NULL;
    if (at->row->type == HALO_OPTION_OUTPUT) {
        memcpy(&path, (const char *)run->options + at->offset, sizeof path);
    }
    return path;
}

static bool is_file(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

/* Names with places for numbers, of which there are many files, and reports are shown by nothing
 * but their names. */
static bool may_be_shown(const app_run *run, const halo_option *row, const char *path)
{
    const common_arguments *common = &run->arguments->common;
    return path != common->json && path != common->report && !halo_is_standard(path) &&
           strchr(path, '%') == NULL && !batch_name_varies(path) &&
           ((row->flags & APP_CHECKED) == 0 || is_file(path));
}

static page_kind kind_of(const halo_option *row)
{
    return (row->flags & APP_PLOT) != 0     ? PAGE_PLOT
           : (row->flags & APP_LABELS) != 0 ? PAGE_LABELS
                                            : PAGE_PICTURE;
}

/* Puts the first files of a sequence. A pattern of names is no file, and is not shown. */
static void put_inputs(page *p, const app_inputs *inputs)
{
    for (int64_t i = 0; i < inputs->count && i < INPUTS_SHOWN; i++) {
        page_picture(p, inputs->list[i], "The input", PAGE_PICTURE);
    }
}

static void put_pictures(page *p, const app_run *run)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        const char *path = path_in(run, &at);
        if (path != NULL && may_be_shown(run, row, path) && !app_file_is_lost(run, &at)) {
            char brief[PAGE_BRIEF];
            page_brief(row->help, brief);
            page_picture(p, path, brief, kind_of(row));
        }
    }
}

static void put_tables(page *p, const app_run *run)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        const char *path = path_in(run, &at);
        if (path != NULL && may_be_shown(run, row, path) && halo_name_ends(path, ".csv") &&
            !app_file_is_lost(run, &at)) {
            char brief[PAGE_BRIEF];
            page_brief(row->help, brief);
            page_csv(p, path, brief);
        }
    }
}

static void put_size(page *p, const char *path)
{
    struct stat file;
    page_put(p, "<td class=\"n\">");
    if (!halo_is_standard(path) && is_file(path) && stat(path, &file) == 0) {
        page_printf(p, "%lld bytes", (long long)file.st_size);
    }
    page_put(p, "</td>");
}

static void put_list(page *p)
{
    app_place at = {0};
    page_put(p, "<div class=\"wide\"><table><thead><tr><th scope=\"col\">file</th>"
                "<th scope=\"col\" class=\"n\">size</th><th scope=\"col\">option</th>"
                "<th scope=\"col\">what it is</th></tr></thead><tbody>\n");
    for (const halo_option *row; (row = app_next_row(p->run->command->syntax, &at)) != NULL;) {
        const char *path = path_in(p->run, &at);
        if (path != NULL && path != p->run->arguments->common.report) {
            bool lost = app_file_is_lost(p->run, &at);
            page_text_in(p, "<tr><th scope=\"row\"><code>",
                         halo_is_standard(path) ? "standard output" : path, "</code></th>");
            put_size(p, path);
            page_text_in(p, "<td><code>--", row->name, "</code></td>");
            char brief[PAGE_BRIEF];
            page_brief(row->help, brief);
            page_text_in(p,
                         lost ? "<td class=\"long\"><strong>could not be written:</strong> "
                              : "<td class=\"long\">",
                         brief, "</td></tr>\n");
        }
    }
    page_put(p, "</tbody></table></div>\n");
}

static bool writes_any(const app_run *run)
{
    app_place at = {0};
    bool any = false;
    for (const halo_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        const char *path = path_in(run, &at);
        any = any || (path != NULL && path != run->arguments->common.report);
    }
    return any;
}

void page_files(page *p)
{
    const app_run *run = p->run;
    const app_inputs *inputs = &run->arguments->image;
    bool reads = inputs->count > 0 && app_batch_of(run) == NULL && !run->arguments->stack &&
                 !halo_is_standard(inputs->first);
    bool writes = writes_any(run);
    if (!reads && !writes) {
        return;
    }
    page_begin(p, "files", "Pictures and files");
    page_put(p, "<div class=\"pictures\">\n");
    if (reads) {
        put_inputs(p, inputs);
    }
    put_pictures(p, run);
    page_put(p, "</div>\n");
    page_put_left_out(p);
    put_tables(p, run);
    if (writes) {
        put_list(p);
    }
    page_end(p);
}

void page_files_of_image(page *p, const char *image, int64_t number)
{
    const app_output *output = p->run->command->outputs;
    page_put(p, "<div class=\"pictures\">\n");
    page_picture(p, image, "The input", PAGE_THUMBNAIL);
    for (; output != NULL && output->phase != NULL; output++) {
        const char *pattern = app_output_path(p->run, output);
        char path[BATCH_NAME_SIZE];
        if (pattern != NULL && batch_name_varies(pattern) &&
            batch_name_print(pattern, image, number, path) == HALO_OK) {
            page_picture(p, path, NULL,
                         app_output_has_labels(p->run, output) ? PAGE_THUMBNAIL_OF_LABELS
                                                               : PAGE_THUMBNAIL);
        }
    }
    page_put(p, "</div>\n");
}

void page_put_left_out(page *p)
{
    if (p->pictures_left_out > 0) {
        page_printf(p,
                    "<p class=\"faint\">%lld more picture%s left out, so that the page stays "
                    "small.</p>\n",
                    (long long)p->pictures_left_out, p->pictures_left_out == 1 ? " is" : "s are");
    }
    p->pictures_left_out = 0;
}
