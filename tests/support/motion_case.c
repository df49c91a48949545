#include "support/motion_case.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "support/images.h"
#include "support/need.h"

#include <stdlib.h>
#include <string.h>

/* Noise on a grid of `step` pixels, 0 to 255, evenly changing in between. */
static int64_t noise(uint64_t seed, int64_t x, int64_t y, int64_t step)
{
    int64_t left = (x + (1 << 20)) / step, top = (y + (1 << 20)) / step, sum = 0;
    int64_t right = (x + (1 << 20)) % step, down = (y + (1 << 20)) % step;
    for (int corner = 0; corner < 4; corner++) {
        int64_t i = corner % 2, j = corner / 2;
        uint64_t state = seed + (uint64_t)(left + i) * 1000003 + (uint64_t)(top + j) * 7919;
        int64_t weight = (i != 0 ? right : step - right) * (j != 0 ? down : step - down);
        sum += weight * random_below(&state, 256);
    }
    return sum / (step * step);
}

/* The scene's grey at a position: smooth noise, so that every square of 16 pixels differs from all
 * near it. 0 to 255. */
static int scene_grey(uint64_t seed, int64_t x, int64_t y)
{
    return (int)((noise(seed, x, y, 24) * 5 + noise(seed + 1, x, y, 5) * 3) / 8);
}

motion_scene motion_case_make(uint64_t seed, int64_t rows, int64_t columns, int cell_bits,
                              int frames, int u, int v)
{
    motion_scene scene = {rows, columns, cell_bits, frames, NULL};
    scene.cells = need(malloc((size_t)(frames * rows * columns) * sizeof *scene.cells));
    for (int64_t f = 0; f < frames; f++) {
        for (int64_t i = 0; i < rows * columns; i++) {
            int grey = scene_grey(seed, i % columns - f * u, i / columns - f * v);
            scene.cells[f * rows * columns + i] = (uint16_t)(cell_bits == 8 ? grey : grey * 257);
        }
    }
    return scene;
}

void motion_case_free(motion_scene *scene)
{
    free(scene->cells);
    scene->cells = NULL;
}

static void fill(const halo_view *view, const motion_scene *scene, int frame)
{
    const uint16_t *cells = scene->cells + frame * scene->rows * scene->columns;
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        const uint16_t *row = cells + (view->owned.lo[0] + y) * scene->columns;
        for (int64_t x = 0; x < scene->columns; x++) {
            if (scene->cell_bits == 8) {
                ((uint8_t *)halo_row(view, y))[x] = (uint8_t)row[x];
            } else {
                ((uint16_t *)halo_row(view, y))[x] = row[x];
            }
        }
    }
}

/* Everyone's rows to everyone. */
static halo_status gather_flow(halo_world *world, const halo_motion *motion, motion_result *result)
{
    const halo_box *owned = &halo_motion_view(motion)->owned;
    size_t pitch = (size_t)owned->n[1] * 2 * sizeof(float);
    float *mine = need(malloc((size_t)owned->n[0] * pitch + 1));
    void *all;
    size_t total;
    /* In two calls: rows may be asked for in any bands. */
    int64_t half = owned->n[0] / 2;
    halo_motion_flow(motion, half, owned->n[0] - half, mine + half * owned->n[1] * 2, pitch);
    halo_motion_flow(motion, 0, half, mine, pitch);
    halo_status status = halo_gatherv(world, mine, (size_t)owned->n[0] * pitch, &all, &total);
    if (all != NULL) {
        memcpy(result->flow, all, result->flow_bytes);
    }
    if (status == HALO_OK) {
        status = halo_bcast(world, result->flow, result->flow_bytes, 0);
    }
    halo_memory_free(all);
    free(mine);
    return status;
}

static halo_status run(halo_world *world, const motion_scene *scene, halo_motion *motion, int first,
                       halo_motion_centre *kept, motion_result *result)
{
    size_t k = (size_t)halo_motion_options_of(motion)->clusters;
    for (int f = first; f < scene->frames; f++) {
        if (kept != NULL && f == scene->frames - 1) {
            memcpy(kept, halo_motion_centres(motion), k * sizeof *kept);
        }
        fill(halo_motion_view(motion), scene, f);
        HALO_TRY(halo_motion_next(motion));
    }
    memcpy(result->vectors, halo_motion_vectors(motion), k * sizeof *result->vectors);
    result->beats = halo_motion_get_report(motion)->beats;
    return gather_flow(world, motion, result);
}

motion_result motion_case_run(halo_world *world, const motion_scene *scene,
                              const halo_motion_options *options, int first,
                              const halo_motion_centre *centres, halo_motion_centre *kept)
{
    halo_domain domain = {.axes = 2, .n = {scene->rows, scene->columns, 1}};
    motion_result result = {.flow_bytes =
                                (size_t)(scene->rows * scene->columns) * 2 * sizeof(float)};
    halo_motion *motion = NULL;
    result.flow = need_zeroed(1, result.flow_bytes);
    result.status = halo_motion_create(&motion, world, &domain, scene->cell_bits, options);
    if (result.status == HALO_OK) {
        result.clusters = halo_motion_options_of(motion)->clusters;
        result.vectors = need_zeroed((size_t)result.clusters, sizeof *result.vectors);
        if (centres != NULL) {
            result.status = halo_motion_restore(motion, centres, first);
        }
    }
    if (result.status == HALO_OK) {
        result.status = run(world, scene, motion, first, kept, &result);
    }
    halo_motion_destroy(&motion);
    return result;
}

void motion_case_end(motion_result *result)
{
    free(result->vectors);
    free(result->flow);
    *result = (motion_result){.vectors = NULL};
}

bool motion_case_same(const motion_result *a, const motion_result *b)
{
    return a->status == HALO_OK && b->status == HALO_OK && a->clusters == b->clusters &&
           a->flow_bytes == b->flow_bytes &&
           memcmp(a->vectors, b->vectors, (size_t)a->clusters * sizeof *a->vectors) == 0 &&
           memcmp(a->flow, b->flow, a->flow_bytes) == 0;
}
