#ifndef HALOBEAT_TRACE_TRACE_SCENE_H
#define HALOBEAT_TRACE_TRACE_SCENE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A scene for ray tracing, with the contents of Eric Haines' Neutral File Format (NFF). Everything
 * is local.
 *
 * Shapes are added one by one, and have the surface that was set last. Lengths are in any unit;
 * coordinates are at most HALO_TRACE_FAR from 0. Colours are red, green and blue, usually 0 to 1.
 * Functions that add something return HALO_ARGUMENT, with a message about it, for what cannot be
 * drawn, and HALO_MEMORY. */
typedef struct halo_trace_scene halo_trace_scene;

#define HALO_TRACE_FAR 1e9

enum { HALO_TRACE_MAX_LIGHTS = 1024 };

typedef struct {
    double x, y, z; /* or red, green, blue */
} halo_trace_vector;

/* The view. */
typedef struct {
    halo_trace_vector from, at, up; /* `at` is in the middle of the image */
    double angle;                   /* of the image's height in degrees, above 0 and below 180 */
} halo_trace_view;

typedef struct {
    halo_trace_vector colour;
    double diffuse;       /* share of light scattered in the colour */
    double specular;      /* share reflected, by mirroring and in highlights */
    double shine;         /* exponent of highlights (Phong) */
    double transmittance; /* share that passes through: of refracted rays, and of light */
    double index;         /* of refraction; 0: rays go straight on */
} halo_trace_surface;

/* The contents of a scene. */
typedef struct {
    int64_t spheres, cones, polygons; /* as they were added */
    int64_t shapes;                   /* primitives that rays are tested against */
    int64_t lights, surfaces;
    int64_t empty; /* shapes without area that were left out */
} halo_trace_scene_facts;

/* Creates an empty scene; the caller destroys it. HALO_MEMORY. */
halo_status halo_trace_scene_create(halo_trace_scene **out);

/* Frees the scene and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_trace_scene_destroy(halo_trace_scene **scene);

/* A scene needs a view. The default background is black. */
halo_status halo_trace_scene_set_view(halo_trace_scene *scene, const halo_trace_view *view);
halo_status halo_trace_scene_set_background(halo_trace_scene *scene, halo_trace_vector colour);

/* `colour` may be NULL: all such lights are white, and each has brightness 1 / sqrt(lights). */
halo_status halo_trace_scene_add_light(halo_trace_scene *scene, halo_trace_vector place,
                                       const halo_trace_vector *colour);

/* Sets the surface of the shapes that are added after it. */
halo_status halo_trace_scene_set_surface(halo_trace_scene *scene,
                                         const halo_trace_surface *surface);

/* A shape without area (a sphere or cone of radius 0, a cone of height 0, a polygon of less than
 * three corners or with all of them on a line) cannot be seen: it is left out, and counted.
 * Programs that export scenes write such shapes.
 *
 * If the radius of a sphere, or both radii of a cone, are negative, only the inside is visible;
 * other shapes are visible from both sides. A cone or cylinder is open at both ends. */
halo_status halo_trace_scene_add_sphere(halo_trace_scene *scene, halo_trace_vector centre,
                                        double radius);
halo_status halo_trace_scene_add_cone(halo_trace_scene *scene, halo_trace_vector base,
                                      double base_radius, halo_trace_vector apex,
                                      double apex_radius);

/* A plane polygon with [count] corners, counter-clockwise as seen from outside; it may
 * be concave. `normals` [count] are those of the curved surface that it approximates, or NULL. */
halo_status halo_trace_scene_add_polygon(halo_trace_scene *scene, const halo_trace_vector *corners,
                                         const halo_trace_vector *normals, int64_t count);

/* The numbers of what the scene has. */
void halo_trace_scene_get_facts_sized(const halo_trace_scene *scene, halo_trace_scene_facts *facts,
                                      size_t facts_bytes);
static inline halo_trace_scene_facts halo_trace_scene_get_facts(const halo_trace_scene *scene)
{
    halo_trace_scene_facts halo_filled;
    halo_trace_scene_get_facts_sized(scene, &halo_filled, sizeof(halo_trace_scene_facts));
    return halo_filled;
}

#endif
