#include "io/canvas/canvas.h"

#include "base/minmax.h"
#include "io/canvas/whole_root.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    ONE = HALO_CANVAS_ONE,
    HALF = ONE / 2,
    MAX_WIDTH = 1024 * ONE,
    MAX_SIDE = 1 << 28, /* a side of a line's box: products of two stay far below 2^63 */
    MITRE = 3           /* how far a rim's corner at a head's tip is from the tip, in rims */
};

/* Rounded down, also of negative numbers. */
static int64_t pixel_of(int64_t place)
{
    return place >= 0 ? place / ONE : -((-place + ONE - 1) / ONE);
}

/* ---- whole pixels -------------------------------------------------------------------------- */

static unsigned char *pixel_at(const halo_canvas *canvas, int64_t x, int64_t y)
{
    return canvas->pixels + (size_t)(y - canvas->first_row) * canvas->pitch + 3 * (size_t)x;
}

/* `share` of ONE of the way to a colour. */
static void blend(unsigned char *pixel, const unsigned char colour[3], int64_t share)
{
    for (int c = 0; c < 3; c++) {
        int64_t mixed = pixel[c] * (ONE - share) + colour[c] * share;
        pixel[c] = (unsigned char)((mixed + HALF) / ONE);
    }
}

void halo_canvas_fill(const halo_canvas *canvas, const unsigned char colour[3])
{
    halo_canvas_mix(canvas, colour, ONE);
}

void halo_canvas_mix(const halo_canvas *canvas, const unsigned char colour[3], int share)
{
    for (int64_t y = canvas->first_row; y < canvas->first_row + canvas->rows; y++) {
        for (int64_t x = 0; x < canvas->width; x++) {
            blend(pixel_at(canvas, x, y), colour, share);
        }
    }
}

/* A sample brought to 0 to 255. Nearly all pictures have one of two maxima, for which no division
 * is needed. */
static unsigned char level_of(int64_t sample, int64_t maximum)
{
    enum { BYTE = 255, WORD = 65535 };
    int64_t value = halo_min(sample, maximum);
    return (unsigned char)(maximum == BYTE   ? value
                           : maximum == WORD ? (value * BYTE + WORD / 2) / WORD
                                             : (value * BYTE + maximum / 2) / maximum);
}

/* `count` samples of 8 or 16 bits, brought to 0 to 255, each `copies` times. */
static void fill_row(unsigned char *out, const void *row, int bits, int64_t maximum, int64_t count,
                     size_t copies)
{
    for (int64_t i = 0; i < count; i++, out += copies) {
        int64_t sample = bits == 8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
        memset(out, level_of(sample, maximum), copies);
    }
}

void halo_canvas_fill_picture(const halo_canvas *canvas, const void *picture, size_t pitch,
                              int bits, int64_t maximum)
{
    bool colour = bits > 16;
    for (int64_t i = 0; i < canvas->rows; i++) {
        const void *row = (const char *)picture + (size_t)i * pitch;
        unsigned char *out = canvas->pixels + (size_t)i * canvas->pitch;
        if (colour) {
            fill_row(out, row, bits / 3, maximum, 3 * canvas->width, 1);
        } else {
            fill_row(out, row, bits, maximum, canvas->width, 3);
        }
    }
}

/* ---- shapes by distance -------------------------------------------------------------------- */

/* A line, its ends in the order of rows, so that it is the same one drawn either way. */
typedef struct {
    halo_canvas_point from, to;
    int64_t dx, dy;
    int64_t square; /* of the length */
    int64_t scaled; /* the length times 2^lift: 31 bits of it, for short lines too */
    int lift;
} segment;

static segment segment_of(halo_canvas_point from, halo_canvas_point to)
{
    segment s = {.from = from, .to = to};
    if (to.y < from.y || (to.y == from.y && to.x < from.x)) {
        s.from = to;
        s.to = from;
    }
    s.dx = s.to.x - s.from.x;
    s.dy = s.to.y - s.from.y;
    s.square = s.dx * s.dx + s.dy * s.dy;
    while (s.square > 0 && s.square << (2 * s.lift) < INT64_C(1) << 60) {
        s.lift++;
    }
    s.scaled = halo_whole_root(s.square << (2 * s.lift));
    return s;
}

/* How far a point is from the endless line, to the left of the way from `from` to `to` as seen on
 * the screen; less than 0 on the right. Both are near each other, or this is too large. */
static int64_t side_distance(const segment *s, int64_t x, int64_t y)
{
    int64_t cross = s->dy * (x - s->from.x) - s->dx * (y - s->from.y);
    int64_t apart = (llabs(cross) << s->lift) / s->scaled;
    return cross < 0 ? -apart : apart;
}

static int64_t point_distance(halo_canvas_point a, int64_t x, int64_t y)
{
    return halo_whole_root((x - a.x) * (x - a.x) + (y - a.y) * (y - a.y));
}

static int64_t segment_distance(const segment *s, int64_t x, int64_t y)
{
    int64_t along = s->dx * (x - s->from.x) + s->dy * (y - s->from.y);
    return along <= 0           ? point_distance(s->from, x, y)
           : along >= s->square ? point_distance(s->to, x, y)
                                : llabs(side_distance(s, x, y));
}

/* The triangle of an arrow's head, its corners in the order of the clock on the screen. */
typedef struct {
    segment sides[3];
    int64_t turned[3]; /* -1 where the segment runs the other way than the triangle */
} triangle;

/* Distance to the nearest side; less than 0 inside. */
static int64_t triangle_distance(const triangle *t, int64_t x, int64_t y)
{
    int64_t max = INT64_MIN;
    for (int i = 0; i < 3; i++) {
        max = halo_max(max, t->turned[i] * side_distance(&t->sides[i], x, y));
    }
    return max;
}

/* Either kind, and what is drawn of it: all within `reach`. */
typedef struct {
    const segment *line;    /* or NULL */
    const triangle *filled; /* or NULL */
    int64_t radius;         /* around it */
    const unsigned char *colour;
} shape;

static void draw_run(const halo_canvas *canvas, const shape *s, int64_t row, int64_t left,
                     int64_t right)
{
    int64_t last = halo_min(right, canvas->width - 1);
    for (int64_t x = halo_max(left, 0); x <= last; x++) {
        int64_t distance = s->line != NULL ? segment_distance(s->line, x * ONE, row * ONE)
                                           : triangle_distance(s->filled, x * ONE, row * ONE);
        int64_t share = halo_min(s->radius + HALF - distance, ONE);
        if (share > 0) {
            blend(pixel_at(canvas, x, row), s->colour, share);
        }
    }
}

/* Rows of the canvas that a shape from `top` to `bottom` reaches. */
static void row_range(const halo_canvas *canvas, int64_t top, int64_t bottom, int64_t *first,
                      int64_t *last)
{
    *first = halo_max(pixel_of(top), canvas->first_row);
    *last = halo_min(pixel_of(bottom) + 1, canvas->first_row + canvas->rows - 1);
}

/* Column of the line at height y, which is between its ends. */
static int64_t column_at(const segment *s, int64_t y)
{
    return s->from.x + s->dx * (y - s->from.y) / s->dy;
}

/* Only the part of the line that is within reach of a row matters to it. */
static void draw_segment(const halo_canvas *canvas, const segment *s, int64_t radius,
                         const unsigned char *colour)
{
    const shape drawn = {.line = s, .radius = radius, .colour = colour};
    int64_t reach = radius + ONE, first, last;
    row_range(canvas, s->from.y - reach, s->to.y + reach, &first, &last);
    for (int64_t row = first; row <= last; row++) {
        int64_t above = halo_max(row * ONE - reach, s->from.y);
        int64_t below = halo_min(row * ONE + reach, s->to.y);
        if (above <= below) {
            int64_t a = s->dy == 0 ? s->from.x : column_at(s, above);
            int64_t b = s->dy == 0 ? s->to.x : column_at(s, below);
            draw_run(canvas, &drawn, row, pixel_of(halo_min(a, b) - reach),
                     pixel_of(halo_max(a, b) + reach) + 1);
        }
    }
}

/* Draw a line; one too long for the integer arithmetic is halved. */
static void draw_line(const halo_canvas *canvas, halo_canvas_point from, halo_canvas_point to,
                      int64_t radius, const unsigned char *colour)
{
    int64_t top = halo_min(from.y, to.y) - radius - ONE;
    int64_t bottom = halo_max(from.y, to.y) + radius + ONE;
    int64_t left = halo_min(from.x, to.x) - radius - ONE;
    int64_t right = halo_max(from.x, to.x) + radius + ONE;
    if (bottom < canvas->first_row * ONE || right < 0 || left > canvas->width * ONE ||
        top > (canvas->first_row + canvas->rows) * ONE) {
        return;
    }
    if (llabs(to.x - from.x) > MAX_SIDE || llabs(to.y - from.y) > MAX_SIDE) {
        halo_canvas_point middle = {from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2};
        draw_line(canvas, from, middle, radius, colour);
        draw_line(canvas, middle, to, radius, colour);
        return;
    }
    segment s = segment_of(from, to);
    draw_segment(canvas, &s, radius, colour);
}

/* ---- what pens draw ------------------------------------------------------------------------ */

/* Rims come first: the same shapes, wider. */
typedef struct {
    int64_t radius;
    const unsigned char *colour;
} pass;

enum { PASSES = 2 };

/* The passes of something that has `radius`; returns the first one that is to be drawn. */
static int passes_of(const halo_canvas_pen *pen, int64_t radius, pass passes[PASSES])
{
    int64_t rim = halo_min(pen->rim, MAX_WIDTH);
    passes[0] = (pass){halo_min(radius, MAX_WIDTH) + rim, pen->rim_colour};
    passes[1] = (pass){halo_min(radius, MAX_WIDTH), pen->colour};
    return rim > 0 ? 0 : 1;
}

void halo_canvas_polyline(const halo_canvas *canvas, const halo_canvas_point *points, int64_t count,
                          int closed, const halo_canvas_pen *pen)
{
    pass passes[PASSES];
    int64_t lines = count < 2 ? count : count - (closed == 0);
    for (int p = passes_of(pen, pen->width / 2, passes); p < PASSES; p++) {
        for (int64_t i = 0; i < lines; i++) {
            draw_line(canvas, points[i], points[(i + 1) % count], passes[p].radius,
                      passes[p].colour);
        }
    }
}

static void draw_triangle(const halo_canvas *canvas, const triangle *t, int64_t radius,
                          const unsigned char *colour)
{
    const shape drawn = {.filled = t, .radius = radius, .colour = colour};
    int64_t reach = MITRE * radius + ONE, first, last;
    int64_t top = INT64_MAX, left = INT64_MAX, bottom = INT64_MIN, right = INT64_MIN;
    for (int i = 0; i < 3; i++) {
        const segment *s = &t->sides[i];
        top = halo_min(top, s->from.y);
        bottom = halo_max(bottom, s->to.y);
        left = halo_min(left, halo_min(s->from.x, s->to.x));
        right = halo_max(right, halo_max(s->from.x, s->to.x));
    }
    row_range(canvas, top - reach, bottom + reach, &first, &last);
    for (int64_t row = first; row <= last; row++) {
        draw_run(canvas, &drawn, row, pixel_of(left - reach), pixel_of(right + reach) + 1);
    }
}

static triangle triangle_of(const halo_canvas_point corners[3])
{
    triangle t;
    for (int i = 0; i < 3; i++) {
        const halo_canvas_point *from = &corners[i], *across = &corners[(i + 2) % 3];
        t.sides[i] = segment_of(*from, corners[(i + 1) % 3]);
        t.turned[i] = side_distance(&t.sides[i], across->x, across->y) > 0 ? -1 : 1;
    }
    return t;
}

/* The length of a line however long, to a part in 2^28. */
static int64_t length_of(int64_t dx, int64_t dy)
{
    int shift = 0;
    while (llabs(dx) >> shift > MAX_SIDE || llabs(dy) >> shift > MAX_SIDE) {
        shift++;
    }
    int64_t across = llabs(dx) >> shift, down = llabs(dy) >> shift;
    return halo_whole_root(across * across + down * down) << shift;
}

void halo_canvas_arrow(const halo_canvas *canvas, halo_canvas_point from, halo_canvas_point to,
                       const halo_canvas_pen *pen)
{
    int64_t dx = to.x - from.x, dy = to.y - from.y, length = length_of(dx, dy);
    int64_t head = halo_min(3 * halo_min(pen->width, MAX_WIDTH) + 2 * ONE, length);
    if (head < ONE) { /* too short to point anywhere */
        halo_canvas_polyline(canvas, (halo_canvas_point[]){from, to}, 2, 0, pen);
        return;
    }
    int64_t hx = dx * head / length, hy = dy * head / length;
    int64_t sx = hy * 9 / 20, sy = hx * 9 / 20; /* half of the head's other side */
    halo_canvas_point base = {to.x - hx, to.y - hy};
    const halo_canvas_point corners[] = {
        to, {base.x - sx, base.y + sy}, {base.x + sx, base.y - sy}};
    triangle t = triangle_of(corners);
    pass lines[PASSES], heads[PASSES];
    passes_of(pen, 0, heads);
    for (int p = passes_of(pen, pen->width / 2, lines); p < PASSES; p++) {
        if (head < length) {
            draw_line(canvas, from, base, lines[p].radius, lines[p].colour);
        }
        draw_triangle(canvas, &t, heads[p].radius, heads[p].colour);
    }
}
