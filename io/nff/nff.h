#ifndef HALOBEAT_IO_NFF_NFF_H
#define HALOBEAT_IO_NFF_NFF_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Scenes in the Neutral File Format, as Eric Haines describes it (NFF.TXT, version 3.1, of the
 * Standard Procedural Databases). Each entity begins with a letter:
 *
 *     v                            the view: six lines,
 *       from X Y Z                   position of the eye
 *       at X Y Z                     point in the middle of the image
 *       up X Y Z                     direction upwards
 *       angle A                      degrees from the upper edge to the lower one
 *       hither H                     near clipping distance (rays begin at the eye all the same)
 *       resolution WIDTH HEIGHT      pixels
 *     b R G B                      the background
 *     l X Y Z [R G B]              a light and its colour
 *     f R G B KD KS SHINE T INDEX  the surface of the following shapes: colour, diffuse, specular,
 *                                  exponent of highlights, transmittance, index of refraction
 *     s X Y Z RADIUS               a sphere
 *     c X Y Z R X Y Z R            a cone or cylinder: base and apex with their radii
 *     p N  X Y Z ...               a polygon with N corners
 *     pp N  X Y Z NX NY NZ ...     the same with a normal at each corner
 *     # ...                        a comment, to the end of the line
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

/* Functions called for each entity. A failure ends the parsing; its message gets the position in
 * the file as a prefix. */
typedef struct {
    void *context;
    int64_t *line; /* set to the line in which the entity begins; or NULL */
    halo_status (*view)(void *context, const halo_nff_view *view);
    halo_status (*background)(void *context, halo_nff_vector colour);
    halo_status (*light)(void *context, halo_nff_vector place, const halo_nff_vector *colour);
    halo_status (*surface)(void *context, const halo_nff_surface *surface);
    halo_status (*sphere)(void *context, halo_nff_vector centre, double radius);
    halo_status (*cone)(void *context, halo_nff_vector base, double base_radius,
                        halo_nff_vector apex, double apex_radius);
    /* `normals` is NULL, or [count] like `corners`; 1 corner or more. */
    halo_status (*polygon)(void *context, const halo_nff_vector *corners,
                           const halo_nff_vector *normals, int64_t count);
} halo_nff_sink;

/* Parses `text` [bytes], followed by a 0 byte, of the file `name`. HALO_FORMAT, with line and
 * column, for text that is not in the format, and for what the sink refuses as HALO_ARGUMENT;
 * HALO_MEMORY. */
halo_status halo_nff_parse(const char *name, const char *text, size_t bytes,
                           const halo_nff_sink *sink);

#endif
