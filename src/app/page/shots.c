#include "app/page/page_internal.h"

#include <math.h>

/* Pictures that the command has made for the page, which are in no file, with their histograms. */

enum { WIDTH = 320, HEIGHT = 56, TEXT = 16, SMALL = 240, MOST_BYTES = 12 << 20 };

static double most_of(const app_shot *shot)
{
    double most = 0;
    for (int i = 0; i < shot->bins; i++) {
        most = fmax(most, shot->counts[i]);
    }
    return most;
}

/* Heights are roots: the background, which most samples are, would leave nothing of the others. */
static void put_histogram(page *p, const app_shot *shot)
{
    double most = most_of(shot), width = (double)WIDTH / shot->bins;
    if (!(most > 0)) {
        return;
    }
    page_printf(p,
                "<svg class=\"histogram\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                "role=\"img\" aria-label=\"Histogram\"><path d=\"",
                WIDTH, HEIGHT + TEXT, WIDTH, HEIGHT + TEXT);
    for (int i = 0; i < shot->bins; i++) {
        double height = HEIGHT * sqrt(shot->counts[i] / most);
        if (height > 0) {
            page_printf(p, "M%.2f %dv%.2fh%.2fv%.2fz", i * width, HEIGHT, -height, width, height);
        }
    }
    page_printf(p,
                "\"/><line class=\"axis\" x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><text x=\"0\" "
                "y=\"%d\">",
                HEIGHT, WIDTH, HEIGHT, HEIGHT + TEXT - 3);
    page_text(p, shot->black);
    page_printf(p, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">", WIDTH, HEIGHT + TEXT - 3);
    page_text_in(p, "", shot->white, "</text></svg>\n");
}

static void put_picture(page *p, const app_shot *shot, const halo_buffer *png)
{
    bool small = shot->width <= SMALL && shot->height <= SMALL;
    int64_t larger =
        small ? 2 * SMALL / (shot->width > shot->height ? shot->width : shot->height) : 1;
    page_printf(p, "<img%s width=\"%lld\" height=\"%lld\"", small ? " class=\"dots\"" : "",
                (long long)(larger * shot->width), (long long)(larger * shot->height));
    page_text_in(p, " alt=\"", shot->title, "\" src=\"data:image/png;base64,");
    page_base64(p, png->data, png->size);
    page_put(p, "\">\n");
    p->picture_bytes += (int64_t)png->size;
}

static void put_shot(page *p, const app_shot *shot)
{
    halo_buffer png = {0};
    bool fits = p->picture_bytes < MOST_BYTES;
    page_put(p, "<figure class=\"shot\">");
    if (!fits) {
        p->pictures_left_out++;
    } else if (page_picture_encode(shot->width, shot->height, shot->greys, &png) == HALO_OK) {
        put_picture(p, shot, &png);
    }
    put_histogram(p, shot);
    page_text_in(p, "<figcaption><strong><code>", shot->title, "</code></strong>: ");
    page_text_in(p, "", shot->about, "</figcaption></figure>\n");
    halo_buffer_free(&png);
}

void page_shots(page *p)
{
    const app_shots *shots = p->run->command->shots != NULL ? p->run->command->shots(p->run) : NULL;
    if (shots == NULL || shots->count == 0) {
        return;
    }
    page_begin(p, "steps", shots->heading);
    page_text_in(p, "<p class=\"faint\">", shots->note, "</p>\n<div class=\"pictures\">\n");
    for (int i = 0; i < shots->count; i++) {
        put_shot(p, &shots->list[i]);
    }
    page_put(p, "</div>\n");
    page_put_left_out(p);
    page_end(p);
}
