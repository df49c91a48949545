#include "base/random.h"
#include "kernels/trace/convex.h"
#include "kernels/trace/maths.h"
#include "kernels/trace/trace.h"
#include "kernels/trace/trace_ops.h"
#include "support/unit_check.h"

enum { SETS = 3, RAYS = 4000 };

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(trace_ops, AVX512);

/* ---- numbers --------------------------------------------------------------------------------- */

static int64_t drawn;

/* From `lo` to `hi`. */
static double draw(double lo, double hi)
{
    return lo + (hi - lo) * (double)halo_random_at(7, 0, drawn++) / 4294967296.0;
}

static vector draw_vector(double size)
{
    double x = draw(-size, size), y = draw(-size, size);
    return (vector){x, y, draw(-size, size)};
}

TEST("powers and tangents")
{
    for (int i = 0; i < 20000; i++) {
        double x = i % 3 == 0 ? exp(-draw(0, 40)) : draw(0, 1), y = exp(draw(-3, 8));
        NEAR(trace_power(x, y), pow(x, y), 1e-12);
    }
    CU_ASSERT_EQUAL(trace_power(0, 2), 0);
    CU_ASSERT_EQUAL(trace_power(1, 1000), 1);
    CU_ASSERT_EQUAL(trace_power(0.5, 3), 0.125);
    for (double degrees = 0.001; degrees < 89.99; degrees += 0.37) {
        double wanted = tan(degrees * 3.14159265358979323846 / 180);
        NEAR(trace_tangent(degrees), wanted, 1e-12 * (1 + wanted));
    }
}

TEST("convex polygons and others")
{
    static const struct {
        bool convex;
        int64_t count;
        double at[10][2];
    } shapes[] = {{true, 3, {{0, 0}, {1, 0}, {0, 1}}},
                  {true, 4, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
                  {true, 5, {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {0, 1}}},
                  {false, 4, {{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}}},
                  {false, 5, {{0, -1}, {0.59, 0.81}, {-0.95, -0.31}, {0.95, -0.31}, {-0.59, 0.81}}},
                  {false, 6, {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}}};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        for (int turn = 0; turn < 20; turn++) { /* in any plane, from any corner on */
            vector corners[10], u = vector_unit(draw_vector(1)), v;
            v = vector_unit(vector_cross(u, draw_vector(1)));
            int64_t n = shapes[i].count;
            for (int64_t k = 0; k < n; k++) {
                const double *at = shapes[i].at[(k + turn) % n];
                corners[k] = vector_along(vector_times(u, at[0]), at[1], v);
            }
            vector normal = trace_polygon_normal(corners, n);
            check(trace_polygon_is_convex(corners, n, normal) == shapes[i].convex || i == 2,
                  "polygon %zu, turn %d", i, turn);
        }
    }
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* A scene of all kinds of shapes: how many, how large, and how far away from 0. */
static halo_trace_scene *make_scene(int count, double size, vector middle)
{
    halo_trace_scene *scene;
    SUCCEEDS(halo_trace_scene_create(&scene));
    const halo_trace_view view = {vector_add(middle, (vector){0, 0, 20}), middle, {0, 1, 0}, 40};
    SUCCEEDS(halo_trace_scene_set_view(scene, &view));
    for (int i = 0; i < count; i++) {
        const halo_trace_surface surface = {{1, 1, 1}, 1, 0, 1, i % 4 == 0 ? 0.5 : 0, 1};
        SUCCEEDS(halo_trace_scene_set_surface(scene, &surface));
        vector at = vector_add(middle, draw_vector(5)), one = draw_vector(size);
        vector other = draw_vector(size), star[6];
        for (int k = 0; k < 6; k++) { /* an L */
            static const double corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
            star[k] = vector_along(vector_along(at, corner[k][0], one), corner[k][1], other);
        }
        const vector corners[] = {at, vector_add(at, one), vector_add(at, other)};
        switch (i % 6) {
        case 0:
            SUCCEEDS(halo_trace_scene_add_sphere(scene, at, draw(0.1, 1) * size));
            break;
        case 1:
            SUCCEEDS(halo_trace_scene_add_sphere(scene, at, -draw(0.1, 1) * size));
            break;
        case 2:
            SUCCEEDS(halo_trace_scene_add_polygon(scene, star, NULL, 6));
            break;
        case 3:
            SUCCEEDS(halo_trace_scene_add_cone(scene, at, draw(0, 1) * size, corners[1],
                                               draw(0.1, 1) * size));
            break;
        case 4: { /* whose box is flat */
            const vector flat[] = {at, vector_add(at, (vector){size, 0, 0}),
                                   vector_add(at, (vector){0, size, 0})};
            SUCCEEDS(halo_trace_scene_add_polygon(scene, flat, NULL, 3));
            break;
        }
        default:
            SUCCEEDS(halo_trace_scene_add_polygon(scene, corners, NULL, 3));
        }
    }
    return scene;
}

/* Return the distance at which a ray meets a shape, by other formulas than the tree's. */
static double meet(const halo_trace_scene *scene, const trace_shape *shape, const trace_ray *ray,
                   double near)
{
    if (shape->kind == TRACE_SPHERE) {
        vector off = vector_less(ray->origin, shape->is.sphere.centre);
        double b = vector_dot(off, ray->way), r = shape->is.sphere.radius;
        double root = b * b - (vector_dot(off, off) - r * r);
        double one = -b - sqrt(root), other = -b + sqrt(root);
        return !(root >= 0) ? -1 : one > near && !shape->inside ? one : other > near ? other : -1;
    }
    if (shape->kind == TRACE_TRIANGLE) { /* Moeller and Trumbore's */
        const vector *c = shape->is.triangle.corner;
        vector e = vector_less(c[1], c[0]), f = vector_less(c[2], c[0]);
        vector p = vector_cross(ray->way, f), t = vector_less(ray->origin, c[0]);
        double d = vector_dot(e, p), u = vector_dot(t, p) / d;
        vector q = vector_cross(t, e);
        double v = vector_dot(ray->way, q) / d, at = vector_dot(f, q) / d;
        return u >= 0 && v >= 0 && u + v <= 1 && at > near ? at : -1;
    }
    return trace_shape_hit(scene, shape, ray->origin, ray->way, near, ray->max);
}

static trace_hit meet_all(const trace_tree *tree, const trace_ray *ray, double *light)
{
    const halo_trace_scene *scene = tree->scene;
    trace_hit best = {-1, -1};
    *light = 1;
    for (int64_t i = 0; i < scene->shape_count; i++) {
        double t = meet(scene, &scene->shapes[i], ray, tree->near);
        if (t > 0 && t <= ray->max) {
            *light *= scene->surfaces[scene->shapes[i].surface].transmittance;
            best = best.shape < 0 || t < best.t ? (trace_hit){t, (int32_t)i} : best;
        }
    }
    return best;
}

/* From near the middle to near it, or, of a scene, to one of its shapes. */
static trace_ray draw_ray(vector middle, const halo_trace_scene *scene, int i)
{
    static const vector axes[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-0.0, 0, -1}};
    vector from = vector_add(middle, draw_vector(8)), to = vector_add(middle, draw_vector(5));
    if (scene != NULL && scene->shape_count > 0 && i % 2 == 0) {
        int64_t shape = (int64_t)draw(0, (double)scene->shape_count);
        trace_box box = trace_shape_box(scene, &scene->shapes[shape]);
        to = (vector){draw(box.lo[0], box.hi[0]), draw(box.lo[1], box.hi[1]),
                      draw(box.lo[2], box.hi[2])};
    }
    return (trace_ray){from, i % 16 < 4 ? axes[i % 4] : vector_unit(vector_less(to, from)),
                       i % 3 == 0 ? draw(1, 8) : 1e6};
}

/* All instructions find the same as a search through all shapes; to the last bit the same as each
 * other. */
static void compare(int count, double size, vector middle)
{
    halo_trace_scene *scene = make_scene(count, size, middle);
    trace_tree tree = {0};
    SUCCEEDS(trace_tree_build(&tree, scene));
    double tolerance = 1e-8 * (1 + vector_largest(middle));
    int hits = 0;
    for (int i = 0; i < RAYS; i++) {
        const trace_ray ray = draw_ray(middle, scene, i);
        double light, first_light = -1;
        trace_hit wanted = meet_all(&tree, &ray, &light), first = {0, 0};
        int64_t first_steps = -1;
        hits += wanted.shape >= 0;
        for (const halo_isa_variant *v = variants; v != NULL; v = halo_isa_next(v)) {
            if (!halo_isa_supported(v->isa)) {
                continue;
            }
            const trace_ops *ops = v->ops;
            int64_t steps = 0;
            int32_t hint = TRACE_NODE;
            trace_hit found = ops->nearest(&tree, &ray, &steps);
            double through = ops->through(&tree, &ray, &hint, &steps);
            double again = ops->through(&tree, &ray, &hint, &(int64_t){0});
            check(fabs(found.t - wanted.t) <= tolerance,
                  "%s: ray %d meets %d at %.17g, not %d at %.17g", halo_isa_name(v->isa), i,
                  found.shape, found.t, wanted.shape, wanted.t);
            check(fabs(through - light) < 1e-15, "%s: ray %d lets %g through, not %g",
                  halo_isa_name(v->isa), i, through, light);
            check(through == again, "ray %d: %g with a hint, %g without", i, again, through);
            if (first_steps >= 0) {
                check(found.t == first.t && found.shape == first.shape && steps == first_steps &&
                          through == first_light,
                      "%s: ray %d: another result", halo_isa_name(v->isa), i);
            }
            first = found;
            first_steps = steps;
            first_light = through;
        }
    }
    check(count == 0 || hits > RAYS / 20, "only %d of %d rays meet anything", hits, RAYS);
    trace_tree_free(&tree);
    halo_trace_scene_destroy(&scene);
}

TEST("trees beside a search of all")
{
    const vector here = {0, 0, 0};
    compare(0, 1, here);
    compare(1, 3, here);
    compare(7, 3, here);
    compare(100, 1, here);
    compare(1000, 0.3, here);
    compare(200, 2, here);
    compare(300, 0.7, (vector){1e4, -3e4, 2e4});
    compare(300, 0.05, (vector){-3e4, 1e4, 2e4});
}

/* How far a point is outside of a cone's surface, squared; *within: is it between both ends? */
static double outside(const trace_shape *cone, vector point, bool *within)
{
    vector off = vector_less(point, cone->is.cone.base);
    double up = vector_dot(off, cone->is.cone.axis);
    double radius = cone->is.cone.radius + cone->is.cone.slope * up;
    *within = up > 0 && up < cone->is.cone.height;
    return vector_dot(off, off) - up * up - radius * radius;
}

/* The first step on which the surface is crossed between both ends, or -1. */
static int march(const trace_shape *cone, const trace_ray *ray, double step, int steps)
{
    bool before, after;
    double last = outside(cone, ray->origin, &before);
    for (int k = 1; k <= steps; k++) {
        double now = outside(cone, vector_along(ray->origin, k * step, ray->way), &after);
        if (before && after && (now > 0) != (last > 0)) {
            return k;
        }
        last = now;
        before = after;
    }
    return -1;
}

TEST("cones")
{
    enum { STEPS = 4000 };
    const double step = 20.0 / STEPS;
    int hits = 0, differ = 0;
    for (int i = 0; i < 1000; i++) {
        halo_trace_scene *scene;
        SUCCEEDS(halo_trace_scene_create(&scene));
        SUCCEEDS(halo_trace_scene_set_surface(scene, &(halo_trace_surface){.colour = {1, 1, 1}}));
        vector base = draw_vector(2), apex = draw_vector(2);
        double radius = i % 5 == 0 ? 0 : draw(0.2, 2), top = i % 5 == 1 ? radius : draw(0, 2);
        SUCCEEDS(halo_trace_scene_add_cone(scene, base, radius, apex, i % 5 == 2 ? 0 : top));
        const trace_shape *cone = &scene->shapes[0];
        trace_ray ray = draw_ray((vector){0, 0, 0}, NULL, i);
        double t = trace_shape_hit(scene, cone, ray.origin, ray.way, 1e-9, 20);
        int k = march(cone, &ray, step, STEPS);
        bool within;
        if (t > 0) {
            vector at = vector_along(ray.origin, t, ray.way);
            NEAR(outside(cone, at, &within), 0, 1e-9);
            CU_ASSERT_TRUE(within);
            trace_box box = trace_shape_box(scene, cone);
            for (int a = 0; a < 3; a++) {
                double x = vector_axis(&at, a);
                CU_ASSERT_TRUE(x >= box.lo[a] - 1e-9 && x <= box.hi[a] + 1e-9);
            }
        }
        hits += t > 0;
        differ += k < 0 ? t > 0 : !(t > (k - 1.01) * step && t < (k + 0.01) * step);
        halo_trace_scene_destroy(&scene);
    }
    check(hits > 50, "only %d of 1000 cones are met", hits);
    check(differ < 10, "%d of 1000 cones are met elsewhere", differ); /* steps pass over edges */
}

TEST("of shapes in one place the first of the scene is met")
{
    halo_trace_scene *scene;
    trace_tree tree = {0};
    SUCCEEDS(halo_trace_scene_create(&scene));
    SUCCEEDS(halo_trace_scene_set_surface(scene, &(halo_trace_surface){.colour = {1, 1, 1}}));
    for (int i = 0; i < 100; i++) {
        SUCCEEDS(halo_trace_scene_add_sphere(scene, (vector){0, 0, 0}, 1));
    }
    SUCCEEDS(trace_tree_build(&tree, scene));
    for (int i = 0; i < 50; i++) {
        vector from = vector_times(vector_unit(draw_vector(1)), 5);
        const trace_ray ray = {from, vector_times(from, -0.2), 100};
        trace_hit found = trace_ops_plain.nearest(&tree, &ray, &(int64_t){0});
        CU_ASSERT_EQUAL(found.shape, 0);
        NEAR(found.t, 4, 1e-12);
    }
    trace_tree_free(&tree);
    halo_trace_scene_destroy(&scene);
}

/* Rays from a point through the edges and corners of a closed surface do not get through. */
TEST("no ray gets through between triangles")
{
    enum { ACROSS = 24 };
    halo_trace_scene *scene;
    trace_tree tree = {0};
    SUCCEEDS(halo_trace_scene_create(&scene));
    SUCCEEDS(halo_trace_scene_set_surface(scene, &(halo_trace_surface){.colour = {1, 1, 1}}));
    for (int i = 0; i < ACROSS * ACROSS; i++) {
        double x = i % ACROSS - 0.5 * ACROSS, y = i / ACROSS - 0.5 * ACROSS;
        const vector four[] = {{x, y, 0.1 * sin(x + y)},
                               {x + 1, y, 0.1 * sin(x + 1 + y)},
                               {x + 1, y + 1, 0.1 * sin(x + y + 2)},
                               {x, y + 1, 0.1 * sin(x + y + 1)}};
        const vector one[] = {four[0], four[1], four[2]}, other[] = {four[0], four[2], four[3]};
        SUCCEEDS(halo_trace_scene_add_polygon(scene, one, NULL, 3));
        SUCCEEDS(halo_trace_scene_add_polygon(scene, other, NULL, 3));
    }
    SUCCEEDS(trace_tree_build(&tree, scene));
    for (int i = 0; i < 20000; i++) {
        double x = floor(draw(1 - 0.5 * ACROSS, 0.5 * ACROSS)),
               y = draw(1 - 0.5 * ACROSS, 0.5 * ACROSS - 1);
        y = i % 2 == 0 ? floor(y) : y;
        double share = y - floor(y), low = 0.1 * sin(x + floor(y)),
               high = 0.1 * sin(x + floor(y) + 1);
        vector from = {0.3, 0.2, 7}, to = {x, y, low + share * (high - low)};
        const trace_ray ray = {from, vector_unit(vector_less(to, from)), 100};
        check(trace_ops_plain.nearest(&tree, &ray, &(int64_t){0}).shape >= 0, "ray %d to (%g, %g)",
              i, x, y);
    }
    trace_tree_free(&tree);
    halo_trace_scene_destroy(&scene);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static vector pixel_of(const halo_trace_scene *scene, const halo_trace_options *options)
{
    halo_trace *trace;
    halo_trace_counts counts;
    unsigned char pixels[HALO_TRACE_TILE_BYTES];
    SUCCEEDS(halo_trace_create(&trace, scene, options));
    halo_trace_draw(trace, 0, pixels, &counts);
    halo_trace_destroy(&trace);
    return (vector){pixels[0], pixels[1], pixels[2]};
}

/* One pixel, whose colour can be told without a tracer. */
TEST("colours")
{
    const halo_trace_options one = {.width = 1, .height = 1, .subpixels = 1, .depth = 5};
    halo_trace_scene *scene;
    SUCCEEDS(halo_trace_scene_create(&scene));
    FAILS(HALO_ARGUMENT, "no view", halo_trace_create(&(halo_trace *){NULL}, scene, &one));
    SUCCEEDS(
        halo_trace_scene_set_view(scene, &(halo_trace_view){{0, 0, 9}, {0, 0, 0}, {0, 1, 0}, 30}));
    SUCCEEDS(halo_trace_scene_set_background(scene, (vector){0.2, 0.4, 0.6}));
    vector pixel = pixel_of(scene, &one);
    CU_ASSERT_TRUE(pixel.x == 51 && pixel.y == 102 && pixel.z == 153);
    /* A white light at 60 degrees from the normal: half of the colour. */
    SUCCEEDS(halo_trace_scene_add_light(scene, (vector){sqrt(3) * 10, 0, 10}, &(vector){1, 1, 1}));
    SUCCEEDS(halo_trace_scene_set_surface(
        scene, &(halo_trace_surface){.colour = {1, 0.5, 0}, .diffuse = 0.8}));
    static const vector square[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    SUCCEEDS(halo_trace_scene_add_polygon(scene, square, NULL, 4));
    pixel = pixel_of(scene, &one);
    CU_ASSERT_TRUE(pixel.x == 102 && pixel.y == 51 && pixel.z == 0);
    /* Behind a pane that lets half of it through, both ways, without scattering any. */
    SUCCEEDS(halo_trace_scene_set_surface(
        scene, &(halo_trace_surface){.colour = {1, 1, 1}, .transmittance = 0.5, .index = 1}));
    static const vector pane[] = {{-99, -99, 3}, {99, -99, 3}, {99, 99, 3}, {-99, 99, 3}};
    SUCCEEDS(halo_trace_scene_add_polygon(scene, pane, NULL, 4));
    pixel = pixel_of(scene, &one);
    CU_ASSERT_TRUE(pixel.x == 26 && pixel.y == 13 && pixel.z == 0);
    halo_trace_options bad = one;
    bad.depth = 65;
    FAILS(HALO_ARGUMENT, "the depth", halo_trace_create(&(halo_trace *){NULL}, scene, &bad));
    bad = one;
    bad.instructions = "abacus";
    FAILS(HALO_ARGUMENT, "no instructions", halo_trace_create(&(halo_trace *){NULL}, scene, &bad));
    halo_trace_scene_destroy(&scene);
}

TEST("tiles")
{
    for (int64_t width = 1; width < 70; width += 7) {
        for (int64_t height = 1; height < 70; height += 5) {
            int64_t pixels = 0;
            for (int64_t i = 0; i < halo_trace_tiles(width, height); i++) {
                halo_trace_tile tile = halo_trace_tile_at(width, height, i);
                CU_ASSERT_TRUE(tile.x + tile.width <= width && tile.y + tile.height <= height);
                pixels += tile.width * tile.height;
            }
            CU_ASSERT_EQUAL(pixels, width * height);
        }
    }
}
