#include "io/contour/contours_read.h"

#include "io/source/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COLUMNS = 16 };

static const double MAX_NUMBER = 1e15; /* a contour's number: whole ones are exact */

typedef enum { COLUMN_X, COLUMN_Y, COLUMN_CONTOUR, COLUMN_POINT, COLUMN_KINDS } column_kind;

typedef struct {
    double x, y;
} point;

typedef struct {
    const char *path;
    const halo_contours_limits *limits;
    halo_contours *contours;
    int columns;             /* of a line; 0: not known yet */
    int where[COLUMN_KINDS]; /* columns; -1: there is none */
    int64_t line;            /* from 1 */
    double contour;          /* number of the one that is being read */
    halo_buffer points;      /* its points */
} reading;

static int64_t count_points(const reading *r)
{
    return (int64_t)(r->points.size / sizeof(point));
}

static const point *points_of(const reading *r)
{
    return (const point *)(const void *)r->points.data;
}

/* ---- a contour ------------------------------------------------------------------------------- */

static halo_status add_as_it_is(reading *r, const point *points, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(halo_contours_add(r->contours, (int32_t)lrint(points[i].x),
                                   (int32_t)lrint(points[i].y)));
    }
    return HALO_OK;
}

static double length_of(const point *points, int64_t count, int64_t i)
{
    const point *a = &points[i], *b = &points[i + 1 < count ? i + 1 : 0];
    return hypot(b->x - a->x, b->y - a->y);
}

/* Points at even distances along the lines, an even number of them. */
static halo_status add_along(reading *r, const point *points, int64_t count)
{
    double length = 0, passed = 0;
    for (int64_t i = 0; i < count; i++) {
        length += length_of(points, count, i);
    }
    int64_t wanted = 2 * llrint(length / (2 * r->limits->spacing)), line = 0;
    wanted = wanted > r->limits->min ? wanted : r->limits->min;
    for (int64_t k = 0; k < wanted; k++) {
        double at = length * (double)k / (double)wanted;
        while (line + 1 < count && passed + length_of(points, count, line) < at) {
            passed += length_of(points, count, line++);
        }
        const point *a = &points[line], *b = &points[line + 1 < count ? line + 1 : 0];
        double whole = length_of(points, count, line);
        double share = whole > 0 ? fmin((at - passed) / whole, 1) : 0;
        point p = {a->x + share * (b->x - a->x), a->y + share * (b->y - a->y)};
        HALO_TRY(add_as_it_is(r, &p, 1));
    }
    return HALO_OK;
}

static halo_status end_contour(reading *r)
{
    const point *points = points_of(r);
    int64_t count = count_points(r);
    if (count == 0) {
        return HALO_OK;
    }
    const point *last = &points[count - 1];
    bool numbered = r->where[COLUMN_POINT] >= 0; /* where each is a point of its own */
    if (count > 1 && !numbered && last->x == points[0].x && last->y == points[0].y) {
        count--;
    }
    if (count < r->limits->min) {
        return halo_fail(HALO_ARGUMENT,
                         "%s: the contour before line %" PRId64 " has %" PRId64
                         " point%s, and needs %" PRId64 " at least",
                         r->path, r->line, count, count == 1 ? "" : "s", r->limits->min);
    }
    HALO_TRY(halo_contours_begin(r->contours));
    HALO_TRY(r->limits->spacing > 0 ? add_along(r, points, count) : add_as_it_is(r, points, count));
    r->points.size = 0;
    return HALO_OK;
}

/* ---- a line ---------------------------------------------------------------------------------- */

static halo_status fail_line(const reading *r, const char *text, const char *why)
{
    return halo_fail(HALO_FORMAT, "%s, line %" PRId64 ": \"%.60s\" %s", r->path, r->line, text,
                     why);
}

/* Cells of a line, cut apart in place; COLUMNS + 1 for more than COLUMNS. */
static int cut_cells(char *line, char *cells[COLUMNS])
{
    int count = 0;
    for (char *at = line + strspn(line, " \t");;) {
        size_t length = strcspn(at, ",; \t");
        char *next = at + length + strspn(at + length, " \t");
        bool separated = *next == ',' || *next == ';';
        next += separated ? 1 : 0;
        next += strspn(next, " \t");
        if (count == COLUMNS) {
            return COLUMNS + 1;
        }
        cells[count++] = at;
        bool ends = at[length] == '\0' || (*next == '\0' && !separated);
        at[length] = '\0';
        if (ends) {
            return count;
        }
        at = next;
    }
}

static bool read_number(const char *cell, double *out)
{
    char *end;
    *out = strtod(cell, &end);
    return end != cell && *end == '\0' && isfinite(*out) && fabs(*out) <= MAX_NUMBER;
}

static bool is_named(const char *cell)
{
    return (*cell >= 'a' && *cell <= 'z') || (*cell >= 'A' && *cell <= 'Z') || *cell == '"' ||
           *cell == '_';
}

static halo_status read_names(reading *r, char **cells, int count)
{
    static const char *const names[] = {"x", "y", "contour", "point"};
    for (int c = 0; c < count; c++) {
        for (int k = 0; k < COLUMN_KINDS; k++) {
            size_t length = strcspn(cells[c] + (*cells[c] == '"'), "\"");
            if (length == strlen(names[k]) &&
                strncasecmp(cells[c] + (*cells[c] == '"'), names[k], length) == 0) {
                r->where[k] = c;
            }
        }
    }
    r->columns = count;
    return r->where[COLUMN_X] >= 0 && r->where[COLUMN_Y] >= 0
               ? HALO_OK
               : fail_line(r, cells[0],
                           "begins neither a point nor a line of names with x and y among them");
}

/* A file without names. */
static halo_status guess_names(reading *r, int count)
{
    static const int guesses[][COLUMN_KINDS] = {
        [2] = {0, 1, -1, -1}, [3] = {0, 1, 2, -1}, [4] = {2, 3, 0, 1}};
    if (count < 2 || count > 4) {
        return halo_fail(HALO_FORMAT,
                         "%s, line %" PRId64
                         ": points are x,y or x,y,contour or contour,point,x,y, "
                         "and this line has %d number%s; a first line of names tells other columns",
                         r->path, r->line, count, count == 1 ? "" : "s");
    }
    memcpy(r->where, guesses[count], sizeof r->where);
    r->columns = count;
    return HALO_OK;
}

static halo_status check_inside(const reading *r, const point *p)
{
    const halo_contours_limits *limits = r->limits;
    if (lrint(p->x) >= 0 && lrint(p->x) < limits->width && lrint(p->y) >= 0 &&
        lrint(p->y) < limits->height) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "%s, line %" PRId64 ": the point x %g, y %g is outside the picture, whose "
                     "columns go from 0 to %" PRId64 " and rows from 0 to %" PRId64,
                     r->path, r->line, p->x, p->y, limits->width - 1, limits->height - 1);
}

static halo_status read_point(reading *r, char **cells, int count)
{
    double values[COLUMN_KINDS] = {0};
    if (count != r->columns) {
        return halo_fail(HALO_FORMAT,
                         "%s, line %" PRId64 ": this line has %d value%s, and those before it %d",
                         r->path, r->line, count, count == 1 ? "" : "s", r->columns);
    }
    for (int k = 0; k < COLUMN_KINDS; k++) {
        if (r->where[k] >= 0 && !read_number(cells[r->where[k]], &values[k])) {
            return fail_line(r, cells[r->where[k]], "is no number");
        }
    }
    point p = {values[COLUMN_X], values[COLUMN_Y]};
    HALO_TRY(check_inside(r, &p));
    if (values[COLUMN_CONTOUR] != r->contour) {
        HALO_TRY(end_contour(r));
    }
    r->contour = values[COLUMN_CONTOUR];
    return halo_buffer_append(&r->points, &p, sizeof p);
}

/* Has it characters that no table has? */
static bool is_binary(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)line[i] < ' ' && line[i] != '\t' && line[i] != '\r') {
            return true;
        }
    }
    return false;
}

/* `line` is the reader's own, and ends with 0. */
static halo_status read_line(reading *r, char *line)
{
    char *cells[COLUMNS];
    line[strcspn(line, "\r")] = '\0';
    if (line[strspn(line, " \t")] == '\0') {
        return end_contour(r);
    }
    if (*line == '#') {
        return HALO_OK;
    }
    int count = cut_cells(line, cells);
    if (count > COLUMNS) {
        return fail_line(r, line, "begins a line of more than 16 values");
    }
    if (r->columns == 0) {
        if (is_named(cells[0])) {
            return read_names(r, cells, count);
        }
        HALO_TRY(guess_names(r, count));
    }
    return read_point(r, cells, count);
}

static halo_status read_lines(reading *r, const char *text, size_t bytes)
{
    enum { LINE = 1024 };
    static const char mark[] = "\xEF\xBB\xBF"; /* which spreadsheets write before UTF-8 */
    char line[LINE];
    bool marked = bytes >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0;
    for (size_t at = marked ? strlen(mark) : 0; at < bytes;) {
        const char *end = memchr(text + at, '\n', bytes - at);
        size_t length = end != NULL ? (size_t)(end - text) - at : bytes - at;
        r->line++;
        if (length >= LINE || is_binary(text + at, length)) {
            return halo_fail(HALO_FORMAT, "%s, line %" PRId64 ": this is no table of points",
                             r->path, r->line);
        }
        memcpy(line, text + at, length);
        line[length] = '\0';
        HALO_TRY(read_line(r, line));
        at += length + 1;
    }
    r->line++;
    return end_contour(r);
}

halo_status halo_contours_parse(const char *path, const char *text, size_t bytes,
                                const halo_contours_limits *limits, halo_contours *contours)
{
    reading r = {.path = path, .limits = limits, .contours = contours, .where = {-1, -1, -1, -1}};
    int64_t before = halo_contours_count(contours);
    halo_status status = read_lines(&r, text, bytes);
    halo_buffer_free(&r.points);
    if (status == HALO_OK && halo_contours_count(contours) == before) {
        status = halo_fail(HALO_FORMAT, "%s: there are no points in this file", path);
    }
    return status;
}

/* All of a file. */
static halo_status read_text(halo_source *source, halo_buffer *text)
{
    const unsigned char *bytes;
    for (size_t taken; (taken = halo_source_take(source, SIZE_MAX, &bytes)) > 0;) {
        HALO_TRY(halo_buffer_append(text, bytes, taken));
    }
    return source->status;
}

halo_status halo_contours_read(const char *path, const halo_contours_limits *limits,
                               halo_contours *contours)
{
    halo_source source;
    halo_buffer text = {0};
    halo_status status;
    HALO_TRY_OR(done, halo_source_open(&source, path, NULL, 0, false));
    HALO_TRY_OR(done, halo_source_begin_text(&source));
    HALO_TRY_OR(done, read_text(&source, &text));
    status = halo_contours_parse(path, (const char *)text.data, text.size, limits, contours);
done:
    halo_source_close(&source);
    halo_buffer_free(&text);
    return status;
}
