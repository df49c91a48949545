#include "io/canvas/canvas.h"
#include "io/canvas/text.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { ONE = HALO_CANVAS_ONE, WIDTH = 61, HEIGHT = 47, GUARD = 64, INK = 255 };

static const unsigned char black[3] = {0, 0, 0};

/* A canvas of rows `first` to `first + rows - 1`, black, with bytes around it that nobody may
 * touch. */
static halo_canvas canvas_create(int64_t first, int64_t rows)
{
    halo_canvas canvas = {.first_row = first, .rows = rows, .width = WIDTH, .pitch = 3 * WIDTH + 5};
    size_t bytes = (size_t)rows * canvas.pitch;
    unsigned char *memory = malloc(bytes + 2 * (size_t)GUARD);
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    memset(memory, 0xA5, bytes + 2 * (size_t)GUARD);
    canvas.pixels = memory + GUARD;
    halo_canvas_fill(&canvas, black);
    return canvas;
}

/* False if bytes outside of its pixels were touched. */
static bool canvas_free(halo_canvas *canvas)
{
    const unsigned char *memory = canvas->pixels - GUARD;
    bool whole = true;
    for (size_t i = 0; i < (size_t)canvas->rows * canvas->pitch + 2 * (size_t)GUARD; i++) {
        bool inside = i >= GUARD && i < GUARD + (size_t)canvas->rows * canvas->pitch &&
                      (i - GUARD) % canvas->pitch < 3 * (size_t)WIDTH;
        whole = whole && (inside || memory[i] == 0xA5);
    }
    free(canvas->pixels - GUARD);
    return whole;
}

static unsigned char *row_of(const halo_canvas *canvas, int64_t y)
{
    return canvas->pixels + (size_t)(y - canvas->first_row) * canvas->pitch;
}

static int ink(const halo_canvas *canvas, int64_t x, int64_t y)
{
    return row_of(canvas, y)[3 * x];
}

static double ink_sum(const halo_canvas *canvas)
{
    double sum = 0;
    for (int64_t y = canvas->first_row; y < canvas->first_row + canvas->rows; y++) {
        for (int64_t x = 0; x < canvas->width; x++) {
            sum += ink(canvas, x, y);
        }
    }
    return sum / INK;
}

/* Equal in the rows that `part` has? */
static bool same_rows(const halo_canvas *part, const halo_canvas *whole)
{
    bool same = true;
    for (int64_t y = part->first_row; y < part->first_row + part->rows; y++) {
        same = same && memcmp(row_of(part, y), row_of(whole, y), 3 * (size_t)WIDTH) == 0;
    }
    return same;
}

/* ---- what is drawn, from a seed ------------------------------------------------------------ */

enum { POINTS = 7 };

typedef struct {
    halo_canvas_point points[POINTS];
    halo_canvas_pen pen;
} drawing;

static drawing drawing_random(uint64_t *state)
{
    drawing d = {0};
    /* Mostly near the picture, at times very far away. */
    int64_t spread = random_below(state, 8) == 0 ? INT64_C(1) << 39 : 3 * WIDTH * ONE;
    for (int i = 0; i < POINTS; i++) {
        d.points[i].x = random_below(state, spread) - spread / 3;
        d.points[i].y = random_below(state, spread) - spread / 3;
    }
    d.pen.width = random_below(state, 6 * ONE);
    d.pen.rim = random_below(state, 2) * random_below(state, 2 * ONE);
    for (int c = 0; c < 3; c++) {
        d.pen.colour[c] = (unsigned char)random_below(state, 256);
        d.pen.rim_colour[c] = (unsigned char)random_below(state, 256);
    }
    return d;
}

static void drawing_draw(const drawing *d, const halo_canvas *canvas)
{
    halo_canvas_polyline(canvas, d->points, 2, 0, &d->pen);
    halo_canvas_arrow(canvas, d->points[2], d->points[3], &d->pen);
    halo_canvas_polyline(canvas, d->points + 3, POINTS - 3, 1, &d->pen);
}

TEST("bands are parts of the whole")
{
    uint64_t state = 11;
    for (int round = 0; round < 150; round++) {
        drawing d = drawing_random(&state);
        halo_canvas whole = canvas_create(0, HEIGHT);
        drawing_draw(&d, &whole);
        for (int64_t first = 0, rows; first < HEIGHT; first += rows) {
            rows = 1 + random_below(&state, HEIGHT - first);
            halo_canvas part = canvas_create(first, rows);
            drawing_draw(&d, &part);
            check(same_rows(&part, &whole), "round %d: rows from %d on differ", round, (int)first);
            check(canvas_free(&part), "round %d: drawn outside of a band", round);
        }
        check(canvas_free(&whole), "round %d: drawn outside of the picture", round);
    }
}

/* ---- shapes that can be told from their definition ----------------------------------------- */

static const halo_canvas_pen white = {.width = 3 * ONE, .colour = {INK, INK, INK}};

/* Coverage as it is meant, in floating point. */
static double meant(double distance, double radius)
{
    return fmin(fmax(radius + 0.5 - distance, 0), 1) * INK;
}

static double distance_to_line(double px, double py, double ax, double ay, double bx, double by)
{
    double square = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
    double t = square == 0 ? 0 : ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / square;
    t = fmin(fmax(t, 0), 1);
    return hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay));
}

TEST("lines by distance")
{
    uint64_t state = 5;
    for (int round = 0; round < 200; round++) {
        drawing d = drawing_random(&state);
        halo_canvas canvas = canvas_create(0, HEIGHT);
        halo_canvas_pen pen = white;
        pen.width = d.pen.width;
        const halo_canvas_point *a = &d.points[0], *b = &d.points[round % 9 == 0 ? 0 : 1];
        halo_canvas_polyline(&canvas, (halo_canvas_point[]){*a, *b}, 2, 0, &pen);
        double worst = 0;
        for (int64_t y = 0; y < HEIGHT; y++) {
            for (int64_t x = 0; x < WIDTH; x++) {
                double apart =
                    distance_to_line((double)x, (double)y, (double)a->x / ONE, (double)a->y / ONE,
                                     (double)b->x / ONE, (double)b->y / ONE);
                double off = ink(&canvas, x, y) - meant(apart, (double)pen.width / 2 / ONE);
                worst = fmax(worst, fabs(off));
            }
        }
        /* A line that was halved is drawn twice where the halves meet. */
        bool halved = llabs(a->x - b->x) > 1 << 28 || llabs(a->y - b->y) > 1 << 28;
        check(worst <= (halved ? 70 : 3), "round %d: ink is off by %g", round, worst);
        CU_ASSERT_TRUE(canvas_free(&canvas));
    }
}

/* An arrow's head is a triangle at its end, wider than the line, and nothing lies beyond its tip.
 */
TEST("arrow")
{
    halo_canvas canvas = canvas_create(0, HEIGHT);
    const halo_canvas_point from = {5 * ONE, 20 * ONE}, to = {50 * ONE, 20 * ONE};
    halo_canvas_arrow(&canvas, from, to, &white);
    int64_t tall[WIDTH] = {0};
    for (int64_t x = 0; x < WIDTH; x++) {
        for (int64_t y = 0; y < HEIGHT; y++) {
            tall[x] += ink(&canvas, x, y) > 0;
        }
    }
    CU_ASSERT_EQUAL(tall[20], 3);
    CU_ASSERT(tall[40] > 7); /* 11 long, 9.9 wide at its base */
    for (int64_t x = 41; x < 50; x++) {
        CU_ASSERT(tall[x] <= tall[x - 1]);
    }
    CU_ASSERT(tall[49] <= 3 && tall[52] == 0);
    double head = 0.45 * 11 * 11, line = 3 * 34 + 2.25 * acos(-1) / 2;
    CU_ASSERT_DOUBLE_EQUAL(ink_sum(&canvas), head + line, 4.0);
    CU_ASSERT_TRUE(canvas_free(&canvas));
}

/* Nothing is drawn of what is elsewhere, and nothing happens without points. */
TEST("outside")
{
    halo_canvas canvas = canvas_create(10, 20);
    const int64_t far = INT64_C(1) << 40;
    const halo_canvas_point points[] = {{-far, -far}, {far, -far}, {far, -1000 * ONE}};
    halo_canvas_pen pen = white;
    pen.rim = 2 * ONE;
    halo_canvas_polyline(&canvas, points, 3, 0, &pen);
    halo_canvas_polyline(&canvas, points, 0, 1, &pen);
    halo_canvas_arrow(&canvas, points[1], points[2], &pen);
    CU_ASSERT_EQUAL(ink_sum(&canvas), 0);
    const halo_canvas_point across[] = {{-far, 15 * ONE}, {far, 15 * ONE}};
    halo_canvas_polyline(&canvas, across, 2, 0, &pen);
    for (int64_t x = 0; x < WIDTH; x++) {
        CU_ASSERT_EQUAL(ink(&canvas, x, 14), INK);
        CU_ASSERT_EQUAL(ink(&canvas, x, 15), INK);
        CU_ASSERT_EQUAL(ink(&canvas, x, 17), 0);
    }
    CU_ASSERT_TRUE(canvas_free(&canvas));
}

TEST("fills")
{
    halo_canvas canvas = canvas_create(3, 2);
    uint8_t grey[2][WIDTH];
    uint16_t deep[2][WIDTH];
    unsigned char colours[2][3 * WIDTH];
    for (int i = 0; i < 2 * WIDTH; i++) {
        grey[i / WIDTH][i % WIDTH] = (uint8_t)(2 * i);
        deep[i / WIDTH][i % WIDTH] = (uint16_t)(2 * i * 257);
    }
    for (int i = 0; i < 6 * WIDTH; i++) {
        colours[i / (3 * WIDTH)][i % (3 * WIDTH)] = (unsigned char)(7 * i);
    }
    halo_canvas_fill_picture(&canvas, grey, sizeof grey[0], 8, 255);
    CU_ASSERT_EQUAL(ink(&canvas, 9, 4), 2 * (WIDTH + 9));
    halo_canvas_fill(&canvas, black);
    halo_canvas_fill_picture(&canvas, deep, sizeof deep[0], 16, 65535);
    CU_ASSERT_EQUAL(ink(&canvas, 9, 4), 2 * (WIDTH + 9));
    halo_canvas_fill_picture(&canvas, grey, sizeof grey[0], 8, 4);
    CU_ASSERT_EQUAL(ink(&canvas, 0, 3), 0);
    CU_ASSERT_EQUAL(ink(&canvas, 1, 3), 128);
    CU_ASSERT_EQUAL(ink(&canvas, 2, 3), 255);
    CU_ASSERT_EQUAL(ink(&canvas, 3, 3), 255);
    halo_canvas_fill_picture(&canvas, colours, sizeof colours[0], 24, 255);
    CU_ASSERT(memcmp(row_of(&canvas, 4), colours[1], sizeof colours[1]) == 0);
    halo_canvas_mix(&canvas, (const unsigned char[]){100, 200, 0}, 64);
    CU_ASSERT_EQUAL(row_of(&canvas, 3)[1], (7 * 3 + 200 + 2) / 4);
    CU_ASSERT_TRUE(canvas_free(&canvas));
}

TEST("text")
{
    static const unsigned char bright[3] = {INK, INK, INK};
    static const char *const shapes[] = {
        /* of "Tg" and a character beyond ASCII */
        "#####.......#####", "..#.........#...#", "..#....####.#...#", "..#...#...#.#...#",
        "..#...#...#.#...#", "..#....####.#...#", "..#.......#.#####", ".......###......."};
    halo_canvas canvas = canvas_create(3, 20);
    halo_canvas_text(&canvas, 4, 5, "Tg\u00e9", bright);
    for (int64_t y = 0; y < HALO_CANVAS_TEXT_HEIGHT; y++) {
        for (int64_t x = 0; shapes[y][x] != '\0'; x++) {
            CU_ASSERT_EQUAL(ink(&canvas, 4 + x, 5 + y), shapes[y][x] == '#' ? INK : 0);
        }
    }
    CU_ASSERT_EQUAL(ink_sum(&canvas), 11 + 16 + 20);
    CU_ASSERT_TRUE(canvas_free(&canvas));

    /* It is cut off at edges, and the same in parts. */
    halo_canvas whole = canvas_create(0, HEIGHT), upper = canvas_create(0, 20),
                lower = canvas_create(20, HEIGHT - 20);
    const halo_canvas *const all[] = {&whole, &upper, &lower};
    for (int i = 0; i < 3; i++) {
        halo_canvas_text(all[i], -3, 16, "gypsum, QUARTZ; 50%", bright);
        halo_canvas_text(all[i], 40, HEIGHT - 2, "below", bright);
        halo_canvas_text(all[i], 40, -6, "above", bright);
    }
    CU_ASSERT_TRUE(same_rows(&upper, &whole) && same_rows(&lower, &whole));
    CU_ASSERT_TRUE(canvas_free(&whole));
    CU_ASSERT_TRUE(canvas_free(&upper));
    CU_ASSERT_TRUE(canvas_free(&lower));
}

TEST("shortened text")
{
    char out[32];
    CU_ASSERT_EQUAL(halo_canvas_text_length("a\u00e9\u65e5b"), 4);
    halo_canvas_text_shorten("abcdefgh", 8, out, sizeof out);
    CU_ASSERT_STRING_EQUAL(out, "abcdefgh");
    halo_canvas_text_shorten("abcdefghi", 8, out, sizeof out);
    CU_ASSERT_STRING_EQUAL(out, "abc...hi");
    halo_canvas_text_shorten("\u00e9\u00e8\u00ea\u00eb1234\u65e5\u672c", 7, out, sizeof out);
    CU_ASSERT_STRING_EQUAL(out, "\u00e9\u00e8...\u65e5\u672c");
    halo_canvas_text_shorten("abcdefgh", 8, out, 5);
    CU_ASSERT_STRING_EQUAL(out, "abcd");
}
