#include "io/contour/contours_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static halo_status append(halo_buffer *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static halo_status append(halo_buffer *out, const char *format, ...)
{
    enum { PIECE = 512 };
    char text[PIECE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return halo_buffer_append(out, text, length < PIECE ? (size_t)length : PIECE - 1);
}

/* Numerator over denominator, both 0 or more, exactly: the denominator is a power of 2. */
static halo_status append_ratio(halo_buffer *out, int64_t numerator, int64_t denominator)
{
    HALO_TRY(append(out, "%" PRId64, numerator / denominator));
    int64_t rest = numerator % denominator;
    if (rest > 0) {
        HALO_TRY(append(out, "."));
    }
    for (; rest > 0; rest = 10 * rest % denominator) {
        HALO_TRY(append(out, "%" PRId64, 10 * rest / denominator));
    }
    return HALO_OK;
}

/* x and y of a point, and what is between them. */
static halo_status append_point(halo_buffer *out, const halo_contours_scene *scene, int64_t point,
                                const char *between)
{
    int64_t unit = halo_contours_unit(scene);
    HALO_TRY(append_ratio(out, scene->points[point].x, unit));
    HALO_TRY(append(out, "%s", between));
    return append_ratio(out, scene->points[point].y, unit);
}

/* ---- SVG ------------------------------------------------------------------------------------- */

/* A file's name as part of a URI, in an attribute: whatever is not plain becomes %XX. */
static halo_status append_link(halo_buffer *out, const char *name)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-_./~!$()*,;=@+";
    for (; *name != '\0'; name++) {
        HALO_TRY(append(out, strchr(plain, *name) != NULL ? "%c" : "%%%02X",
                        (unsigned)(unsigned char)*name));
    }
    return HALO_OK;
}

static halo_status append_picture(halo_buffer *out, const halo_contours_scene *scene,
                                  const char *link)
{
    if (link == NULL) {
        return HALO_OK;
    }
    HALO_TRY(append(
        out, "  <image x=\"-0.5\" y=\"-0.5\" width=\"%" PRId64 "\" height=\"%" PRId64 "\" href=\"",
        scene->width, scene->height));
    HALO_TRY(append_link(out, link));
    return append(out, "\"/>\n");
}

static halo_status append_path(halo_buffer *out, const halo_contours_scene *scene, int64_t contour)
{
    int64_t first = halo_contours_first(scene->contours, contour);
    int64_t end = halo_contours_first(scene->contours, contour + 1);
    HALO_TRY(append(out, "    <path id=\"contour-%" PRId64 "\" d=\"", contour));
    for (int64_t i = first; i < end; i++) {
        HALO_TRY(append(out, "%c", i == first ? 'M' : 'L'));
        HALO_TRY(append_point(out, scene, i, " "));
    }
    return append(out, "Z\"/>\n");
}

halo_status halo_contours_svg(halo_buffer *out, const halo_contours_scene *scene, const char *link)
{
    HALO_TRY(append(out,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64
                    "\" height=\"%" PRId64 "\" viewBox=\"-0.5 -0.5 %" PRId64 " %" PRId64 "\">\n",
                    scene->width, scene->height, scene->width, scene->height));
    HALO_TRY(append_picture(out, scene, link));
    HALO_TRY(append(out, "  <g fill=\"none\" stroke=\"#ffd400\" stroke-width=\"1.5\" "
                         "stroke-linejoin=\"round\">\n"));
    for (int64_t c = 0; c < halo_contours_count(scene->contours); c++) {
        HALO_TRY(append_path(out, scene, c));
    }
    return append(out, "  </g>\n</svg>\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static halo_status append_contour(halo_buffer *out, const halo_contours_scene *scene,
                                  int64_t contour)
{
    int64_t first = halo_contours_first(scene->contours, contour);
    int64_t end = halo_contours_first(scene->contours, contour + 1);
    int64_t area = halo_contours_double_area(scene->contours, scene->points, contour);
    int64_t unit = halo_contours_unit(scene), parts = 2 * unit * unit;
    HALO_TRY(append(out, "%s\n    {\"contour\": %" PRId64 ", \"area\": ", contour > 0 ? "," : "",
                    contour));
    HALO_TRY(append_ratio(out, area, parts));
    HALO_TRY(append(out, area % parts == 0 ? ".0, \"points\": [" : ", \"points\": ["));
    for (int64_t i = first; i < end; i++) {
        HALO_TRY(append(out, i > first ? ", [" : "["));
        HALO_TRY(append_point(out, scene, i, ", "));
        HALO_TRY(append(out, "]"));
    }
    return append(out, "]}");
}

halo_status halo_contours_json(halo_buffer *out, const halo_contours_scene *scene)
{
    HALO_TRY(append(out,
                    "{\n  \"width\": %" PRId64 ",\n  \"height\": %" PRId64 ",\n  \"contours\": [",
                    scene->width, scene->height));
    for (int64_t c = 0; c < halo_contours_count(scene->contours); c++) {
        HALO_TRY(append_contour(out, scene, c));
    }
    return append(out, "\n  ]\n}\n");
}
