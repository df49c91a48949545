#include "kernels/trace/scene_internal.h"

#include "base/option.h"
#include "kernels/trace/convex.h"

#include <stdlib.h>

/* ---- room ------------------------------------------------------------------------------------ */

/* Room for `more` elements of `size` bytes behind the `count` that are there. */
static halo_status reserve(void **array, int64_t count, int64_t more, int64_t *room, size_t size)
{
    enum { FIRST = 16 };
    if (count + more <= *room) {
        return HALO_OK;
    }
    int64_t wanted = *room > 0 ? *room : FIRST;
    while (wanted < count + more) {
        wanted *= 2;
    }
    void *larger = realloc(*array, (size_t)wanted * size);
    if (larger == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a scene of %lld parts", (long long)wanted);
    }
    *array = larger;
    *room = wanted;
    return HALO_OK;
}

#define RESERVE(scene, what, more)                                                          \
    reserve((void **)&(scene)->what##s, (scene)->what##_count, more, &(scene)->what##_room, \
            sizeof *(scene)->what##s)

halo_status halo_trace_scene_create(halo_trace_scene **out)
{
    return HALO_ALLOCATE(*out, 1, "a scene");
}

void halo_trace_scene_destroy(halo_trace_scene **out)
{
    halo_trace_scene *scene = *out;
    if (scene != NULL) {
        free(scene->lights);
        free(scene->surfaces);
        free(scene->shapes);
        free(scene->points);
    }
    free(scene);
    *out = NULL;
}

void halo_trace_scene_get_facts_sized(const halo_trace_scene *scene, halo_trace_scene_facts *facts,
                                      size_t facts_bytes)
{
    const halo_trace_scene_facts own = {.spheres = scene->spheres,
                                        .cones = scene->cones,
                                        .polygons = scene->polygons,
                                        .shapes = scene->shape_count,
                                        .lights = scene->light_count,
                                        .surfaces = scene->surface_count,
                                        .empty = scene->empty};
    halo_report_give(facts, facts_bytes, &own, sizeof own);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static halo_status check_place(vector place, const char *what)
{
    double far = vector_largest(place);
    return far <= HALO_TRACE_FAR
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "%s is at (%g, %g, %g); places are at most %g from 0",
                           what, place.x, place.y, place.z, HALO_TRACE_FAR);
}

static bool is_colour(vector colour)
{
    const double brightest = 1e6;
    return colour.x >= 0 && colour.y >= 0 && colour.z >= 0 && vector_largest(colour) <= brightest;
}

static halo_status check_colour(vector colour, const char *what)
{
    return is_colour(colour) ? HALO_OK
                             : halo_fail(HALO_ARGUMENT,
                                         "%s has the colour %g %g %g; red, green and blue are "
                                         "from 0 on, usually up to 1",
                                         what, colour.x, colour.y, colour.z);
}

/* ---- view, lights and surfaces --------------------------------------------------------------- */

halo_status halo_trace_scene_set_view(halo_trace_scene *scene, const halo_trace_view *view)
{
    const double half_circle = 180, least = 1e-9;
    HALO_TRY(check_place(view->from, "the eye"));
    HALO_TRY(check_place(view->at, "the point that is looked at"));
    HALO_TRY(check_place(view->up, "the upward direction"));
    if (!(view->angle > 0 && view->angle < half_circle)) {
        return halo_fail(HALO_ARGUMENT,
                         "the angle of view is %g degrees; it is more than 0 and "
                         "less than 180",
                         view->angle);
    }
    vector way = vector_less(view->at, view->from);
    double length = vector_length(way), up = vector_length(view->up);
    if (!(length > 0)) {
        return halo_fail(HALO_ARGUMENT, "the eye is at the point that it looks at");
    }
    if (!(vector_length(vector_cross(way, view->up)) > least * length * up)) {
        return halo_fail(HALO_ARGUMENT, "the upward direction is 0, or is that of the view");
    }
    scene->view = *view;
    scene->seen = true;
    scene->largest = fmax(scene->largest, vector_largest(view->from));
    return HALO_OK;
}

halo_status halo_trace_scene_set_background(halo_trace_scene *scene, halo_trace_vector colour)
{
    HALO_TRY(check_colour(colour, "the background"));
    scene->background = colour;
    return HALO_OK;
}

halo_status halo_trace_scene_add_light(halo_trace_scene *scene, halo_trace_vector place,
                                       const halo_trace_vector *colour)
{
    HALO_TRY(check_place(place, "a light"));
    HALO_TRY(colour != NULL ? check_colour(*colour, "a light") : HALO_OK);
    if (scene->light_count == HALO_TRACE_MAX_LIGHTS) {
        return halo_fail(HALO_ARGUMENT, "there are more than %d lights", HALO_TRACE_MAX_LIGHTS);
    }
    HALO_TRY(RESERVE(scene, light, 1));
    scene->lights[scene->light_count++] =
        (trace_light){.place = place,
                      .colour = colour != NULL ? *colour : (vector){0, 0, 0},
                      .coloured = colour != NULL};
    return HALO_OK;
}

halo_status halo_trace_scene_set_surface(halo_trace_scene *scene, const halo_trace_surface *surface)
{
    const struct {
        const char *name;
        double value, max;
    } shares[] = {{"diffuse share", surface->diffuse, 100},
                  {"specular share", surface->specular, 100},
                  {"shine", surface->shine, 1e9},
                  {"transmittance", surface->transmittance, 1},
                  {"index of refraction", surface->index, 100}};
    HALO_TRY(check_colour(surface->colour, "a surface"));
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        if (!(shares[i].value >= 0 && shares[i].value <= shares[i].max)) {
            return halo_fail(HALO_ARGUMENT, "a surface has the %s %g; it is 0 to %g",
                             shares[i].name, shares[i].value, shares[i].max);
        }
    }
    if (scene->surface_count == INT32_MAX) {
        return halo_fail(HALO_ARGUMENT, "there are too many surfaces");
    }
    HALO_TRY(RESERVE(scene, surface, 1));
    scene->surfaces[scene->surface_count++] = *surface;
    return HALO_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static halo_status add_shape(halo_trace_scene *scene, const trace_shape *shape)
{
    enum { MAX = 1 << 28 }; /* what a child of a tree can name */
    if (scene->shape_count >= MAX) {
        return halo_fail(HALO_ARGUMENT, "there are more than %d shapes", MAX);
    }
    if (scene->surface_count == 0) {
        return halo_fail(HALO_ARGUMENT, "there is no surface yet for this shape");
    }
    HALO_TRY(RESERVE(scene, shape, 1));
    trace_shape *added = &scene->shapes[scene->shape_count++];
    *added = *shape;
    added->surface = (int32_t)scene->surface_count - 1;
    trace_box box = trace_shape_box(scene, added);
    for (int a = 0; a < 3; a++) {
        scene->largest = fmax(scene->largest, fmax(fabs(box.lo[a]), fabs(box.hi[a])));
    }
    return HALO_OK;
}

static halo_status check_radius(double radius, const char *what)
{
    return fabs(radius) <= HALO_TRACE_FAR
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "%s has the radius %g; it is at most %g", what, radius,
                           HALO_TRACE_FAR);
}

static halo_status leave_out(halo_trace_scene *scene)
{
    scene->empty++;
    return HALO_OK;
}

halo_status halo_trace_scene_add_sphere(halo_trace_scene *scene, halo_trace_vector centre,
                                        double radius)
{
    const double least = 1e-300;
    HALO_TRY(check_place(centre, "the centre of a sphere"));
    HALO_TRY(check_radius(radius, "a sphere"));
    if (!(fabs(radius) >= least)) {
        return leave_out(scene);
    }
    const trace_shape shape = {.kind = TRACE_SPHERE,
                               .inside = radius < 0,
                               .is.sphere = {.centre = centre, .radius = fabs(radius)}};
    HALO_TRY(add_shape(scene, &shape));
    scene->spheres++;
    return HALO_OK;
}

halo_status halo_trace_scene_add_cone(halo_trace_scene *scene, halo_trace_vector base,
                                      double base_radius, halo_trace_vector apex,
                                      double apex_radius)
{
    HALO_TRY(check_place(base, "the base of a cone"));
    HALO_TRY(check_place(apex, "the apex of a cone"));
    HALO_TRY(check_radius(base_radius, "the base of a cone"));
    HALO_TRY(check_radius(apex_radius, "the apex of a cone"));
    const double least = 1e-9;
    vector axis = vector_less(apex, base);
    double height = vector_length(axis), larger = fmax(fabs(base_radius), fabs(apex_radius));
    if (!(height > 0 && larger > 0)) {
        return leave_out(scene);
    }
    if (!(height > larger * least)) {
        return halo_fail(HALO_ARGUMENT,
                         "a cone is %g high and has the radius %g; it is at least a "
                         "billionth as high as that",
                         height, larger);
    }
    if (base_radius * apex_radius < 0) {
        return halo_fail(HALO_ARGUMENT,
                         "a cone has the radii %g and %g; both are from 0 on, or "
                         "both are negative where only its inside is visible",
                         base_radius, apex_radius);
    }
    double radius = fabs(base_radius);
    const trace_shape shape = {.kind = TRACE_CONE,
                               .inside = base_radius < 0 || apex_radius < 0,
                               .is.cone = {.base = base,
                                           .axis = vector_times(axis, 1 / height),
                                           .height = height,
                                           .radius = radius,
                                           .slope = (fabs(apex_radius) - radius) / height}};
    HALO_TRY(add_shape(scene, &shape));
    scene->cones++;
    return HALO_OK;
}

/* Points of the scene's own; the first one's number goes to *first. */
static halo_status add_points(halo_trace_scene *scene, const vector *points, int64_t count,
                              int64_t *first)
{
    HALO_TRY(RESERVE(scene, point, count));
    *first = scene->point_count;
    for (int64_t i = 0; i < count; i++) {
        scene->points[scene->point_count++] = points[i];
    }
    return HALO_OK;
}

static halo_status add_fan(halo_trace_scene *scene, const vector *corners, const vector *normals,
                           int64_t count)
{
    for (int64_t i = 1; i + 1 < count; i++) {
        trace_shape shape = {
            .kind = TRACE_TRIANGLE,
            .is.triangle = {.corner = {corners[0], corners[i], corners[i + 1]}, .normals = -1}};
        if (normals != NULL) {
            const vector own[] = {normals[0], normals[i], normals[i + 1]};
            HALO_TRY(add_points(scene, own, 3, &shape.is.triangle.normals));
        }
        HALO_TRY(add_shape(scene, &shape));
    }
    return HALO_OK;
}

static halo_status add_concave(halo_trace_scene *scene, const vector *corners,
                               const vector *normals, int64_t count, vector normal)
{
    trace_shape shape = {.kind = TRACE_POLYGON,
                         .is.polygon = {.count = count, .normals = -1, .normal = normal}};
    HALO_TRY(add_points(scene, corners, count, &shape.is.polygon.first));
    if (normals != NULL) {
        HALO_TRY(add_points(scene, normals, count, &shape.is.polygon.normals));
    }
    return add_shape(scene, &shape);
}

static halo_status check_corners(const vector *corners, const vector *normals, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(check_place(corners[i], "the corner of a polygon"));
        if (normals != NULL &&
            !(vector_length(normals[i]) > 0 && vector_largest(normals[i]) <= HALO_TRACE_FAR)) {
            return halo_fail(HALO_ARGUMENT,
                             "corner %lld of a polygon has the normal (%g, %g, %g); "
                             "it has a direction, and a length of at most %g",
                             (long long)i + 1, normals[i].x, normals[i].y, normals[i].z,
                             HALO_TRACE_FAR);
        }
    }
    return HALO_OK;
}

halo_status halo_trace_scene_add_polygon(halo_trace_scene *scene, const halo_trace_vector *corners,
                                         const halo_trace_vector *normals, int64_t count)
{
    HALO_TRY(check_corners(corners, normals, count));
    vector normal = trace_polygon_normal(corners, count);
    if (!(vector_length(normal) > 0)) {
        return leave_out(scene);
    }
    HALO_TRY(trace_polygon_is_convex(corners, count, normal)
                 ? add_fan(scene, corners, normals, count)
                 : add_concave(scene, corners, normals, count, normal));
    scene->polygons++;
    return HALO_OK;
}
