#include "cli/snake/values.h"

#include "io/contour/contours_write.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_PIXELS = 1e9;

/* Read a number at *text, in digits as people write them, and move *text behind it. */
static bool scan_real(const char **text, double least, double most, double *out)
{
    /* strtod takes blanks, infinities and hexadecimal digits as well. */
    size_t digits = strspn(*text, "0123456789.-+eE");
    if (digits == 0 || **text == '+') {
        return false;
    }
    char *end;
    errno = 0;
    double value = strtod(*text, &end);
    if (end == *text || end > *text + digits || errno != 0 || !isfinite(value) || value < least ||
        value > most) {
        return false;
    }
    *out = value;
    *text = end;
    return true;
}

error_t snake_parse_real(const arguments_parse *parse, const char *option, const char *what,
                         const char *text, double least, double most, double *out)
{
    const char *end = text;
    if (!scan_real(&end, least, most, out) || *end != '\0') {
        return arguments_complain(parse, "--%s takes %s, not \"%s\"", option, what, text);
    }
    return 0;
}

error_t snake_parse_share(const arguments_parse *parse, const char *option, const char *text,
                          double *out)
{
    const char *end = text;
    double value;
    bool good = scan_real(&end, 0, 100, &value);
    bool percent = good && *end == '%';
    if (!good || end[percent] != '\0' || (!percent && value > 1)) {
        return arguments_complain(
            parse, "--%s takes a share from 0 to 1, or from 0%% to 100%%, not \"%s\"", option,
            text);
    }
    *out = percent ? value / 100 : value;
    return 0;
}

error_t snake_parse_png(const arguments_parse *parse, const char *option, const char *path,
                        const char **out)
{
    *out = path;
    return arguments_ends_with(path, ".png")
               ? 0
               : arguments_complain(parse, "--%s takes a name ending in .png, not \"%s\"", option,
                                    path);
}

error_t snake_parse_output(const arguments_parse *parse, const char *path)
{
    halo_contours_format format;
    ((snake_arguments *)parse->into)->output = path;
    return halo_contours_format_from_path(path, &format) == HALO_OK
               ? 0
               : arguments_complain(
                     parse, "-o takes a name ending in .csv, .json or .svg, not \"%s\"", path);
}

/* ---- contours to begin with ---------------------------------------------------------------------
 */

/* ",N" at *text, or nothing. */
static bool scan_points(const char **text, int64_t *points)
{
    if (**text != ',') {
        return true;
    }
    (*text)++;
    return halo_scan_integer(text, 1, INT32_MAX, points);
}

/* X,Y,R[,N] */
static bool scan_circle(const char *text, snake_init *init)
{
    bool good = scan_real(&text, -MOST_PIXELS, MOST_PIXELS, &init->x) && *text++ == ',' &&
                scan_real(&text, -MOST_PIXELS, MOST_PIXELS, &init->y) && *text++ == ',' &&
                scan_real(&text, 0, MOST_PIXELS, &init->radius) &&
                scan_points(&text, &init->points);
    return good && *text == '\0' && init->radius > 0;
}

static bool scan_polygon(const char *text, snake_init *init)
{
    init->path = text;
    return *text != '\0';
}

/* RxC[,N] */
static bool scan_grid(const char *text, snake_init *init)
{
    bool good = halo_scan_integer(&text, 1, INT32_MAX, &init->rows) && *text++ == 'x' &&
                halo_scan_integer(&text, 1, INT32_MAX, &init->columns) &&
                scan_points(&text, &init->points);
    return good && *text == '\0';
}

static const struct {
    const char *name, *values;
    bool (*scan)(const char *text, snake_init *init);
} kinds[] = {
    [SNAKE_INIT_CIRCLE] = {"circle:",
                           "circle:X,Y,R or circle:X,Y,R,N: centre, radius above 0 and "
                           "number of points, as in circle:120,80,60",
                           scan_circle},
    [SNAKE_INIT_POLYGON] = {"polygon:", "polygon:FILE.csv", scan_polygon},
    [SNAKE_INIT_GRID] = {"grid:",
                         "grid:RxC or grid:RxC,N: rows and columns of circles from 1 on, "
                         "and points of each, as in grid:3x4",
                         scan_grid},
};

error_t snake_parse_init(const arguments_parse *parse, const char *text)
{
    snake_arguments *into = parse->into;
    if (into->init_count == SNAKE_INITS) {
        return arguments_complain(parse,
                                  "--init is given more than %d times; put the contours into one "
                                  "file, for polygon:FILE.csv",
                                  SNAKE_INITS);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t name = strlen(kinds[i].name);
        if (strncmp(text, kinds[i].name, name) != 0) {
            continue;
        }
        snake_init init = {.kind = (snake_init_kind)i, .text = text};
        if (!kinds[i].scan(text + name, &init)) {
            return arguments_complain(parse, "--init takes %s, not \"%s\"", kinds[i].values, text);
        }
        into->inits[into->init_count++] = init;
        return 0;
    }
    return arguments_complain(
        parse, "--init takes circle:X,Y,R[,N], polygon:FILE.csv or grid:RxC[,N], not \"%s\"", text);
}
