#include "io/flow/flow_arrows.h"
#include "io/flow/flow_colours.h"
#include "support/images.h"
#include "support/unit_check.h"

static const double pi = 3.14159265358979323846;

/* The wheel as a list of 55 colours, in floating point. */
static double wheel(int hue, int channel)
{
    static const int steps[] = {15, 6, 4, 11, 13, 6};
    static const int at[7][3] = {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 1, 1},
                                 {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
    int t = 0;
    while (hue >= steps[t]) {
        hue -= steps[t++];
    }
    double share = floor(255.0 * hue / steps[t]) / 255, a = at[t][channel], b = at[t + 1][channel];
    return a < b ? share : a > b ? 1 - share : a;
}

static double meant(double u, double v, double largest, int channel)
{
    double length = largest > 0 ? hypot(u, v) / largest : 0;
    double angle = atan2(v, u);
    double place = (angle < 0 ? angle + 2 * pi : angle) / (2 * pi) * 54;
    int hue = (int)place;
    double pure =
        wheel(hue, channel) * (1 - (place - hue)) + wheel((hue + 1) % 55, channel) * (place - hue);
    return 255 * (length <= 1 ? 1 - length * (1 - pure) : 0.75 * pure);
}

static void check_vector(float u, float v, double largest)
{
    const float pair[] = {u, v};
    unsigned char colour[3];
    double units = rint(largest * 256);
    halo_flow_colours(pair, 1, (int64_t)(units * units), colour);
    for (int c = 0; c < 3; c++) {
        double want = meant(rint(256.0 * u) / 256, rint(256.0 * v) / 256, largest, c);
        check(fabs(colour[c] - want) <= 1.02, "(%g, %g) of %g: channel %d is %d, not %g", u, v,
              largest, c, colour[c], want);
    }
}

TEST("colours as the formula has them")
{
    uint64_t state = 3;
    for (int i = 0; i < 20000; i++) {
        double largest = (double)random_below(&state, 4000) / 16 + 1;
        double angle = (double)random_below(&state, 1 << 20) / (1 << 20) * 2 * pi;
        double length = (double)random_below(&state, 1000) / 1000 * largest;
        check_vector((float)(length * cos(angle)), (float)(length * sin(angle)), largest);
    }
}

TEST("colours that are known")
{
    const float vectors[] = {0, 0, 4, 0, 0, 4, -4, 0, 0, -4, 2, 0, 8, 0};
    unsigned char colours[7][3];
    halo_flow_colours(vectors, 7, 1024 * 1024, colours[0]);
    const unsigned char want[7][3] = {{255, 255, 255}, {255, 0, 0},  {255, 229, 0},
                                      {0, 209, 255},   {88, 0, 255}, {255, 127, 127},
                                      {191, 0, 0}};
    for (int i = 0; i < 7; i++) {
        for (int c = 0; c < 3; c++) {
            check(abs(colours[i][c] - want[i][c]) <= 1, "vector %d: channel %d is %d, not %d", i, c,
                  colours[i][c], want[i][c]);
        }
    }
    halo_flow_colours(vectors, 1, 0, colours[0]);
    CU_ASSERT(memcmp(colours[0], want[0], 3) == 0);
}

TEST("the largest")
{
    const float vectors[] = {3, -4, 0.5F, 0, 1e10F, 2, NAN, 0, -2, 0};
    CU_ASSERT_EQUAL(halo_flow_max_square(vectors, 5), 25 * 65536);
    CU_ASSERT_EQUAL(halo_flow_max_square(vectors + 2, 1), 128 * 128);
    CU_ASSERT_EQUAL(halo_flow_max_square(vectors, 0), 0);
    unsigned char colours[5][3];
    memset(colours, 77, sizeof colours);
    halo_flow_colours(vectors, 5, 25 * 65536, colours[0]);
    for (int c = 0; c < 3; c++) {
        CU_ASSERT(colours[2][c] == 0 && colours[3][c] == 0);
    }
    /* So long that whole numbers could overflow. */
    const float far[] = {9e8F, -9e8F, 2e6F, 2e6F};
    CU_ASSERT_EQUAL(halo_flow_max_square(far, 2), (int64_t)1 << 57);
    check_vector(1e6F, -3e5F, 1048576);
}

TEST("arrows are as wide as there is room")
{
    enum { ONE = HALO_CANVAS_ONE };
    check(halo_flow_arrow_width(100, 100) == ONE, "narrower than a pixel");
    check(halo_flow_arrow_width(44 * 44 * 9, 9) == 2 * ONE, "not 2 pixels, 44 pixels apart");
    check(halo_flow_arrow_width(1e12, 4) == 6 * ONE, "wider than 6 pixels");
}

/* The rows that an arrow of 12 pixels to the right has coloured, and its colour. */
TEST("an arrow has the colour of its direction, and is scaled")
{
    enum { SIDE = 40, ONE = HALO_CANVAS_ONE };
    static unsigned char pixels[SIDE][SIDE][3];
    const halo_canvas canvas = {
        .rows = SIDE, .width = SIDE, .pixels = pixels[0][0], .pitch = sizeof pixels[0]};
    const halo_flow_arrow arrow = {10 * ONE, 20 * ONE, 6 * ONE, 0};
    unsigned char red[3];
    halo_flow_colours((const float[]){6, 0}, 1, halo_flow_max_square((const float[]){6, 0}, 1),
                      red);
    halo_flow_arrow_draw(&canvas, &arrow, 2, 2 * ONE);
    check(memcmp(pixels[20][12], red, 3) == 0 && memcmp(pixels[20][20], red, 3) == 0,
          "its line has another colour");
    check(pixels[20][30][0] == 0 && pixels[20][4][0] == 0 && pixels[4][12][0] == 0,
          "it reaches pixels that are not its own");
}
