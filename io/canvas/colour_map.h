#ifndef HALOBEAT_IO_CANVAS_COLOUR_MAP_H
#define HALOBEAT_IO_CANVAS_COLOUR_MAP_H

/* Colour maps for numbers. All functions are local.
 *
 * Tables are computed. "viridis" is a curve in Oklab near that of matplotlib's map of that name
 * (B. Ottosson, A perceptual color space for image processing, 2020); "coolwarm" consists of two
 * curves, one to each side of a light grey (K. Moreland, Diverging color maps for scientific
 * visualization, 2009); "cubehelix" is a spiral around the
 * greys (D. A. Green, A colour scheme for the display of astronomical intensity images, 2011). */

#define HALO_COLOUR_MAP_LIST(X)                              \
    X(grey, "black to white")                                \
    X(viridis, "violet, green, yellow, evenly brighter")     \
    X(cubehelix, "black, many hues, white, evenly brighter") \
    X(hot, "black, red, yellow, white")                      \
    X(coolwarm, "blue, light grey, red: for numbers around a middle one")

#define HALO_COLOUR_MAP_CODE(name, help) HALO_COLOUR_MAP_##name,
typedef enum { HALO_COLOUR_MAP_LIST(HALO_COLOUR_MAP_CODE) } halo_colour_map;
#undef HALO_COLOUR_MAP_CODE

enum {
    HALO_COLOUR_LEVELS = 255, /* levels 0 to 254 are for numbers */
    HALO_COLOUR_NONE = 255,   /* for NaN: red among greys, otherwise grey */
    HALO_COLOUR_BYTES = 3 * (HALO_COLOUR_LEVELS + 1)
};

/* Red, green and blue of each level. */
void halo_colour_map_fill(halo_colour_map map, unsigned char palette[HALO_COLOUR_BYTES]);

#endif
