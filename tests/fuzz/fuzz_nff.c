#include "fuzz/fuzz.h"
#include "io/nff/nff.h"
#include "kernels/trace/trace.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer's target: any text is read or refused with a message, and what was read is drawn, to
 * the same bytes with all instructions. */

static halo_trace_vector vector_of(halo_nff_vector v)
{
    return (halo_trace_vector){v.x, v.y, v.z};
}

static halo_status view(void *scene, const halo_nff_view *v)
{
    return halo_trace_scene_set_view(scene, &(halo_trace_view){vector_of(v->from), vector_of(v->at),
                                                               vector_of(v->up), v->angle});
}

static halo_status background(void *scene, halo_nff_vector colour)
{
    return halo_trace_scene_set_background(scene, vector_of(colour));
}

static halo_status light(void *scene, halo_nff_vector place, const halo_nff_vector *colour)
{
    halo_trace_vector own = colour != NULL ? vector_of(*colour) : (halo_trace_vector){0};
    return halo_trace_scene_add_light(scene, vector_of(place), colour != NULL ? &own : NULL);
}

static halo_status surface(void *scene, const halo_nff_surface *s)
{
    return halo_trace_scene_set_surface(
        scene, &(halo_trace_surface){vector_of(s->colour), s->diffuse, s->specular, s->shine,
                                     s->transmittance, s->index});
}

static halo_status sphere(void *scene, halo_nff_vector centre, double radius)
{
    return halo_trace_scene_add_sphere(scene, vector_of(centre), radius);
}

static halo_status cone(void *scene, halo_nff_vector base, double base_radius, halo_nff_vector apex,
                        double apex_radius)
{
    return halo_trace_scene_add_cone(scene, vector_of(base), base_radius, vector_of(apex),
                                     apex_radius);
}

static halo_status polygon(void *scene, const halo_nff_vector *corners,
                           const halo_nff_vector *normals, int64_t count)
{
    return halo_trace_scene_add_polygon(scene, (const void *)corners, (const void *)normals, count);
}

/* False where there is no view. */
static bool draw(const halo_trace_scene *scene, const char *instructions, unsigned char *pixels,
                 halo_trace_counts *counts)
{
    const halo_trace_options options = {.width = 9,
                                        .height = 9,
                                        .subpixels = 1,
                                        .depth = 4,
                                        .ambient = 0.1,
                                        .instructions = instructions};
    halo_trace *trace;
    if (halo_trace_create(&trace, scene, &options) != HALO_OK) {
        demand(trace == NULL && strlen(halo_last_message()) > 0);
        return false;
    }
    halo_trace_draw(trace, 0, pixels, counts);
    halo_trace_destroy(&trace);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    halo_trace_scene *scene;
    demand(halo_trace_scene_create(&scene) == HALO_OK);
    const halo_nff_sink sink = {scene,   NULL,   view, background, light,
                                surface, sphere, cone, polygon};
    char *text = malloc(size + 1);
    demand(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    if (halo_nff_parse("a.nff", text, size, &sink) == HALO_OK) {
        unsigned char best[HALO_TRACE_TILE_BYTES] = {0}, plain[HALO_TRACE_TILE_BYTES] = {0};
        halo_trace_counts best_counts = {0}, plain_counts = {0};
        bool drawn = draw(scene, NULL, best, &best_counts);
        demand(draw(scene, "plain", plain, &plain_counts) == drawn);
        demand(memcmp(best, plain, sizeof best) == 0);
        demand(memcmp(&best_counts, &plain_counts, sizeof best_counts) == 0);
    } else {
        demand(strlen(halo_last_message()) > 0);
    }
    free(text);
    halo_trace_scene_destroy(&scene);
    return 0;
}
