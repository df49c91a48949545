#ifndef HALOBEAT_IO_NFF_NFF_H
#define HALOBEAT_IO_NFF_NFF_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Scenes in the Neutral File Format, as Eric Haines describes it (NFF.TXT, version 3.1, of the
 * Standard Procedural Databases): text in which a letter says what follows.
 *
 *   v                            the view: six lines,
 *   from X Y Z                     the eye,
 *   at X Y Z                       what is in the middle of the picture,
 *   up X Y Z                       upwards,
 *   angle A                        degrees from the upper edge to the lower one,
 *   hither H                       how far away drawing begins (rays begin at the eye),
 *   resolution WIDTH HEIGHT        pixels
 *   b R G B                      the background
 *   l X Y Z [R G B]              a light, and its colour
 *   f R G B KD KS SHINE T INDEX  the surface of what follows: colour, diffuse, specular, exponent
 * of highlights, transmittance, index of refraction s X Y Z RADIUS               a sphere c X Y Z R
 * X Y Z R           a cone or cylinder, base and apex with their radii p N  X Y Z ... a polygon
 * with N corners pp N  X Y Z NX NY NZ ...     the same with a normal at each # ... a comment, to
 * the end of the line
 *
 * Everything is local. */

typedef struct {
    double x, y, z; /* or red, green, blue */
} halo_nff_vector;

typedef struct {
    halo_nff_vector from, at, up;
    double angle, hither;
    int64_t width, height;
} halo_nff_view;

typedef struct {
    halo_nff_vector colour;
    double diffuse, specular, shine, transmittance, index;
} halo_nff_surface;

/* What is done with each. A failure ends the reading; where in the file it was is put before its
 * message. */
typedef struct {
    void *context;
    halo_status (*view)(void *context, const halo_nff_view *view);
    halo_status (*background)(void *context, halo_nff_vector colour);
    halo_status (*light)(void *context, halo_nff_vector place, const halo_nff_vector *colour);
    halo_status (*surface)(void *context, const halo_nff_surface *surface);
    halo_status (*sphere)(void *context, halo_nff_vector centre, double radius);
    halo_status (*cone)(void *context, halo_nff_vector base, double base_radius,
                        halo_nff_vector apex, double apex_radius);
    /* `normals` is NULL, or [count] as `corners` is. */
    halo_status (*polygon)(void *context, const halo_nff_vector *corners,
                           const halo_nff_vector *normals, int64_t count);
} halo_nff_sink;

/* Read `text`, `bytes` bytes with a 0 byte behind them, of the file `name`. HALO_FORMAT, with line
 * and column, for what is not as above, and for what the sink refuses as HALO_ARGUMENT;
 * HALO_MEMORY. */
halo_status halo_nff_parse(const char *name, const char *text, size_t bytes,
                           const halo_nff_sink *sink);

#endif
