#define _POSIX_C_SOURCE 200809L /* getline */
#include "app/page/page_internal.h"

#include "base/minmax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tables that the run wrote: what they begin with and, of those whose rows follow each other in
 * time, charts of their columns. */

enum {
    COLUMNS = 12,
    CHARTED = 6,
    SHOWN = 6,
    POINTS = 300,
    MOST_ROWS = 1 << 20,
    WIDTH = 330,
    HEIGHT = 150,
    LEFT = 84, /* room for numbers */
    RIGHT = 8,
    TOP = 24,
    BOTTOM = 20,
    NUMBER = 32,
    LONGEST = 9 /* characters of a number that fits */
};

typedef struct {
    char *line; /* as read, taken apart */
    size_t room;
    int count;
    bool more;           /* columns than fit */
    char *cell[COLUMNS]; /* of the line */
} csv_row;

typedef struct {
    page *p;
    csv_row titles;
    int64_t rows, step; /* every step-th row is a point */
    int points;
    double value[COLUMNS][2 * POINTS];
} csv;

/* Take a line apart; quotes go. Columns beyond the last are left out. */
static bool read_row(FILE *file, csv_row *row)
{
    row->count = 0;
    if (getline(&row->line, &row->room, file) < 0) {
        return false;
    }
    char *from = row->line, *to = row->line;
    bool quoted = false;
    row->cell[row->count++] = to;
    for (; *from != '\0' && ((*from != '\n' && *from != '\r') || quoted); from++) {
        if (*from == '"') {
            quoted = !quoted;
        } else if (*from == ',' && !quoted) {
            *to++ = '\0';
            row->more = row->count == COLUMNS;
            if (row->more) {
                return true;
            }
            row->cell[row->count++] = to;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return true;
}

/* NaN where there is none. */
static double number_of(const char *cell)
{
    char *end;
    double number = strtod(cell, &end);
    return end > cell ? number : NAN;
}

/* Every other point is dropped when there are too many. */
static void keep_point(csv *c, const csv_row *row)
{
    if (c->rows % c->step == 0) {
        if (c->points == 2 * POINTS) {
            c->points = POINTS;
            c->step *= 2;
            for (int i = 0; i < COLUMNS; i++) {
                for (int p = 0; p < POINTS; p++) {
                    c->value[i][p] = c->value[i][2 * p];
                }
            }
        }
        for (int i = 0; i < COLUMNS; i++) {
            c->value[i][c->points] = i < row->count ? number_of(row->cell[i]) : NAN;
        }
        c->points++;
    }
}

static void put_row(page *p, const csv_row *row, bool titles)
{
    page_put(p, "<tr>");
    for (int i = 0; i < row->count; i++) {
        if (titles) {
            page_title(p, row->cell[i], true);
        } else {
            page_text_in(p, "<td class=\"n\">", row->cell[i], "</td>");
        }
    }
    page_put(p, "</tr>\n");
}

typedef struct {
    double low, high;
    char low_text[NUMBER], high_text[NUMBER];
    bool flat; /* as far as these have digits */
} range;

static void shorten(char text[NUMBER], double number)
{
    if (strlen(text) > LONGEST) {
        snprintf(text, NUMBER, "%.3e", number);
    }
}

/* Values that are no numbers count for nothing. */
static range range_of(const double *value, int points)
{
    range r = {INFINITY, -INFINITY, "", "", false};
    for (int i = 0; i < points; i++) {
        if (isfinite(value[i])) {
            r.low = fmin(r.low, value[i]);
            r.high = fmax(r.high, value[i]);
        }
    }
    snprintf(r.low_text, NUMBER, "%.6g", r.low);
    snprintf(r.high_text, NUMBER, "%.6g", r.high);
    r.flat = strcmp(r.low_text, r.high_text) == 0;
    shorten(r.low_text, r.low);
    shorten(r.high_text, r.high);
    return r;
}

static void put_axes(const csv *c, int column, const range *y)
{
    const double *x = c->value[0];
    page_text_in(c->p, "<text class=\"title\" x=\"0\" y=\"14\">", c->titles.cell[column],
                 "</text>");
    page_printf(c->p,
                "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
                "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>",
                LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, LEFT, TOP, LEFT,
                HEIGHT - BOTTOM);
    if (!y->flat) {
        page_printf(c->p, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 6,
                    TOP + 9, y->high_text);
    }
    page_printf(c->p, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 6,
                HEIGHT - BOTTOM, y->low_text);
    page_printf(c->p, "<text x=\"%d\" y=\"%d\">", LEFT, HEIGHT - 5);
    page_text_in(c->p, "", c->titles.cell[0], "");
    page_printf(c->p, " %.6g</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.6g</text>", x[0],
                WIDTH - RIGHT, HEIGHT - 5, x[c->points - 1]);
}

/* The line has a gap where a value is no number. */
static void put_line(const csv *c, int column, const range *r)
{
    const double *y = c->value[column], *x = c->value[0];
    double across = (WIDTH - LEFT - RIGHT) / (x[c->points - 1] - x[0]);
    double up = r->flat ? 0 : (HEIGHT - TOP - BOTTOM) / (r->high - r->low);
    bool drawn = false;
    page_put(c->p, "<path class=\"series-line\" d=\"");
    for (int i = 0; i < c->points; i++) {
        bool known = isfinite(x[i]) && isfinite(y[i]);
        if (known) {
            page_printf(c->p, "%s%.1f %.1f", drawn ? "L" : "M", LEFT + (x[i] - x[0]) * across,
                        HEIGHT - BOTTOM - (r->flat ? 1 : (y[i] - r->low) * up));
        }
        drawn = known;
    }
    page_put(c->p, "\"/></svg>\n");
}

/* Nothing of columns without numbers. */
static void put_chart(const csv *c, int column)
{
    const range r = range_of(c->value[column], c->points);
    if (r.low > r.high) {
        return;
    }
    page_printf(c->p,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
                "aria-label=\"",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
    page_text_in(c->p, "", c->titles.cell[column], "");
    page_text_in(c->p, " over ", c->titles.cell[0], "");
    page_printf(c->p, ", from %s to %s\">", r.low_text, r.high_text);
    put_axes(c, column, &r);
    put_line(c, column, &r);
}

/* Do rows follow each other in time? */
static bool is_series(const csv *c)
{
    return c->points > 2 &&
           halo_list_has("beat|generation|step", c->titles.cell[0], strlen(c->titles.cell[0])) &&
           c->value[0][c->points - 1] > c->value[0][0];
}

static void put_all(csv *c, FILE *file, const char *path, const char *about)
{
    csv_row row = {0};
    page_text_in(c->p, "<h3><code>", path, "</code>: ");
    page_text_in(c->p, "", about, "</h3>\n<div class=\"wide\"><table><thead>");
    put_row(c->p, &c->titles, true);
    page_put(c->p, "</thead><tbody>\n");
    for (; c->rows < MOST_ROWS && read_row(file, &row); c->rows++) {
        keep_point(c, &row);
        if (c->rows < SHOWN) {
            put_row(c->p, &row, false);
        }
    }
    page_put(c->p, "</tbody></table></div>\n");
    if (c->rows > SHOWN || c->titles.more) {
        page_printf(c->p, "<p class=\"faint\">The first %lld of %s%lld rows%s.</p>\n",
                    (long long)halo_min(SHOWN, c->rows), c->rows == MOST_ROWS ? "more than " : "",
                    (long long)c->rows, c->titles.more ? ", and the first columns" : "");
    }
    if (is_series(c)) {
        page_put(c->p, "<div class=\"series\">\n");
        for (int i = 1; i < c->titles.count && i <= CHARTED; i++) {
            put_chart(c, i);
        }
        page_put(c->p, "</div>\n");
    }
    free(row.line);
}

void page_csv(page *p, const char *path, const char *about)
{
    FILE *file = fopen(path, "r");
    csv *c = file != NULL ? calloc(1, sizeof *c) : NULL;
    if (c != NULL) {
        c->p = p;
        c->step = 1;
        if (read_row(file, &c->titles)) {
            put_all(c, file, path, about);
        }
        free(c->titles.line);
    }
    free(c);
    if (file != NULL) {
        fclose(file);
    }
}
