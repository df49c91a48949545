#include "io/canvas/terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    CHARACTER_SIZE = 64, /* bytes: two escape codes and a block */
    LINE_END_SIZE = 8,
    BRIGHT = 128, /* a pixel that is shown as a block beside an empty one, not as a shade */
    CUBE = 6,     /* steps of each colour in xterm's 256 colours */
    CUBE_FIRST = 16,
    GREYS = 24,
    GREY_FIRST = 232
};

static const char UPPER[] = "\u2580";
static const char LOWER[] = "\u2584";

/* From nothing to everything, by the mean of two pixels. */
static const char *const SHADES[] = {"\u2591", "\u2592", "\u2593", "\u2588"};
static const int SHADE_COUNT = sizeof SHADES / sizeof SHADES[0];

halo_overview_colours halo_overview_colours_of(const char *colorterm, const char *term,
                                               const char *no_color)
{
    bool dumb = term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0;
    if (dumb || (no_color != NULL && no_color[0] != '\0')) {
        return HALO_OVERVIEW_COLOURS_NONE;
    }
    if (colorterm != NULL &&
        (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0)) {
        return HALO_OVERVIEW_COLOURS_TRUE;
    }
    if (strstr(term, "direct") != NULL) {
        return HALO_OVERVIEW_COLOURS_TRUE;
    }
    return strstr(term, "256color") != NULL ? HALO_OVERVIEW_COLOURS_256
                                            : HALO_OVERVIEW_COLOURS_NONE;
}

/* Without colours a character tells either where its cells are or how bright they are. */
static const char *plain_character(int upper, int lower)
{
    if (upper == 0 && lower == 0) {
        return " ";
    }
    if (lower == 0 && upper >= BRIGHT) {
        return UPPER;
    }
    if (upper == 0 && lower >= BRIGHT) {
        return LOWER;
    }
    return SHADES[(upper + lower) * SHADE_COUNT / 511];
}

static int distance(const int *a, const unsigned char *b)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
}

/* The nearest of the colours that xterm gives numbers to: a cube of 6 x 6 x 6, and greys. */
static int nearest_of_256(const unsigned char *colour)
{
    static const int steps[CUBE] = {0, 95, 135, 175, 215, 255};
    int place[3];
    int cube[3];
    int mean = 0;
    for (int i = 0; i < 3; i++) {
        place[i] = 0;
        while (place[i] < CUBE - 1 && steps[place[i]] + steps[place[i] + 1] < 2 * colour[i]) {
            place[i]++;
        }
        cube[i] = steps[place[i]];
        mean += colour[i];
    }
    int number = (mean / 3 - 3) / 10;
    number = number < 0 ? 0 : number;
    number = number >= GREYS ? GREYS - 1 : number;
    const int grey[3] = {8 + 10 * number, 8 + 10 * number, 8 + 10 * number};
    if (distance(grey, colour) < distance(cube, colour)) {
        return GREY_FIRST + number;
    }
    return CUBE_FIRST + (place[0] * CUBE + place[1]) * CUBE + place[2];
}

/* Choose a colour for what follows: `target` is 38 for what a character draws, 48 for what is
 * behind it. Returns the bytes written. */
static int put_colour(char *out, size_t size, const halo_overview *overview, int target, int level)
{
    const unsigned char *colour = overview->palette + (size_t)3 * (size_t)level;
    if (overview->colours == HALO_OVERVIEW_COLOURS_256) {
        return snprintf(out, size, "\033[%d;5;%dm", target, nearest_of_256(colour));
    }
    return snprintf(out, size, "\033[%d;2;%d;%d;%dm", target, colour[0], colour[1], colour[2]);
}

/* A character in colours; escape codes are left out where nothing changes. */
static int put_blocks(char *out, size_t size, const halo_overview *overview, const int levels[2],
                      int shown[2])
{
    static const int targets[2] = {38, 48};
    int length = 0;
    for (int i = 0; i < 2; i++) {
        /* Two of the same need no upper half. */
        if (levels[i] != shown[i] && !(i == 0 && levels[0] == levels[1])) {
            length +=
                put_colour(out + length, size - (size_t)length, overview, targets[i], levels[i]);
            shown[i] = levels[i];
        }
    }
    return length + snprintf(out + length, size - (size_t)length, "%s",
                             levels[0] == levels[1] ? " " : UPPER);
}

static int level_at(const halo_overview *overview, int row, int column)
{
    return row < overview->rows
               ? overview->levels[(size_t)row * (size_t)overview->columns + (size_t)column]
               : 0;
}

static halo_status draw_line(halo_buffer *out, const halo_overview *overview, int row)
{
    int shown[2] = {-1, -1};
    bool plain = overview->colours == HALO_OVERVIEW_COLOURS_NONE;
    HALO_TRY(halo_buffer_reserve(out, (size_t)overview->columns * CHARACTER_SIZE + LINE_END_SIZE));
    for (int column = 0; column < overview->columns; column++) {
        char *at = (char *)out->data + out->size;
        const int levels[2] = {level_at(overview, row, column),
                               level_at(overview, row + 1, column)};
        int length = plain
                         ? snprintf(at, CHARACTER_SIZE, "%s", plain_character(levels[0], levels[1]))
                         : put_blocks(at, CHARACTER_SIZE, overview, levels, shown);
        out->size += (size_t)length;
    }
    const char *end = plain ? "\n" : "\033[0m\n";
    return halo_buffer_append(out, end, strlen(end));
}

halo_status halo_overview_draw(halo_buffer *out, const halo_overview *overview)
{
    for (int row = 0; row < overview->rows; row += 2) {
        HALO_TRY(draw_line(out, overview, row));
    }
    return HALO_OK;
}
