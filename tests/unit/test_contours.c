/* Contours: from tables of text and from shapes, as drawings, as rows, on a canvas. */
#include "io/contour/contours_draw.h"
#include "io/contour/contours_internal.h"
#include "io/contour/contours_read.h"
#include "io/contour/contours_rows.h"
#include "io/contour/contours_shapes.h"
#include "support/unit_check.h"

static const halo_contours_limits limits = {.width = 40, .height = 30, .min = 3};

static halo_status parse(const char *text, const halo_contours_limits *within, halo_contours *c)
{
    return halo_contours_parse("table", text, strlen(text), within, c);
}

/* The same two contours, in all ways to write them. */
TEST("tables of points")
{
    static const char *const tables[] = {
        "1,2\n11,2\n11,12\n\n20,20\n25,20\n25,24\n20,24\n20,20\n",
        "1,2,0\n11,2,0\n11,12,0\n20,20,7\n25,20,7\n25,24,7\n20,24,7\n",
        "contour,point,x,y\n0,0,1,2\n0,1,11,2\n0,2,11,12\n1,0,20,20\n1,1,25,20\n1,2,25,24\n1,3,20,"
        "24\n",
        "\xEF\xBB\xBF\"y\";\"X\"\r\n2;1\r\n# said "
        "nothing\r\n2;11\r\n12.2;10.9\r\n\r\n20;20\r\n20;25\r\n"
        "24;25\r\n24;20",
        "  1 2\n 11\t2\n11 12  \n \n20 20\n25 20\n25 24\n20 24\n"};
    static const halo_contour_point points[] = {{2, 1},   {2, 11},  {12, 11}, {20, 20},
                                                {20, 25}, {24, 25}, {24, 20}};
    for (size_t i = 0; i < COUNT(tables); i++) {
        halo_contours c = {0};
        bool good = check(parse(tables[i], &limits, &c) == HALO_OK, "table %zu: %s", i,
                          halo_last_message()) &&
                    check(halo_contours_count(&c) == 2 && halo_contours_point_count(&c) == 7 &&
                              halo_contours_first(&c, 1) == 3 && halo_contours_first(&c, 2) == 7,
                          "table %zu: other contours", i);
        check(good && memcmp(halo_contours_points(&c), points, sizeof points) == 0,
              "table %zu: other points", i);
        halo_contours_free(&c);
    }
}

TEST("what is no table")
{
    static const struct {
        const char *text, *message;
        halo_status status;
    } cases[] = {{"", "no points in this file", HALO_FORMAT},
                 {"x,y\n1,2\n3,4\n", "before line 4 has 2 points, and needs 3", HALO_ARGUMENT},
                 {"1,2\n40,3\n", "line 2: the point x 40, y 3 is outside", HALO_ARGUMENT},
                 {"1,2\n3\n", "line 2: this line has 1 value, and those before it 2", HALO_FORMAT},
                 {"1,2\n3,nan\n", "line 2: \"nan\" is no number", HALO_FORMAT},
                 {"a,b\n", "x and y among them", HALO_FORMAT},
                 {"1,2,3,4,5\n", "a first line of names tells other columns", HALO_FORMAT},
                 {"1,2\n\1\n", "line 2: this is no table of points", HALO_FORMAT}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        halo_contours c = {0};
        halo_status status = parse(cases[i].text, &limits, &c);
        check(status == cases[i].status && strstr(halo_last_message(), cases[i].message) != NULL,
              "case %zu: status %d, %s", i, (int)status, halo_last_message());
        halo_contours_free(&c);
    }
}

/* A square put anew every 2 pixels keeps its area; a circle has one, nearly. */
TEST("points put anew")
{
    const halo_contours_limits even = {.width = 40, .height = 30, .min = 3, .spacing = 2};
    halo_contours c = {0};
    const int64_t *firsts = NULL;
    SUCCEEDS(parse("5,5\n15,5\n15,15\n5,15\n", &even, &c));
    CU_ASSERT_EQUAL(halo_contours_point_count(&c), 20);
    CU_ASSERT_EQUAL(halo_contours_double_area(&c, halo_contours_points(&c), 0), 200);
    SUCCEEDS(halo_contours_add_circle(&c, 20, 15, 10, 64));
    SUCCEEDS(halo_contours_firsts(&c, &firsts));
    CU_ASSERT(firsts[0] == 0 && firsts[1] == 20 && firsts[2] == 84);
    int64_t twice = halo_contours_double_area(&c, halo_contours_points(&c), 1);
    /* Points are half a pixel at most from the circle of radius 10 along either axis. */
    check(twice > 565 && twice < 691, "a circle of radius 10 has %lld / 2", (long long)twice);
    halo_contours_free(&c);
    CU_ASSERT_EQUAL(halo_contours_count(&c), 0);
}

TEST("drawings and JSON")
{
    halo_contours c = {0};
    halo_buffer svg = {0}, json = {0};
    SUCCEEDS(parse("1,2\n11,2\n11,11\n", &limits, &c));
    const halo_contours_scene scene = {
        .contours = &c, .points = halo_contours_points(&c), .width = 40, .height = 30};
    SUCCEEDS(halo_contours_svg(&svg, &scene, "a b&\"c.png"));
    SUCCEEDS(halo_contours_json(&json, &scene));
    SUCCEEDS(halo_buffer_append(&svg, "", 1));
    SUCCEEDS(halo_buffer_append(&json, "", 1));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)svg.data, "href=\"a%20b%26%22c.png\"/>"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)svg.data, "d=\"M1 2L11 2L11 11Z\"/>"));
    CU_ASSERT_STRING_EQUAL((char *)json.data,
                           "{\n  \"width\": 40,\n  \"height\": 30,\n  \"contours\": [\n"
                           "    {\"contour\": 0, \"area\": 45.0, "
                           "\"points\": [[1, 2], [11, 2], [11, 11]]}\n  ]\n}\n");
    halo_buffer_free(&svg);
    halo_buffer_free(&json);
    halo_contours_free(&c);
}

/* Twice as large, a pixel's middle is between two; drawn in bands, the picture is the same. */
TEST("on a canvas")
{
    enum { WIDTH = 80, HEIGHT = 60, BAND = 7 };
    static unsigned char whole[HEIGHT][3 * WIDTH], bands[HEIGHT][3 * WIDTH];
    const halo_canvas_pen pen = {.width = 2 * HALO_CANVAS_ONE, .colour = {200, 100, 50}};
    halo_contours c = {0};
    SUCCEEDS(parse("5,5\n30,5\n30,20\n5,20\n", &limits, &c));
    const halo_contours_drawing drawing = {
        .contours = &c, .points = halo_contours_points(&c), .enlarge = 2, .reduce = 1, .pen = &pen};
    const halo_canvas canvas = {
        .rows = HEIGHT, .width = WIDTH, .pixels = whole[0], .pitch = sizeof whole[0]};
    SUCCEEDS(halo_contours_draw(&canvas, &drawing));
    for (int64_t y = 0; y < HEIGHT; y += BAND) {
        const halo_canvas band = {.first_row = y,
                                  .rows = HEIGHT - y < BAND ? HEIGHT - y : BAND,
                                  .width = WIDTH,
                                  .pixels = bands[y],
                                  .pitch = sizeof bands[0]};
        SUCCEEDS(halo_contours_draw(&band, &drawing));
    }
    CU_ASSERT(memcmp(whole, bands, sizeof whole) == 0);
    CU_ASSERT(whole[10][3 * 30] == 200 && whole[11][3 * 30] == 200); /* row 5 is rows 10 and 11 */
    CU_ASSERT(whole[8][3 * 30] == 0 && whole[13][3 * 30] == 0 && whole[25][3 * 35] == 0);
    halo_contours_free(&c);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Shapes on 60 x 40 pixels, and the contours and points that they make; no contours: refused, in
 * these words. */
TEST("contours of shapes")
{
    static const struct {
        const char *texts[2];
        int64_t contours, points;
        const char *words;
    } cases[] = {
        {{"circle:30,20,10"}, 1, 10, NULL},
        {{"circle:30,20,10,7"}, 1, 7, NULL},
        {{"grid:2x3"}, 6, 60, NULL},
        {{"grid:2x3,9", "circle:30,20,10,7"}, 7, 61, NULL},
        {{"circle:30,20,20"}, 0, 0, "--at circle:30,20,20: the circle goes from column 10"},
        {{"circle:30,20,.5"}, 0, 0, "a circle's radius is 1 pixel or more"},
        {{"circle:30,20,10,2"}, 0, 0, "a contour needs 3 points at least, and this is 2"},
        {{"circle:30,20,3,19"}, 0, 0, "use 18 at most"},
        {{"grid:9x9"}, 0, 0, "room for grid:6x9 at most"}};
    const halo_contours_limits within = {.width = 60, .height = 40, .min = 3};
    for (size_t i = 0; i < COUNT(cases); i++) {
        halo_contours_shapes shapes = {0};
        halo_contours c = {0};
        int64_t firsts[HALO_CONTOURS_SHAPES];
        for (int k = 0; k < 2 && cases[i].texts[k] != NULL; k++) {
            check(halo_contours_shapes_parse(&shapes, cases[i].texts[k]) == HALO_OK, "%s: %s",
                  cases[i].texts[k], halo_last_message());
        }
        halo_status status = halo_contours_shapes_make(&shapes, "--at", &within, &c, firsts);
        check(cases[i].words != NULL
                  ? status == HALO_ARGUMENT && strstr(halo_last_message(), cases[i].words) != NULL
                  : status == HALO_OK && halo_contours_count(&c) == cases[i].contours &&
                        halo_contours_point_count(&c) == cases[i].points,
              "%s: %" PRId64 " contours of %" PRId64 " points; %s", cases[i].texts[0],
              halo_contours_count(&c), halo_contours_point_count(&c), halo_last_message());
        halo_contours_free(&c);
    }
}

TEST("what is no shape")
{
    static const char *const texts[] = {
        "",        "circle",     "circle:1,2", "circle:1,2,0", "circle:1,2,3,", "grid:3",
        "grid:3x", "grid:3x4x5", "grid:0x3",   "polygon:",     "square:1,2,3",  "circle:1,2,3 "};
    halo_contours_shapes shapes = {0};
    for (size_t i = 0; i < COUNT(texts); i++) {
        check(halo_contours_shapes_parse(&shapes, texts[i]) == HALO_ARGUMENT, "%s is taken",
              texts[i]);
    }
    shapes.count = 0;
    for (int i = 0; i < HALO_CONTOURS_SHAPES; i++) {
        check(halo_contours_shapes_parse(&shapes, "circle:9,9,3") == HALO_OK, "shape %d", i);
    }
    check(halo_contours_shapes_parse(&shapes, "circle:9,9,3") == HALO_ARGUMENT, "one too many");
}

/* The second of two cells moves beside a circle. */
TEST("circles that move")
{
    const halo_contours_limits within = {.width = 60, .height = 30, .min = 3};
    halo_contours_shapes shapes = {0};
    halo_contours before = {0}, after = {0};
    halo_contours_circle circles[2];
    int64_t firsts[HALO_CONTOURS_SHAPES];
    halo_contours_shapes_parse(&shapes, "circle:30,15,5,8");
    halo_contours_shapes_parse(&shapes, "grid:1x2,8");
    check(halo_contours_shapes_make(&shapes, "--at", &within, &before, firsts) == HALO_OK &&
              halo_contours_shapes_cells(&shapes) == 2 && firsts[1] == 1,
          "%s", halo_last_message());
    halo_contours_shapes_circles(&shapes, &within, circles);
    check(circles[1].x == 11392 && circles[1].y == 3712 && circles[1].radius == 3840,
          "circle at %" PRId64 ", %" PRId64, circles[1].x, circles[1].y);
    circles[1] = (halo_contours_circle){40 * 256, 10 * 256, 4 * 256};
    check(halo_contours_shapes_move(&shapes, "--at", &within, &before, firsts, circles, .5,
                                    &after) == HALO_OK &&
              halo_contours_count(&after) == 3 && halo_contours_point_count(&after) == 24,
          "%s", halo_last_message());
    const halo_contour_point *was = halo_contours_points(&before),
                             *is = halo_contours_points(&after);
    check(memcmp(was, is, 16 * sizeof *is) == 0, "those that stayed are others");
    check(is[16].x == 46 && is[16].y == 10, "the point at the right is at %d, %d", is[16].x,
          is[16].y);
    halo_contours_free(&before);
    halo_contours_free(&after);
}

/* ---- rows ------------------------------------------------------------------------------------ */

TEST("rows of contours, and rows that are none")
{
    static const struct {
        int row;
        halo_contours_row is;
    } wrong[] = {{0, {{0, 0}, {2, 1}, 1}},    {2, {{0, 0}, {12, 11}, 1}},
                 {3, {{0, 0}, {20, 20}, 2}},  {1, {{-1, 0}, {2, 11}, 0}},
                 {1, {{0, 625}, {2, 11}, 0}}, {1, {{0, 0}, {30, 11}, 0}},
                 {6, {{0, 0}, {24, 20}, 2}}};
    enum { POINTS = 7, UNIT = 16 };
    halo_contours c = {0}, back = {0};
    halo_contour_point now[POINTS];
    halo_contours_row rows[POINTS];
    parse("1,2\n11,2\n11,12\n\n20,20\n25,20\n25,24\n20,24\n", &limits, &c);
    for (int i = 0; i < POINTS; i++) {
        now[i] = (halo_contour_point){UNIT * i, UNIT * i + 1};
    }
    halo_contours_rows_make(&c, now, rows);
    check(rows[3].contour == 1 && rows[3].now.x == 3 * UNIT + 1 && rows[3].begun.x == 20,
          "other rows");
    check(halo_contours_rows_are_valid(rows, POINTS, &limits, UNIT), "they are refused");
    check(halo_contours_rows_take(rows, POINTS, &back) == HALO_OK &&
              back.points.size == c.points.size && back.starts.size == c.starts.size &&
              memcmp(back.points.data, c.points.data, c.points.size) == 0 &&
              memcmp(back.starts.data, c.starts.data, c.starts.size) == 0,
          "other contours");
    check(!halo_contours_rows_are_valid(rows, 5, &limits, UNIT), "a contour of 2 points is taken");
    check(!halo_contours_rows_are_valid(rows, 0, &limits, UNIT), "no contour is taken");
    for (size_t i = 0; i < COUNT(wrong); i++) {
        halo_contours_row kept = rows[wrong[i].row];
        rows[wrong[i].row] = wrong[i].is;
        check(!halo_contours_rows_are_valid(rows, POINTS, &limits, UNIT), "case %zu is taken", i);
        rows[wrong[i].row] = kept;
    }
    halo_contours_free(&c);
    halo_contours_free(&back);
}

/* ---- measures -------------------------------------------------------------------------------- */

TEST("areas and distances in other units")
{
    halo_contours c = {0};
    halo_contour_point twice[4];
    parse("0,0\n10,0\n10,10\n0,10\n", &limits, &c);
    for (int i = 0; i < 4; i++) {
        const halo_contour_point *at = &halo_contours_points(&c)[i];
        twice[i] = (halo_contour_point){(at->y + 3) * 16, (at->x + 4) * 16};
    }
    check(fabs(halo_contours_area(&c, twice, 16) - 100) < 1e-12, "area %g",
          halo_contours_area(&c, twice, 16));
    check(fabs(halo_contours_mean_distance(&c, twice, 16) - 5) < 1e-12, "distance %g",
          halo_contours_mean_distance(&c, twice, 16));
    halo_contours_free(&c);
}
