#ifndef HALOBEAT_TRACE_TRACE_SCENE_H
#define HALOBEAT_TRACE_TRACE_SCENE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A scene for ray tracing: what Eric Haines' Neutral File Format (NFF) can say. Everything is
 * local.
 *
 * A scene is put together shape by shape; shapes have the surface that was set last. Lengths are of
 * one unit, whichever it is, and places at most HALO_TRACE_FAR from 0. Colours are red, green and
 * blue, usually 0 to 1. Functions that add something fail with HALO_ARGUMENT, and a message about
 * what it is, for what cannot be drawn, and with HALO_MEMORY. */
typedef struct halo_trace_scene halo_trace_scene;

#define HALO_TRACE_FAR 1e9

enum { HALO_TRACE_MAX_LIGHTS = 1024 };

typedef struct {
    double x, y, z; /* or red, green, blue */
} halo_trace_vector;

/* The eye. */
typedef struct {
    halo_trace_vector from, at, up; /* `at` is in the middle of the picture */
    double angle;                   /* degrees that the picture is high, above 0, below 180 */
} halo_trace_view;

typedef struct {
    halo_trace_vector colour;
    double diffuse;       /* share of light that it scatters in its colour */
    double specular;      /* share that it reflects, as a mirror and in highlights */
    double shine;         /* exponent of highlights (Phong) */
    double transmittance; /* share that goes through, of refracted rays and of light */
    double index;         /* of refraction; 0: rays go straight on */
} halo_trace_surface;

/* Three of each, numbers of what it consists of. */
typedef struct {
    int64_t spheres, cones, polygons; /* as they were added, */
    int64_t shapes;                   /* and what rays are tested against */
    int64_t lights, surfaces;
} halo_trace_scene_facts;

halo_status halo_trace_scene_create(halo_trace_scene **out);

/* Accepts a pointer to NULL. */
void halo_trace_scene_destroy(halo_trace_scene **scene);

/* Once a scene needs a view; black is the background of one that sets none. */
halo_status halo_trace_scene_set_view(halo_trace_scene *scene, const halo_trace_view *view);
halo_status halo_trace_scene_set_background(halo_trace_scene *scene, halo_trace_vector colour);

/* `colour` may be NULL: then all such lights are white, and together as bright as suits their
 * number, each 1 / sqrt(lights). */
halo_status halo_trace_scene_add_light(halo_trace_scene *scene, halo_trace_vector place,
                                       const halo_trace_vector *colour);

halo_status halo_trace_scene_set_surface(halo_trace_scene *scene,
                                         const halo_trace_surface *surface);

/* Of a sphere whose radius is negative, and a cone whose radii both are, only the inside is
 * visible; other shapes are visible from both sides. A cone, or cylinder, is open at both ends. */
halo_status halo_trace_scene_add_sphere(halo_trace_scene *scene, halo_trace_vector centre,
                                        double radius);
halo_status halo_trace_scene_add_cone(halo_trace_scene *scene, halo_trace_vector base,
                                      double base_radius, halo_trace_vector apex,
                                      double apex_radius);

/* A polygon with `count` corners in a plane, 3 or more, counterclockwise as seen from outside; it
 * may be concave. `normals` [count], or NULL: those of the curved surface that it stands for. */
halo_status halo_trace_scene_add_polygon(halo_trace_scene *scene, const halo_trace_vector *corners,
                                         const halo_trace_vector *normals, int64_t count);

halo_trace_scene_facts halo_trace_scene_get_facts(const halo_trace_scene *scene);

#endif
