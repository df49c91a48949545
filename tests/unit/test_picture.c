#include "io/canvas/palette.h"
#include "io/canvas/picture.h"
#include "support/images.h"
#include "support/unit_check.h"

/* A grid of cells, a byte each. */
typedef struct {
    int64_t x, y, width, height;
    int states;
    unsigned char *cells;
} grid;

static grid grid_make(uint64_t *state, int states)
{
    static const int64_t widths[] = {1, 2, 63, 64, 65, 127, 130, 200};
    grid made = {random_below(state, 40) - 20,
                 random_below(state, 40) - 20,
                 widths[random_below(state, 8)],
                 1 + random_below(state, 60),
                 states,
                 NULL};
    made.cells = calloc((size_t)(made.width * made.height), 1);
    int64_t sparse = 1 + random_below(state, 20);
    for (int64_t i = 0; i < made.width * made.height; i++) {
        bool alive = random_below(state, sparse) == 0;
        made.cells[i] = (unsigned char)(alive ? random_below(state, states) : 0);
    }
    return made;
}

/* Brightness of a cell, written down once more. Outside the grid is nothing. */
static int brightness_at(const grid *from, int64_t x, int64_t y)
{
    x -= from->x;
    y -= from->y;
    if (x < 0 || y < 0 || x >= from->width || y >= from->height) {
        return 0;
    }
    int state = from->cells[y * from->width + x];
    if (state < 2) {
        return 255 * state;
    }
    /* From 200, the first dying state, down to 60, the last. */
    return from->states == 3 ? 60 : 60 + 140 * (from->states - 1 - state) / (from->states - 3);
}

/* Brightness of the dot that cell (x, y) of the window belongs to. */
static int level_at(const grid *from, const halo_picture_options *options, int64_t x, int64_t y)
{
    const halo_picture_window *window = &options->window;
    int64_t square = options->scale < 0 ? -options->scale : 1;
    int64_t cells = 0, sum = 0;
    for (int64_t j = y / square * square; j < y / square * square + square; j++) {
        for (int64_t i = x / square * square; i < x / square * square + square; i++) {
            if (i < window->width && j < window->height) {
                cells++;
                sum += brightness_at(from, window->x + i, window->y + j);
            }
        }
    }
    if (square == 1 || sum == 0) {
        return (int)sum;
    }
    return (int)floor(56 + 199 * sqrt((double)sum / (255.0 * (double)cells)));
}

static int faded(int level)
{
    int left = level > 176 ? 176 : level;
    left -= left / 9 + 1;
    return left < 10 ? 0 : left;
}

/* Draw what `trails` ([pixels]) holds of earlier frames and the grid as it is. */
static void draw_naively(const grid *from, const halo_picture_options *options, int *trails,
                         unsigned char *pixels, int64_t columns, int64_t rows)
{
    int64_t times = options->scale > 0 ? options->scale : 1;
    int64_t square = options->scale < 0 ? -options->scale : 1;
    for (int64_t y = 0; y < rows; y++) {
        for (int64_t x = 0; x < columns; x++) {
            int level = level_at(from, options, x / times * square, y / times * square);
            int *trail = &trails[y * columns + x];
            int left = options->style == HALO_PICTURE_TRAIL ? faded(*trail) : 0;
            *trail = left > level ? left : level;
            bool line = times >= 6 && (x % times == times - 1 || y % times == times - 1);
            pixels[y * columns + x] = (unsigned char)(line ? 1 : *trail);
        }
    }
}

/* Rows `first` to `first + rows - 1` as plain rows; the caller frees them. */
static void *plain_rows(const grid *from, int64_t first, int64_t rows, size_t *pitch)
{
    size_t words = (size_t)(from->width + 63) / 64;
    *pitch = from->states == 2 ? 8 * words : (size_t)from->width;
    unsigned char *plain = calloc((size_t)rows + 1, *pitch);
    for (int64_t y = 0; y < rows; y++) {
        const unsigned char *row = from->cells + (first + y) * from->width;
        uint64_t *bits = (uint64_t *)(void *)(plain + (size_t)y * *pitch);
        for (int64_t x = 0; from->states == 2 && x < from->width; x++) {
            bits[x / 64] |= (uint64_t)row[x] << (x % 64);
        }
        if (from->states > 2) {
            memcpy(plain + (size_t)y * *pitch, row, *pitch);
        }
    }
    return plain;
}

/* The rows of dots in which cells of rows `y` to `end - 1` of the grid lie. */
static void dot_rows_of(const halo_picture_options *options, int64_t y, int64_t end, int64_t *first,
                        int64_t *count)
{
    const halo_picture_window *window = &options->window;
    int64_t square = options->scale < 0 ? -options->scale : 1;
    y = y < window->y ? 0 : y - window->y;
    end = (end < window->y + window->height ? end - window->y : window->height);
    *first = y < end ? y / square : 0;
    *count = y < end ? (end - 1) / square + 1 - *first : 0;
}

/* Do as ranks do: each adds its own strip to an array of its own, of the smallest size that must
 * be enough; then the arrays are added. */
static void add_strips(uint64_t *state, const halo_picture *picture,
                       const halo_picture_options *options, const grid *from, int64_t *sums)
{
    int64_t columns = halo_picture_dots(picture).columns;
    for (int64_t row = 0; row < from->height;) {
        int64_t rows = 1 + random_below(state, from->height - row);
        int64_t first, count;
        dot_rows_of(options, from->y + row, from->y + row + rows, &first, &count);
        int64_t *mine = calloc((size_t)(count * columns) + 1, sizeof *mine);
        halo_picture_cells cells = {from->x, from->y + row, from->width, rows, NULL, 0};
        void *plain = plain_rows(from, row, rows, &cells.pitch);
        cells.cells = plain;
        halo_picture_add(picture, &cells, first, mine);
        for (int64_t i = 0; i < count * columns; i++) {
            sums[first * columns + i] += mine[i];
        }
        free(plain);
        free(mine);
        row += rows;
    }
}

/* Dot rows in a few calls, as ranks would draw them. */
static void draw_bands(uint64_t *state, halo_picture *picture, const int64_t *sums,
                       unsigned char *pixels, size_t pitch)
{
    halo_picture_size dots = halo_picture_dots(picture);
    int64_t times = halo_picture_pixels(picture).rows / dots.rows;
    for (int64_t row = 0; row < dots.rows;) {
        int64_t rows = 1 + random_below(state, dots.rows - row);
        halo_picture_draw(picture, row, rows, sums + row * dots.columns,
                          pixels + (size_t)(row * times) * pitch, pitch);
        row += rows;
    }
}

static bool same_pixels(const unsigned char *pixels, size_t pitch, const unsigned char *wanted,
                        halo_picture_size size)
{
    for (int64_t y = 0; y < size.rows; y++) {
        if (memcmp(pixels + (size_t)y * pitch, wanted + y * size.columns, (size_t)size.columns) !=
            0) {
            return false;
        }
    }
    return true;
}

static void check_frames(uint64_t *state, const halo_picture_options *options)
{
    halo_picture *picture;
    SUCCEEDS(halo_picture_create(&picture, options));
    halo_picture_size size = halo_picture_pixels(picture);
    halo_picture_size dots = halo_picture_dots(picture);
    size_t pixel_count = (size_t)(size.columns * size.rows);
    size_t pitch = (size_t)size.columns + 5;
    int *trails = calloc(pixel_count, sizeof *trails);
    unsigned char *wanted = malloc(pixel_count);
    unsigned char *pixels = malloc(pitch * (size_t)size.rows);
    for (int frame = 0; frame < 5; frame++) {
        grid from = grid_make(state, options->states);
        if (frame % 2 == 1) {
            from.x = options->window.x; /* words of cells begin where dots do */
        }
        int64_t *sums = calloc((size_t)(dots.columns * dots.rows), sizeof *sums);
        add_strips(state, picture, options, &from, sums);
        draw_bands(state, picture, sums, pixels, pitch);
        draw_naively(&from, options, trails, wanted, size.columns, size.rows);
        check(same_pixels(pixels, pitch, wanted, size),
              "frame %d of %" PRId64 " x %" PRId64 " cells at scale %d with %d states, style %d",
              frame, options->window.width, options->window.height, options->scale, options->states,
              (int)options->style);
        free(sums);
        free(from.cells);
    }
    free(trails);
    free(wanted);
    free(pixels);
    halo_picture_destroy(&picture);
    CU_ASSERT_PTR_NULL(picture);
}

TEST("frames against naive ones")
{
    static const int scales[] = {0, 1, 2, 3, 5, 6, 7, -2, -3, -7, -16, -63, -64, -65, -128, -200};
    uint64_t state = 5;
    for (int i = 0; i < 600; i++) {
        halo_picture_options options = {
            {random_below(&state, 80) - 40, random_below(&state, 80) - 40,
             1 + random_below(&state, 300), 1 + random_below(&state, 60)},
            scales[random_below(&state, COUNT(scales))],
            random_below(&state, 2) == 0 ? 2 : (int)(3 + random_below(&state, 6)),
            (halo_picture_style)random_below(&state, 2)};
        check_frames(&state, &options);
    }
}

/* The dead fade from frame to frame until nothing is left, and no dot is taken for a line. */
TEST("trails fade")
{
    const halo_picture_options options = {{0, 0, 1, 1}, 1, 2, HALO_PICTURE_TRAIL};
    const int64_t alive = 255, dead = 0;
    unsigned char pixel, last = 255;
    halo_picture *picture;
    SUCCEEDS(halo_picture_create(&picture, &options));
    halo_picture_draw(picture, 0, 1, &alive, &pixel, 1);
    CU_ASSERT_EQUAL(pixel, 255);
    int frames = 0;
    for (; last > 0 && frames < 100; frames++) {
        halo_picture_draw(picture, 0, 1, &dead, &pixel, 1);
        CU_ASSERT(pixel < last && pixel != 1);
        last = pixel;
    }
    CU_ASSERT(frames > 10 && frames < 40);
    halo_picture_destroy(&picture);
}

/* One live cell among millions is seen; more are brighter. */
TEST("one cell among millions")
{
    const halo_picture_options options = {{0, 0, 4000, 4000}, -4000, 2, HALO_PICTURE_TRAIL};
    halo_picture *picture;
    SUCCEEDS(halo_picture_create(&picture, &options));
    int last = 0;
    for (int64_t live = 1; live <= 16000000; live *= 2) {
        const int64_t sum = 255 * live;
        unsigned char level;
        halo_picture_levels(picture, 0, 1, &sum, &level);
        CU_ASSERT(level >= 56 && level >= last);
        last = level;
    }
    CU_ASSERT(last > 190);
    halo_picture_destroy(&picture);
}

/* Brighter is brighter, to the eye too. */
TEST("palettes from dark to bright")
{
    for (int style = 0; style < 2; style++) {
        const halo_picture_options options = {{0, 0, 1, 1}, 1, 2, (halo_picture_style)style};
        halo_picture *picture;
        SUCCEEDS(halo_picture_create(&picture, &options));
        const unsigned char *palette = halo_picture_palette(picture);
        int last = -1;
        for (int i = 0; i < 256; i++) {
            const unsigned char *colour = palette + (size_t)3 * (size_t)i;
            int luma = 299 * colour[0] + 587 * colour[1] + 114 * colour[2];
            if (i != 1) {
                check(luma >= last, "colour %d of style %d", i, style);
                last = luma;
            }
        }
        CU_ASSERT(last > 230000);
        halo_picture_destroy(&picture);
    }
}

TEST("lines on greys")
{
    static const unsigned char line[] = {255, 212, 0};
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    halo_picture_fill_line_palette(line, palette);
    for (int grey = 0; grey < 256; grey++) {
        for (int cover = 0; cover < 256; cover++) {
            const unsigned char *colour = palette + 3 * halo_picture_line_colour(grey, cover);
            for (int c = 0; c < 3; c++) {
                int wanted = grey + (line[c] - grey) * cover / 255;
                check(abs(colour[c] - wanted) <= 36, "%d, not %d, of grey %d covered by %d",
                      colour[c], wanted, grey, cover);
            }
        }
    }
    CU_ASSERT_EQUAL(memcmp(palette + 3 * halo_picture_line_colour(77, 255), line, 3), 0);
}

/* 0: refused. */
TEST("scales as users write them")
{
    static const struct {
        const char *text;
        int scale;
    } cases[] = {
        {"1", 1},   {"8", 8},   {"256", 256}, {"1/1", 1},  {"1/2", -2},         {"1/64", -64},
        {"", 0},    {"0", 0},   {"-2", 0},    {"257", 0},  {"1/", 0},           {"1/0", 0},
        {"2/3", 0}, {"8 ", 0},  {" 8", 0},    {"x", 0},    {"1.5", 0},          {"+3", 0},
        {"/4", 0},  {"1/x", 0}, {"0/4", 0},   {"1/-2", 0}, {"1/99999999999", 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        int scale = 0;
        halo_status status = halo_picture_scale_parse(cases[i].text, &scale);
        check(status == (cases[i].scale != 0 ? HALO_OK : HALO_ARGUMENT) &&
                  (status != HALO_OK || scale == cases[i].scale),
              "scale '%s': %d", cases[i].text, scale);
    }
}

static bool fits(int64_t width, int64_t height, int64_t columns, int64_t rows, int scale)
{
    if (scale > 0) {
        return width * scale <= columns && height * scale <= rows;
    }
    return (width - scale - 1) / -scale <= columns && (height - scale - 1) / -scale <= rows;
}

/* The scale fits, and the next larger one does not. */
TEST("scales that fit")
{
    uint64_t state = 9;
    for (int i = 0; i < 20000; i++) {
        int64_t width = 1 + random_below(&state, 1 << random_below(&state, 15));
        int64_t height = 1 + random_below(&state, 1 << random_below(&state, 15));
        int64_t columns = 1 + random_below(&state, 1 << random_below(&state, 11));
        int64_t rows = 1 + random_below(&state, 1 << random_below(&state, 11));
        int largest = (int)(1 + random_below(&state, 16));
        int scale = halo_picture_scale_to_fit(width, height, columns, rows, largest);
        int next = scale == -2 ? 1 : scale + 1;
        check(scale != 0 && scale != -1 && scale <= largest &&
                  fits(width, height, columns, rows, scale) &&
                  (scale == largest || !fits(width, height, columns, rows, next)),
              "%" PRId64 " x %" PRId64 " in %" PRId64 " x %" PRId64 ": %d", width, height, columns,
              rows, scale);
    }
}

TEST("options that cannot be")
{
    static const halo_picture_options bad[] = {
        {{0, 0, 0, 1}, 1, 2, HALO_PICTURE_TRAIL},
        {{0, 0, 1, -1}, 1, 2, HALO_PICTURE_TRAIL},
        {{0, 0, INT64_MAX, 1}, -1000, 2, HALO_PICTURE_TRAIL},
        {{INT64_MIN, 0, 1, 1}, 1, 2, HALO_PICTURE_TRAIL},
        {{0, INT64_MAX, 1, 1}, 1, 2, HALO_PICTURE_TRAIL},
        {{0, 0, 1, 1}, 257, 2, HALO_PICTURE_TRAIL},
        {{0, 0, 1, 1}, INT32_MIN, 2, HALO_PICTURE_TRAIL},
        {{0, 0, 1, 1}, 1, 1, HALO_PICTURE_TRAIL},
        {{0, 0, 1, 1}, 1, 257, HALO_PICTURE_TRAIL},
        {{0, 0, 1, INT64_C(1) << 31}, 1, 2, HALO_PICTURE_PLAIN},
        {{0, 0, 1 << 30, 1}, 2, 2, HALO_PICTURE_PLAIN},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        halo_picture *picture;
        check(halo_picture_create(&picture, &bad[i]) == HALO_ARGUMENT, "options %zu", i);
        CU_ASSERT_PTR_NULL(picture);
        halo_picture_destroy(&picture);
    }
}
