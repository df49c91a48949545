#include "app/page/page_internal.h"
#include "app/report/facts.h"

#include <stdio.h>

/* Many images. */

enum { SHOWN = 40, NAME = 512, KEY = 64 };

/* Its name leads to the part about it, where there is one. */
static void put_row(page *p, const json_t *image, size_t number, bool leads)
{
    const app_column *column = p->from->images;
    const app_line first = {.text = column->text};
    char text[NAME];
    bool known = app_line_text(&first, image, NULL, text, sizeof text);
    page_put(p, "<tr><th scope=\"row\">");
    if (leads) {
        page_printf(p, "<a href=\"#image-%zu\">", number + 1);
    }
    page_text_in(p, "", known ? text : "-", leads ? "</a></th>" : "</th>");
    for (column++; column->title != NULL; column++) {
        page_cell(p, column, image, "", (int64_t)number);
    }
    page_put(p, "</tr>\n");
}

static void put_share(page *p, size_t shown)
{
    if ((int64_t)shown < p->from->count) {
        page_printf(p,
                    "<p class=\"faint\">The first %zu of %lld images; <code>--json</code> and "
                    "<code>--table</code> have all.</p>\n",
                    shown, (long long)p->from->count);
    }
}

void page_images(page *p)
{
    const json_t *images = p->from->facts;
    size_t count = json_array_size(images);
    page_put(p, "<div class=\"wide\"><table>");
    page_titles(p, p->from->images);
    page_put(p, "<tbody>\n");
    for (size_t i = 0; i < count; i++) {
        put_row(p, json_array_get(images, i), i, i < SHOWN);
    }
    page_put(p, "</tbody></table></div>\n");
    put_share(p, count);
}

void page_failed_images(page *p)
{
    static const app_column columns[] = {{"image", "{file}", -12}, {"error", "{error}", -5}, {0}};
    const app_listing listing = {
        .rows = "failed_images", .columns = columns, .note = "Others that failed."};
    const json_t *rows = app_fact(p->from->others, NULL, "failed_images");
    if (json_array_size(rows) > 0) {
        page_listing(p, &listing, rows, NULL);
    }
}

static void put_image(page *p, size_t number)
{
    const json_t *image = json_array_get(p->from->facts, number);
    const char *error = json_string_value(json_object_get(image, "error"));
    char key[KEY];
    snprintf(key, sizeof key, "%zu", number);
    page_printf(p, "<h3 id=\"image-%zu\">", number + 1);
    page_text_in(p, "", json_string_value(app_fact(image, NULL, "image.file")), "</h3>\n");
    if (error != NULL) {
        page_text_in(p, "<p><strong>No result:</strong> ", error, "</p>\n");
        return;
    }
    page_files_of_image(p, p->from->names[number], p->from->numbers[number]);
    page_put(p, "<details><summary>Its figures</summary>\n");
    page_figures_of(p, key, image);
    page_put(p, "</details>\n");
}

void page_each_image(page *p)
{
    size_t count = json_array_size(p->from->facts), shown = count < SHOWN ? count : SHOWN;
    page_begin(p, "images", "Each image");
    for (size_t i = 0; i < shown; i++) {
        put_image(p, i);
    }
    page_put_left_out(p);
    put_share(p, shown);
    page_end(p);
}
