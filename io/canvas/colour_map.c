#include "io/canvas/colour_map.h"

#include "io/canvas/channel_internal.h"

#include <math.h>

typedef struct {
    double red, green, blue; /* 0 to 1 */
} colour;

static const double pi = 3.14159265358979323846;

/* ---- Oklab ----------------------------------------------------------------------------------- */

static double with_gamma(double linear)
{
    const double knee = 0.0031308;
    linear = fmin(fmax(linear, 0), 1);
    return linear <= knee ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

/* sRGB; the matrices are Ottosson's. */
static colour oklab(double lightness, double a, double b)
{
    double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return (colour){with_gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                    with_gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                    with_gamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/* ---- Moreland's space ------------------------------------------------------------------------ */

/* CIELAB in polar coordinates: magnitude, saturation (the angle to the greys) and hue. */
typedef struct {
    double magnitude, saturation, hue;
} polar;

/* The inverse of CIELAB's cube root with a straight part near 0. */
static double cubed(double root)
{
    const double knee = 6. / 29;
    return root > knee ? root * root * root : 3 * knee * knee * (root - 4. / 29);
}

/* sRGB, whose white is that of D65. */
static colour of_polar(polar p)
{
    double a = p.magnitude * sin(p.saturation) * cos(p.hue);
    double b = p.magnitude * sin(p.saturation) * sin(p.hue);
    double y = (p.magnitude * cos(p.saturation) + 16) / 116;
    double X = 0.9505 * cubed(y + a / 500), Y = cubed(y), Z = 1.089 * cubed(y - b / 200);
    return (colour){with_gamma(3.2406 * X - 1.5372 * Y - 0.4986 * Z),
                    with_gamma(-0.9689 * X + 1.8758 * Y + 0.0415 * Z),
                    with_gamma(0.0557 * X - 0.2040 * Y + 1.0570 * Z)};
}

/* ---- maps: of 0 to 1 ------------------------------------------------------------------------- */

static colour grey(double at)
{
    return (colour){at, at, at};
}

/* A polynomial, its coefficients from the lowest on. */
static double polynomial(const double *of, int degree, double at)
{
    double sum = of[degree];
    for (int i = degree - 1; i >= 0; i--) {
        sum = sum * at + of[i];
    }
    return sum;
}

/* Fitted to matplotlib's map by least squares: no channel differs by more than 3 of 255. */
static colour viridis(double at)
{
    enum { LIGHTNESS = 3, HUES = 7 };
    static const double l[LIGHTNESS + 1] = {0.2888, 0.68, -0.2223, 0.1733};
    static const double a[HUES + 1] = {0.1003,   -0.1495, -2.813,  9.5134,
                                       -11.2549, -1.0209, 11.1844, -5.5995};
    static const double b[HUES + 1] = {-0.0908,  -0.3584, 0.7054,   8.1276,
                                       -34.7763, 58.9093, -45.5347, 13.2006};
    return oklab(polynomial(l, LIGHTNESS, at), polynomial(a, HUES, at), polynomial(b, HUES, at));
}

/* One and a half turns from blue on, of hues that are strong in the middle. */
static colour cubehelix(double at)
{
    double angle = 2 * pi * (0.5 / 3 + 1 - 1.5 * at), width = at * (1 - at) / 2;
    double c = cos(angle), s = sin(angle);
    return (colour){at + width * (-0.14861 * c + 1.78277 * s),
                    at + width * (-0.29227 * c - 0.90649 * s), at + width * 1.97294 * c};
}

static colour hot(double at)
{
    const double red_ends = 3. / 8, green_ends = 6. / 8;
    return (colour){at / red_ends, (at - red_ends) / (green_ends - red_ends),
                    (at - green_ends) / (1 - green_ends)};
}

/* From Moreland's blue, sRGB 59, 76, 192, to his red, 180, 4, 38, with a grey between. Greys have
 * no hue: on the way to one, hues turn so that steps look even. */
static colour coolwarm(double at)
{
    const polar blue = {79.981, 1.0804, -1.0984}, red = {80.086, 1.0804, 0.5025};
    const double grey = 88, turns_back = -pi / 3;
    polar end = at < 0.5 ? blue : red;
    double away = fabs(2 * at - 1);
    double turn = end.saturation * sqrt(grey * grey - end.magnitude * end.magnitude) /
                  (end.magnitude * sin(end.saturation));
    return of_polar((polar){.magnitude = grey + (end.magnitude - grey) * away,
                            .saturation = end.saturation * away,
                            .hue = end.hue + (end.hue > turns_back ? turn : -turn) * (1 - away)});
}

static void put(unsigned char *palette, int level, colour c)
{
    palette[3 * level] = canvas_channel(c.red);
    palette[3 * level + 1] = canvas_channel(c.green);
    palette[3 * level + 2] = canvas_channel(c.blue);
}

void halo_colour_map_fill(halo_colour_map map, unsigned char palette[HALO_COLOUR_BYTES])
{
#define MAP_ENTRY(name, help) name,
    static colour (*const maps[])(double at) = {HALO_COLOUR_MAP_LIST(MAP_ENTRY)};
#undef MAP_ENTRY
    const colour red = {0.85, 0.1, 0.1}, middle = {0.5, 0.5, 0.5};
    for (int level = 0; level < HALO_COLOUR_LEVELS; level++) {
        put(palette, level, maps[map](level / (HALO_COLOUR_LEVELS - 1.)));
    }
    put(palette, HALO_COLOUR_NONE, map == HALO_COLOUR_MAP_grey ? red : middle);
}
