#include "kernels/trace/trace.h"

#include "base/minmax.h"
#include "base/option.h"
#include "kernels/trace/maths.h"
#include "kernels/trace/shade.h"

#include <stdlib.h>

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(trace_ops, AVX512);

/* Rays go through a plane at distance 1 in front of the eye: from its middle, as far to the right
 * and down as the picture is wide and high. */
typedef struct {
    vector eye, middle, right, down;
} camera;

struct halo_trace {
    halo_trace_options options;
    trace_tree tree;
    trace_stage stage;
    camera camera;
    const halo_isa_variant *variant;
};

/* ---- creation -------------------------------------------------------------------------------- */

static halo_status check(const halo_trace_scene *scene, const halo_trace_options *options)
{
    const struct {
        const char *name;
        int64_t value, max;
    } numbers[] = {{"the width", options->width, HALO_TRACE_MAX_SIDE},
                   {"the height", options->height, HALO_TRACE_MAX_SIDE},
                   {"the number of subpixels", options->subpixels, HALO_TRACE_MAX_SUBPIXELS},
                   {"the depth", options->depth, HALO_TRACE_MAX_DEPTH}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].value < 1 || numbers[i].value > numbers[i].max) {
            return halo_fail(HALO_ARGUMENT, "%s of a picture is %lld; it is 1 to %lld",
                             numbers[i].name, (long long)numbers[i].value,
                             (long long)numbers[i].max);
        }
    }
    if (!(options->cutoff >= 0 && options->cutoff <= 1 && options->ambient >= 0 &&
          options->ambient <= 1)) {
        return halo_fail(HALO_ARGUMENT,
                         "the cutoff is %g, and the ambient light %g; both are 0 "
                         "to 1",
                         options->cutoff, options->ambient);
    }
    return scene->seen ? HALO_OK
                       : halo_fail(HALO_ARGUMENT, "the scene has no view: nobody looks at it");
}

static camera make_camera(const halo_trace_scene *scene, const halo_trace_options *options)
{
    const halo_trace_view *view = &scene->view;
    double width = (double)options->width, height = (double)options->height;
    vector way = vector_unit(vector_less(view->at, view->from));
    vector right = vector_unit(vector_cross(way, view->up));
    double high = 2 * trace_tangent(view->angle / 2);
    return (camera){.eye = view->from,
                    .middle = way,
                    .right = vector_times(right, high * width / height),
                    .down = vector_times(vector_cross(way, right), high)};
}

static halo_status set_lights(trace_stage *stage)
{
    const halo_trace_scene *scene = stage->scene;
    int64_t plain = 0;
    HALO_TRY(HALO_ALLOCATE(stage->lights, scene->light_count, "lights"));
    for (int64_t i = 0; i < scene->light_count; i++) {
        plain += !scene->lights[i].coloured;
    }
    for (int64_t i = 0; i < scene->light_count; i++) {
        double white = 1 / sqrt((double)halo_max(plain, 1));
        stage->lights[i] =
            scene->lights[i].coloured ? scene->lights[i].colour : (vector){white, white, white};
    }
    return HALO_OK;
}

static halo_status create(halo_trace *trace, const halo_trace_scene *scene,
                          const halo_trace_options *options)
{
    HALO_TRY(check(scene, options));
    HALO_TRY(halo_isa_pick(&trace->variant, variants, options->instructions));
    trace->options = *options;
    trace->camera = make_camera(scene, options);
    trace->stage = (trace_stage){.scene = scene,
                                 .tree = &trace->tree,
                                 .ops = trace->variant->ops,
                                 .depth = options->depth,
                                 .cutoff = options->cutoff,
                                 .ambient = options->ambient};
    HALO_TRY(set_lights(&trace->stage));
    return trace_tree_build(&trace->tree, scene);
}

halo_status halo_trace_create_sized(halo_trace **out, const halo_trace_scene *scene,
                                    const halo_trace_options *given, size_t given_bytes)
{
    halo_trace_options options;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_trace_options"));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "ray tracing"));
    halo_status status = create(*out, scene, &options);
    if (status != HALO_OK) {
        halo_trace_destroy(out);
    }
    return status;
}

void halo_trace_destroy(halo_trace **out)
{
    halo_trace *trace = *out;
    if (trace != NULL) {
        trace_tree_free(&trace->tree);
        free(trace->stage.lights);
    }
    free(trace);
    *out = NULL;
}

int64_t halo_trace_tree_bytes(const halo_trace *trace)
{
    const trace_tree *tree = &trace->tree;
    return tree->node_count * (int64_t)sizeof *tree->nodes +
           tree->sphere_count * (int64_t)sizeof *tree->spheres +
           tree->triangle_count * (int64_t)sizeof *tree->triangles;
}

const char *halo_trace_instructions(const halo_trace *trace)
{
    return halo_isa_name(trace->variant->isa);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static int64_t tiles_across(int64_t pixels)
{
    return (pixels + HALO_TRACE_TILE - 1) / HALO_TRACE_TILE;
}

int64_t halo_trace_tiles(int64_t width, int64_t height)
{
    return tiles_across(width) * tiles_across(height);
}

halo_trace_tile halo_trace_tile_at(int64_t width, int64_t height, int64_t tile)
{
    int64_t x = tile % tiles_across(width) * HALO_TRACE_TILE;
    int64_t y = tile / tiles_across(width) * HALO_TRACE_TILE;
    return (halo_trace_tile){.x = x,
                             .y = y,
                             .width = (int)halo_min(HALO_TRACE_TILE, width - x),
                             .height = (int)halo_min(HALO_TRACE_TILE, height - y)};
}

static double clamp(double value)
{
    return value > 0 ? value < 1 ? value : 1 : 0;
}

/* The mean of a pixel's rays, each as bright as a screen can be at most. */
static vector draw_pixel(const halo_trace *trace, trace_walk *walk, int64_t x, int64_t y)
{
    const camera *c = &trace->camera;
    int64_t n = trace->options.subpixels;
    double across = (double)(n * trace->options.width), high = (double)(n * trace->options.height);
    vector sum = {0, 0, 0};
    for (int64_t j = n * y; j < n * (y + 1); j++) {
        vector row = vector_along(c->middle, ((double)j + 0.5) / high - 0.5, c->down);
        for (int64_t i = n * x; i < n * (x + 1); i++) {
            vector way = vector_along(row, ((double)i + 0.5) / across - 0.5, c->right);
            vector colour = trace_colour(walk, c->eye, vector_unit(way));
            sum = vector_add(sum, (vector){clamp(colour.x), clamp(colour.y), clamp(colour.z)});
        }
    }
    return vector_times(sum, 1 / (double)(n * n));
}

static unsigned char byte_of(double value)
{
    const double brightest = 255;
    return (unsigned char)(value * brightest + 0.5);
}

void halo_trace_draw_sized(const halo_trace *trace, int64_t tile,
                           unsigned char pixels[HALO_TRACE_TILE_BYTES], halo_trace_counts *counts,
                           size_t counts_bytes)
{
    halo_trace_tile at = halo_trace_tile_at(trace->options.width, trace->options.height, tile);
    int32_t hints[HALO_TRACE_MAX_LIGHTS] = {0};
    trace_walk walk = {.stage = &trace->stage, .hints = hints};
    unsigned char *out = pixels;
    for (int y = 0; y < at.height; y++) {
        for (int x = 0; x < at.width; x++) {
            vector colour = draw_pixel(trace, &walk, at.x + x, at.y + y);
            *out++ = byte_of(colour.x);
            *out++ = byte_of(colour.y);
            *out++ = byte_of(colour.z);
        }
    }
    halo_report_give(counts, counts_bytes, &walk.counts, sizeof walk.counts);
}
