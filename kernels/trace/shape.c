#include "kernels/trace/convex.h"
#include "kernels/trace/scene_internal.h"

/* ---- boxes ----------------------------------------------------------------------------------- */

static void take_in(trace_box *box, vector point)
{
    for (int a = 0; a < 3; a++) {
        double x = vector_axis(&point, a);
        box->lo[a] = fmin(box->lo[a], x);
        box->hi[a] = fmax(box->hi[a], x);
    }
}

static trace_box box_of_points(const vector *points, int64_t count)
{
    const double far = 4 * HALO_TRACE_FAR;
    trace_box box = {{far, far, far}, {-far, -far, -far}};
    for (int64_t i = 0; i < count; i++) {
        take_in(&box, points[i]);
    }
    return box;
}

static trace_box box_of_sphere(const halo_trace_scene *scene, const trace_shape *shape)
{
    vector c = shape->is.sphere.centre;
    double r = shape->is.sphere.radius;
    (void)scene;
    return (trace_box){{c.x - r, c.y - r, c.z - r}, {c.x + r, c.y + r, c.z + r}};
}

static trace_box box_of_triangle(const halo_trace_scene *scene, const trace_shape *shape)
{
    (void)scene;
    return box_of_points(shape->is.triangle.corner, 3);
}

static trace_box box_of_polygon(const halo_trace_scene *scene, const trace_shape *shape)
{
    return box_of_points(scene->points + shape->is.polygon.first, shape->is.polygon.count);
}

static trace_box box_of_cone(const halo_trace_scene *scene, const trace_shape *shape)
{
    (void)scene;
    vector base = shape->is.cone.base, axis = shape->is.cone.axis;
    vector apex = vector_along(base, shape->is.cone.height, axis);
    double r = shape->is.cone.radius, s = r + shape->is.cone.slope * shape->is.cone.height;
    const double wide[] = {sqrt(fmax(0, 1 - axis.x * axis.x)), sqrt(fmax(0, 1 - axis.y * axis.y)),
                           sqrt(fmax(0, 1 - axis.z * axis.z))};
    trace_box box;
    for (int a = 0; a < 3; a++) {
        double b = vector_axis(&base, a), t = vector_axis(&apex, a);
        box.lo[a] = fmin(b - r * wide[a], t - s * wide[a]);
        box.hi[a] = fmax(b + r * wide[a], t + s * wide[a]);
    }
    return box;
}

/* ---- normals --------------------------------------------------------------------------------- */

static vector normal_of_sphere(const halo_trace_scene *scene, const trace_shape *shape,
                               vector point)
{
    (void)scene;
    return vector_less(point, shape->is.sphere.centre);
}

/* Interpolate `normals` of three corners: the nearer a corner, the more it counts. */
static vector blend(const vector corner[3], const vector *normals, vector point, vector flat)
{
    vector sum = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        vector one = vector_less(corner[(i + 1) % 3], point);
        vector other = vector_less(corner[(i + 2) % 3], point);
        double share = vector_dot(vector_cross(one, other), flat);
        sum = vector_along(sum, share, vector_unit(normals[i]));
    }
    return vector_length(sum) > 0 ? sum : flat;
}

static vector normal_of_triangle(const halo_trace_scene *scene, const trace_shape *shape,
                                 vector point)
{
    const vector *corner = shape->is.triangle.corner;
    vector flat =
        vector_cross(vector_less(corner[1], corner[0]), vector_less(corner[2], corner[0]));
    return shape->is.triangle.normals < 0
               ? flat
               : blend(corner, scene->points + shape->is.triangle.normals, point, flat);
}

/* Average the normals of all corners: the nearer a corner, the more it counts. */
static vector normal_of_polygon(const halo_trace_scene *scene, const trace_shape *shape,
                                vector point)
{
    vector flat = shape->is.polygon.normal, sum = {0, 0, 0};
    if (shape->is.polygon.normals < 0) {
        return flat;
    }
    const vector *corners = scene->points + shape->is.polygon.first;
    const vector *normals = scene->points + shape->is.polygon.normals;
    for (int64_t i = 0; i < shape->is.polygon.count; i++) {
        vector off = vector_less(corners[i], point);
        double square = vector_dot(off, off);
        if (!(square > 0)) {
            return normals[i];
        }
        sum = vector_along(sum, 1 / square, vector_unit(normals[i]));
    }
    return vector_length(sum) > 0 ? sum : flat;
}

static vector normal_of_cone(const halo_trace_scene *scene, const trace_shape *shape, vector point)
{
    (void)scene;
    vector axis = shape->is.cone.axis, off = vector_less(point, shape->is.cone.base);
    vector across = vector_along(off, -vector_dot(off, axis), axis);
    double length = vector_length(across);
    across = length > 0 ? vector_times(across, 1 / length) : across;
    return vector_along(across, -shape->is.cone.slope, axis);
}

/* ---- hits ------------------------------------------------------------------------------------ */

static double hit_polygon(const halo_trace_scene *scene, const trace_shape *shape, vector origin,
                          vector way, double min, double max)
{
    const vector *corners = scene->points + shape->is.polygon.first;
    vector normal = shape->is.polygon.normal;
    double speed = vector_dot(normal, way);
    double t = vector_dot(normal, vector_less(corners[0], origin)) / speed;
    return t > min && t <= max &&
                   trace_polygon_has(corners, shape->is.polygon.count, normal,
                                     vector_along(origin, t, way))
               ? t
               : -1;
}

/* Is the cone hit at `t`, and from the side that is visible? */
static bool hits_cone(const trace_shape *shape, vector origin, vector way, double t)
{
    vector point = vector_along(origin, t, way);
    double up = vector_dot(vector_less(point, shape->is.cone.base), shape->is.cone.axis);
    return up >= 0 && up <= shape->is.cone.height &&
           shape->is.cone.radius + shape->is.cone.slope * up >= 0 &&
           (!shape->inside || vector_dot(normal_of_cone(NULL, shape, point), way) > 0);
}

/* |across + t * sideways| = radius + slope * (up + t * rise) */
static double hit_cone(const halo_trace_scene *scene, const trace_shape *shape, vector origin,
                       vector way, double min, double max)
{
    (void)scene;
    vector axis = shape->is.cone.axis, off = vector_less(origin, shape->is.cone.base);
    double slope = shape->is.cone.slope, rise = vector_dot(way, axis), up = vector_dot(off, axis);
    vector sideways = vector_along(way, -rise, axis), across = vector_along(off, -up, axis);
    double radius = shape->is.cone.radius + slope * up, widening = slope * rise;
    double a = vector_dot(sideways, sideways) - widening * widening;
    double b = vector_dot(across, sideways) - radius * widening;
    double c = vector_dot(across, across) - radius * radius;
    double root = b * b - a * c;
    if (!(root >= 0)) {
        return -1;
    }
    double q =
        b > 0 ? -(b + sqrt(root)) : sqrt(root) - b; /* c / q and q / a, without cancellation */
    double one = c / q, other = q / a;
    const double t[] = {fmin(one, other), fmax(one, other)};
    for (int i = 0; i < 2; i++) {
        if (t[i] > min && t[i] <= max && hits_cone(shape, origin, way, t[i])) {
            return t[i];
        }
    }
    return -1;
}

static double hit_inside(const halo_trace_scene *scene, const trace_shape *shape, vector origin,
                         vector way, double min, double max)
{
    vector off = vector_less(shape->is.sphere.centre, origin);
    double along = vector_dot(off, way), r = shape->is.sphere.radius;
    vector aside = vector_along(off, -along, way);
    double root = r * r - vector_dot(aside, aside);
    double t = root >= 0 ? along + sqrt(root) : -1;
    (void)scene;
    return t > min && t <= max ? t : -1;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Triangles, and spheres from outside, are hit in leaves of several (trace_ops.h). */
static const struct {
    trace_box (*box)(const halo_trace_scene *scene, const trace_shape *shape);
    vector (*normal)(const halo_trace_scene *scene, const trace_shape *shape, vector point);
    double (*hit)(const halo_trace_scene *scene, const trace_shape *shape, vector origin,
                  vector way, double min, double max);
} kinds[] = {[TRACE_SPHERE] = {box_of_sphere, normal_of_sphere, hit_inside},
             [TRACE_TRIANGLE] = {box_of_triangle, normal_of_triangle, NULL},
             [TRACE_POLYGON] = {box_of_polygon, normal_of_polygon, hit_polygon},
             [TRACE_CONE] = {box_of_cone, normal_of_cone, hit_cone}};

trace_box trace_shape_box(const halo_trace_scene *scene, const trace_shape *shape)
{
    return kinds[shape->kind].box(scene, shape);
}

vector trace_shape_normal(const halo_trace_scene *scene, const trace_shape *shape, vector point)
{
    return vector_unit(kinds[shape->kind].normal(scene, shape, point));
}

double trace_shape_hit(const halo_trace_scene *scene, const trace_shape *shape, vector origin,
                       vector way, double min, double max)
{
    return kinds[shape->kind].hit(scene, shape, origin, way, min, max);
}
