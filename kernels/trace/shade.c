#include "kernels/trace/shade.h"

#include "kernels/trace/maths.h"

/* A ray, and how much of a pixel it is. */
typedef struct {
    trace_ray ray;
    int64_t depth;
    double weight;
} branch;

/* The point at which a ray meets a surface. */
typedef struct {
    const halo_trace_surface *surface;
    vector point, normal; /* the normal on the ray's side */
    vector mirrored;      /* the direction of the reflected ray */
    bool enters;          /* is it the outside of the shape? */
} place;

static vector follow(trace_walk *walk, const branch *from);

/* ---- light of the lamps ---------------------------------------------------------------------- */

/* Return the light that a lamp of this colour in direction `way` sends back: scattered, and in
 * highlights. */
static vector lit(const place *at, vector colour, vector way, double facing)
{
    const halo_trace_surface *surface = at->surface;
    vector sum = vector_times(vector_filter(surface->colour, colour), surface->diffuse * facing);
    double mirror = surface->specular > 0 ? vector_dot(at->mirrored, way) : 0;
    if (mirror > 0) {
        sum = vector_along(sum, surface->specular * trace_power(mirror, surface->shine), colour);
    }
    return sum;
}

static vector add_lights(trace_walk *walk, const place *at, vector sum)
{
    const trace_stage *stage = walk->stage;
    for (int64_t i = 0; i < stage->scene->light_count; i++) {
        const trace_light *light = &stage->scene->lights[i];
        vector way = vector_less(light->place, at->point);
        double distance = vector_length(way);
        way = vector_times(way, 1 / distance);
        double facing = vector_dot(at->normal, way);
        if (!(facing > 0)) {
            continue;
        }
        walk->counts.shadow_rays++;
        const trace_ray ray = {at->point, way, distance};
        double share = stage->ops->through(stage->tree, &ray, &walk->hints[i], &walk->counts.steps);
        if (share > 0) {
            sum = vector_along(sum, share, lit(at, stage->lights[i], way, facing));
        }
    }
    return sum;
}

/* ---- reflection and refraction --------------------------------------------------------------- */

/* The share of the colour that another ray brings, which begins here. */
static vector add_branch(trace_walk *walk, const branch *from, const place *at, vector way,
                         double share, int64_t *count, vector sum)
{
    const trace_stage *stage = walk->stage;
    const branch next = {.ray = {at->point, way, from->ray.max},
                         .depth = from->depth + 1,
                         .weight = from->weight * share};
    if (!(share > 0) || next.depth > stage->depth || next.weight < stage->cutoff) {
        return sum;
    }
    ++*count;
    return vector_along(sum, share, follow(walk, &next));
}

/* The direction behind the surface by Snell's law; false where all is reflected. */
static bool refract(const place *at, vector way, vector *out)
{
    double index = at->surface->index > 0 ? at->surface->index : 1;
    double ratio = at->enters ? 1 / index : index;
    double cosine = -vector_dot(at->normal, way);
    double rest = 1 - ratio * ratio * (1 - cosine * cosine);
    if (!(rest >= 0)) {
        return false;
    }
    vector bent = vector_along(vector_times(way, ratio), ratio * cosine - sqrt(rest), at->normal);
    *out = vector_unit(bent);
    return true;
}

static vector add_branches(trace_walk *walk, const branch *from, const place *at, vector sum)
{
    const halo_trace_surface *surface = at->surface;
    double mirrors = surface->specular;
    vector bent;
    if (surface->transmittance > 0) {
        if (refract(at, from->ray.way, &bent)) {
            sum = add_branch(walk, from, at, bent, surface->transmittance, &walk->counts.refracted,
                             sum);
        } else {
            mirrors += surface->transmittance;
        }
    }
    return add_branch(walk, from, at, at->mirrored, mirrors, &walk->counts.reflected, sum);
}

/* ---- rays ------------------------------------------------------------------------------------ */

static place find_place(const trace_stage *stage, const trace_ray *ray, const trace_hit *hit)
{
    const trace_shape *shape = &stage->scene->shapes[hit->shape];
    place at = {.surface = &stage->scene->surfaces[shape->surface],
                .point = vector_along(ray->origin, hit->t, ray->way)};
    at.normal = trace_shape_normal(stage->scene, shape, at.point);
    double facing = vector_dot(at.normal, ray->way);
    at.enters = facing < 0;
    if (!at.enters) {
        at.normal = vector_times(at.normal, -1);
        facing = -facing;
    }
    at.mirrored = vector_along(ray->way, -2 * facing, at.normal);
    return at;
}

static vector follow(trace_walk *walk, const branch *from)
{
    const trace_stage *stage = walk->stage;
    walk->counts.rays++;
    trace_hit hit = stage->ops->nearest(stage->tree, &from->ray, &walk->counts.steps);
    if (hit.shape < 0) {
        return stage->scene->background;
    }
    place at = find_place(stage, &from->ray, &hit);
    vector sum = vector_times(at.surface->colour, stage->ambient * at.surface->diffuse);
    sum = add_lights(walk, &at, sum);
    return add_branches(walk, from, &at, sum);
}

vector trace_colour(trace_walk *walk, vector origin, vector way)
{
    const branch first = {.ray = {origin, way, 8 * HALO_TRACE_FAR}, .depth = 1, .weight = 1};
    return follow(walk, &first);
}
