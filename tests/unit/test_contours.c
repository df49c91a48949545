/* Contours: from tables of text, as drawings, on a canvas. */
#include "io/contour/contours_draw.h"
#include "io/contour/contours_internal.h"
#include "io/contour/contours_read.h"
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
