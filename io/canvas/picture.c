#include "io/canvas/picture.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "io/canvas/palette.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CELL = 256,    /* pixels */
    MIN_WITH_LINES = 6 /* pixels of a cell that has room for a line beside it */
};

static const int64_t SIDE_LIMIT = INT32_MAX;          /* pixels */
static const int64_t WINDOW_LIMIT = INT64_C(1) << 40; /* cells a side */
static const int64_t PLACE_LIMIT = INT64_C(1) << 60;

struct halo_picture {
    halo_picture_options options;
    int64_t square;        /* cells a dot is wide and high */
    int64_t magnification; /* pixels a dot is wide and high */
    halo_picture_size dots;
    unsigned char brightness[256]; /* of a cell, by its state */
    unsigned char faded[256];      /* brightness one frame later */
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    unsigned char *levels; /* scratch: a row of dots */
    unsigned char *trails; /* brightness of each dot in the last frame; NULL without */
};

halo_status halo_picture_scale_parse(const char *text, int *scale)
{
    bool inverse = strncmp(text, "1/", 2) == 0;
    const char *digits = text + (inverse ? 2 : 0);
    char *end = NULL;
    long number = digits[0] >= '1' && digits[0] <= '9' ? strtol(digits, &end, 10) : 0;
    long limit = inverse ? INT32_MAX : MAX_CELL;
    if (number < 1 || number > limit || *end != '\0') {
        return halo_fail(
            HALO_ARGUMENT,
            "%.40s is no scale: N draws a cell N x N pixels large (1 to %d), 1/N draws "
            "N x N cells as one pixel",
            text, MAX_CELL);
    }
    *scale = inverse && number > 1 ? -(int)number : (int)number;
    return HALO_OK;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

int halo_picture_scale_to_fit(int64_t width, int64_t height, int64_t columns, int64_t rows,
                              int max_scale)
{
    int64_t across = ceil_div(width, columns);
    int64_t down = ceil_div(height, rows);
    int64_t square = across > down ? across : down;
    if (square > 1) {
        return square < INT32_MAX ? -(int)square : -INT32_MAX;
    }
    int64_t times = columns / width < rows / height ? columns / width : rows / height;
    return times < max_scale ? (int)times : max_scale;
}

static halo_status check_options(const halo_picture_options *options)
{
    const halo_picture_window *window = &options->window;
    if (window->width < 1 || window->height < 1 || window->width > WINDOW_LIMIT ||
        window->height > WINDOW_LIMIT) {
        return halo_fail(HALO_ARGUMENT,
                         "a picture of %" PRId64 " x %" PRId64
                         " cells cannot be: it may have 1 to 2^40 each way",
                         window->width, window->height);
    }
    if (window->x < -PLACE_LIMIT || window->x > PLACE_LIMIT || window->y < -PLACE_LIMIT ||
        window->y > PLACE_LIMIT) {
        return halo_fail(HALO_ARGUMENT,
                         "a picture from cell %" PRId64 ", %" PRId64
                         " on cannot be: 2^60 each way is the limit",
                         window->x, window->y);
    }
    if (options->scale > MAX_CELL || options->scale < -INT32_MAX) {
        return halo_fail(HALO_ARGUMENT, "a cell of %d pixels is too large: %d is the limit",
                         options->scale, MAX_CELL);
    }
    if (options->states < 2 || options->states > 256) {
        return halo_fail(HALO_ARGUMENT, "cells of %d states cannot be drawn, only of 2 to 256",
                         options->states);
    }
    return HALO_OK;
}

static halo_status check_size(const halo_picture *picture)
{
    halo_picture_size pixels = halo_picture_pixels(picture);
    if (pixels.columns > SIDE_LIMIT || pixels.rows > SIDE_LIMIT) {
        return halo_fail(
            HALO_ARGUMENT,
            "a picture of %" PRId64 " x %" PRId64
            " pixels is too large: 2^31 - 1 each way is the limit; use a smaller scale",
            pixels.columns, pixels.rows);
    }
    return HALO_OK;
}

static halo_status create_dots(unsigned char **dots, int64_t columns, int64_t rows)
{
    return HALO_ALLOCATE_LARGE(*dots, (size_t)columns * (size_t)rows, "the dots of a picture");
}

halo_status halo_picture_create_sized(halo_picture **out, const halo_picture_options *given,
                                      size_t given_bytes)
{
    halo_picture_options options;
    *out = NULL;
    HALO_TRY(
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_picture_options"));
    HALO_TRY(check_options(&options));
    halo_picture *picture;
    HALO_TRY(HALO_ALLOCATE(picture, 1, "a picture"));
    halo_status status;
    int scale = options.scale;
    picture->options = options;
    picture->square = scale < 0 ? -scale : 1;
    picture->magnification = scale > 0 ? scale : 1;
    picture->dots.columns = ceil_div(options.window.width, picture->square);
    picture->dots.rows = ceil_div(options.window.height, picture->square);
    HALO_TRY_OR(failed, check_size(picture));
    halo_picture_fill_palette(options.style, picture->palette);
    halo_picture_fill_brightness(options.states, picture->brightness);
    halo_picture_fill_fading(picture->faded);
    HALO_TRY_OR(failed, create_dots(&picture->levels, picture->dots.columns, 1));
    if (options.style == HALO_PICTURE_TRAIL) {
        HALO_TRY_OR(failed,
                    create_dots(&picture->trails, picture->dots.columns, picture->dots.rows));
    }
    *out = picture;
    return HALO_OK;
failed:
    halo_picture_destroy(&picture);
    return status;
}

void halo_picture_destroy(halo_picture **picture)
{
    if (*picture != NULL) {
        halo_memory_free((*picture)->levels);
        halo_memory_free((*picture)->trails);
        free(*picture);
        *picture = NULL;
    }
}

halo_picture_size halo_picture_dots(const halo_picture *picture)
{
    return picture->dots;
}

halo_picture_size halo_picture_pixels(const halo_picture *picture)
{
    return (halo_picture_size){picture->dots.columns * picture->magnification,
                               picture->dots.rows * picture->magnification};
}

const unsigned char *halo_picture_palette(const halo_picture *picture)
{
    return picture->palette;
}

/* Bits set in pairs, in fours, in bytes, and in all: without the instruction for it, which not
 * every machine has, this is quicker than the compiler's own function. */
static inline int64_t count_word(uint64_t word)
{
    word -= (word >> 1) & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + ((word >> 2) & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int64_t)((word * UINT64_C(0x0101010101010101)) >> 56);
}

/* Return the number of set bits among `lo` to `end` - 1, at least one bit. */
static int64_t count_bits(const uint64_t *words, int64_t lo, int64_t end)
{
    int64_t word = lo / 64;
    int64_t last = (end - 1) / 64;
    uint64_t from = ~UINT64_C(0) << (lo % 64);
    uint64_t upto = ~UINT64_C(0) >> (63 - (end - 1) % 64);
    if (word == last) {
        return count_word(words[word] & from & upto);
    }
    int64_t count = count_word(words[word] & from) + count_word(words[last] & upto);
    for (word++; word < last; word++) {
        count += count_word(words[word]);
    }
    return count;
}

static int64_t add_bytes(const halo_picture *picture, const unsigned char *cells, int64_t lo,
                         int64_t end)
{
    int64_t sum = 0;
    for (int64_t i = lo; i < end; i++) {
        sum += picture->brightness[cells[i]];
    }
    return sum;
}

/* Cells `lo` to `end` - 1 of a row of bits are dots of their own. */
static void add_single_bits(const uint64_t *words, int64_t lo, int64_t end, int64_t *sums)
{
    for (int64_t i = lo; i < end; i++) {
        sums[i - lo] += HALO_PICTURE_BRIGHTEST * (int64_t)(words[i / 64] >> (i % 64) & 1);
    }
}

/* Dots of whole words, as most are in large grids: quicker than looking for each dot's ends. */
static void add_words(const uint64_t *words, int64_t dots, int64_t words_each, int64_t *sums)
{
    if (words_each == 1) {
        for (int64_t dot = 0; dot < dots; dot++) {
            sums[dot] += HALO_PICTURE_BRIGHTEST * count_word(words[dot]);
        }
        return;
    }
    for (int64_t dot = 0; dot < dots; dot++) {
        int64_t count = 0;
        for (int64_t i = 0; i < words_each; i++) {
            count += count_word(*words++);
        }
        sums[dot] += HALO_PICTURE_BRIGHTEST * count;
    }
}

/* One row: its cells `lo` to `end` - 1 are in the window, the first of them `offset` cells from
 * the window's left side. */
static void add_row(const halo_picture *picture, const void *cells, int64_t lo, int64_t end,
                    int64_t offset, int64_t *sums)
{
    bool bits = picture->options.states == 2;
    int64_t square = picture->square;
    int64_t room = square - offset % square;
    sums += offset / square;
    if (bits && square == 1) {
        add_single_bits(cells, lo, end, sums);
        return;
    }
    if (bits && lo % 64 == 0 && square % 64 == 0 && room == square) {
        int64_t dots = (end - lo) / square;
        add_words((const uint64_t *)cells + lo / 64, dots, square / 64, sums);
        lo += dots * square;
        sums += dots;
    }
    for (int64_t n; lo < end; lo += n) {
        n = halo_min(room, end - lo);
        *sums++ += bits ? HALO_PICTURE_BRIGHTEST * count_bits(cells, lo, lo + n)
                        : add_bytes(picture, cells, lo, lo + n);
        room = square;
    }
}

void halo_picture_add(const halo_picture *picture, const halo_picture_cells *cells, int64_t first,
                      int64_t *sums)
{
    const halo_picture_window *window = &picture->options.window;
    int64_t left = halo_max(cells->x, window->x);
    int64_t right = halo_min(cells->x + cells->width, window->x + window->width);
    int64_t top = halo_max(cells->y, window->y);
    int64_t bottom = halo_min(cells->y + cells->rows, window->y + window->height);
    for (int64_t y = top; y < bottom && left < right; y++) {
        const unsigned char *row =
            (const unsigned char *)cells->cells + (size_t)(y - cells->y) * cells->pitch;
        int64_t dot_row = (y - window->y) / picture->square - first;
        add_row(picture, row, left - cells->x, right - cells->x, left - window->x,
                sums + dot_row * picture->dots.columns);
    }
}

void halo_picture_levels(const halo_picture *picture, int64_t first, int64_t count,
                         const int64_t *sums, unsigned char *levels)
{
    const halo_picture_window *window = &picture->options.window;
    int64_t columns = picture->dots.columns;
    if (picture->square == 1) {
        for (int64_t i = 0; i < count * columns; i++) {
            levels[i] = (unsigned char)sums[i];
        }
        return;
    }
    for (int64_t row = first; row < first + count; row++) {
        int64_t down = halo_min(picture->square, window->height - row * picture->square);
        for (int64_t column = 0; column < columns; column++) {
            int64_t across = halo_min(picture->square, window->width - column * picture->square);
            *levels++ = halo_picture_level(*sums++, across * down);
        }
    }
}

/* A row of dots as a row of pixels. */
static void magnify(const halo_picture *picture, const unsigned char *dots, unsigned char *pixels)
{
    size_t times = (size_t)picture->magnification;
    size_t columns = (size_t)picture->dots.columns;
    if (times == 1) {
        memcpy(pixels, dots, columns);
        return;
    }
    bool lines = times >= MIN_WITH_LINES;
    for (size_t i = 0; i < columns; i++) {
        memset(pixels + i * times, dots[i], times);
        if (lines) {
            pixels[(i + 1) * times - 1] = HALO_PICTURE_LINE;
        }
    }
}

/* The row's brightness in this frame, what is left of earlier frames included. */
static const unsigned char *light_row(halo_picture *picture, int64_t row, const int64_t *sums)
{
    halo_picture_levels(picture, row, 1, sums, picture->levels);
    if (picture->trails == NULL) {
        return picture->levels;
    }
    unsigned char *trail = picture->trails + row * picture->dots.columns;
    for (int64_t i = 0; i < picture->dots.columns; i++) {
        unsigned char left = picture->faded[trail[i]];
        trail[i] = picture->levels[i] > left ? picture->levels[i] : left;
    }
    return trail;
}

void halo_picture_draw(halo_picture *picture, int64_t first, int64_t count, const int64_t *sums,
                       unsigned char *pixels, size_t pitch)
{
    int64_t times = picture->magnification;
    size_t width = (size_t)(picture->dots.columns * times);
    for (int64_t row = first; row < first + count; row++) {
        magnify(picture, light_row(picture, row, sums), pixels);
        for (int64_t i = 1; i < times; i++) {
            memcpy(pixels + (size_t)i * pitch, pixels, width);
        }
        if (times >= MIN_WITH_LINES) {
            memset(pixels + (size_t)(times - 1) * pitch, HALO_PICTURE_LINE, width);
        }
        sums += picture->dots.columns;
        pixels += (size_t)times * pitch;
    }
}
