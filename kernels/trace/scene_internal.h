#ifndef HALOBEAT_TRACE_SCENE_INTERNAL_H
#define HALOBEAT_TRACE_SCENE_INTERNAL_H

#include "base/memory.h"
#include "kernels/trace/vector.h"

/* The primitives that rays are tested against. Convex polygons are fans of triangles. */
typedef enum { TRACE_SPHERE, TRACE_TRIANGLE, TRACE_POLYGON, TRACE_CONE } trace_kind;

typedef struct {
    trace_kind kind;
    int32_t surface;
    bool inside; /* only the inside is visible */
    union {
        struct {
            vector centre;
            double radius;
        } sphere;
        struct {
            vector corner[3];
            int64_t normals; /* index of the first of 3 in the scene, or -1 */
        } triangle;
        struct {
            int64_t first, count; /* corners in the scene */
            int64_t normals;      /* index of the first of as many normals, or -1 */
            vector normal;        /* not normalised */
        } polygon;
        struct {
            vector base, axis;            /* `axis` is a unit vector from the base on */
            double height, radius, slope; /* change of the radius along the axis */
        } cone;
    } is;
} trace_shape;

typedef struct {
    vector place, colour;
    bool coloured;
} trace_light;

struct halo_trace_scene {
    halo_trace_view view;
    bool seen; /* a view was set */
    vector background;
    trace_light *lights; /* [light_count] */
    halo_trace_surface *surfaces;
    trace_shape *shapes;
    vector *points; /* corners of concave polygons, and normals */
    int64_t light_count, surface_count, shape_count, point_count;
    int64_t light_room, surface_room, shape_room, point_room;
    int64_t spheres, cones, polygons;
    int64_t empty;  /* shapes without area */
    double largest; /* maximum coordinate of any shape or of the eye */
};

/* The bounding box of a shape. */
typedef struct {
    double lo[3], hi[3];
} trace_box;

trace_box trace_shape_box(const halo_trace_scene *scene, const trace_shape *shape);

/* The outward unit normal at a point of the shape. */
vector trace_shape_normal(const halo_trace_scene *scene, const trace_shape *shape, vector point);

/* The distance along the ray from `origin` in direction `way`, a unit vector, at which a polygon, a
 * cone, or the inside of a sphere is hit: above `min` and at most `max`; or -1. */
double trace_shape_hit(const halo_trace_scene *scene, const trace_shape *shape, vector origin,
                       vector way, double min, double max);

#endif
