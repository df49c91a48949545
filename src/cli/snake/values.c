#include "cli/snake/values.h"

#include "app/until.h"
#include "app/values.h"
#include "cli/snake/options.h"

#include <string.h>

static const double MOST_PIXELS = 1e9;

halo_status snake_parse_window(const char *text, void *into)
{
    int64_t *window = into;
    return halo_scan_integer(&text, 3, 7, window) && *text == '\0' && *window % 2 == 1
               ? HALO_OK
               : HALO_ARGUMENT;
}

halo_status snake_parse_until(const char *text, void *into)
{
    app_until until = {0};
    halo_status status = app_parse_steady_or_change(text, &until);
    *(double *)into = until.share;
    return status;
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
    bool good = app_scan_real(&text, -MOST_PIXELS, MOST_PIXELS, &init->x) && *text++ == ',' &&
                app_scan_real(&text, -MOST_PIXELS, MOST_PIXELS, &init->y) && *text++ == ',' &&
                app_scan_real(&text, 0, MOST_PIXELS, &init->radius) &&
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
                           "circle:X,Y,R or circle:X,Y,R,N: centre, radius above 0 and number of "
                           "points, such as circle:120,80,60",
                           scan_circle},
    [SNAKE_INIT_POLYGON] = {"polygon:", "polygon:FILE.csv", scan_polygon},
    [SNAKE_INIT_GRID] = {"grid:",
                         "grid:RxC or grid:RxC,N: rows and columns of circles from 1 on, and "
                         "points of each, such as grid:3x4",
                         scan_grid},
};

halo_status snake_parse_init(const char *text, void *into)
{
    snake_inits *inits = into;
    if (inits->count == SNAKE_INITS) {
        return halo_fail(HALO_ARGUMENT,
                         "it cannot be given more than %d times; put the contours into one file, "
                         "for polygon:FILE.csv",
                         SNAKE_INITS);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t name = strlen(kinds[i].name);
        if (strncmp(text, kinds[i].name, name) != 0) {
            continue;
        }
        snake_init *init = &inits->list[inits->count++];
        *init = (snake_init){.kind = (snake_init_kind)i, .text = text};
        return kinds[i].scan(text + name, init)
                   ? HALO_OK
                   : halo_fail(HALO_ARGUMENT, "it takes %s, not \"%.200s\"", kinds[i].values, text);
    }
    return halo_fail(HALO_ARGUMENT,
                     "it takes circle:X,Y,R[,N], polygon:FILE.csv or grid:RxC[,N], not \"%.200s\"",
                     text);
}
