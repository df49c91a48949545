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

/* sRGB of lightness 0 to 1, chroma, and hue in degrees; the matrices are Ottosson's. */
static colour oklch(double lightness, double chroma, double hue)
{
    double a = chroma * cos(hue * pi / 180), b = chroma * sin(hue * pi / 180);
    double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return (colour){with_gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                    with_gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                    with_gamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/* ---- maps: of 0 to 1 ------------------------------------------------------------------------- */

static colour grey(double at)
{
    return (colour){at, at, at};
}

static double between(double from, double to, double at)
{
    return from + (to - from) * at;
}

static colour viridis(double at)
{
    double chroma = between(0.125, 0.18, at * at) - 0.04 * sin(pi * at); /* blues have no more */
    return oklch(between(0.28, 0.92, at), chroma, between(320, 105, pow(at, 0.9)));
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

static colour coolwarm(double at)
{
    const double grey_lightness = 0.93, end_lightness = 0.45, end_chroma = 0.18, blue = 265,
                 red = 25;
    double away = fabs(2 * at - 1);
    return oklch(between(grey_lightness, end_lightness, away), end_chroma * away,
                 at < 0.5 ? blue : red);
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
