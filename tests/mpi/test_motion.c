/* Motion: whole pixels found exactly, frames without any, loads, and what is refused. That the
 * same bytes come of any number of ranks is for test_same_bytes.c. */

#include "core/world/collect.h"
#include "core/world/slowdown.h"
#include "support/images.h"
#include "support/motion_case.h"
#include "support/mpi_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const flows[] = {"fine", "cluster"};

/* The largest distance from (u, v) of pixels whose motion does not lead out of the frame. */
static double worst(const motion_scene *scene, const motion_result *result, double u, double v)
{
    double max = 0;
    for (int64_t i = 0; i < scene->rows * scene->columns; i++) {
        double x = (double)(i % scene->columns) + u, y = (double)(i / scene->columns) + v;
        if (x >= 0 && y >= 0 && x <= (double)(scene->columns - 1) &&
            y <= (double)(scene->rows - 1)) {
            double off = hypot(result->flow[2 * i] - u, result->flow[2 * i + 1] - v);
            max = off > max ? off : max;
        }
    }
    return max;
}

/* Whole pixels, 8 and 16 bits: no error at all, and cost 0. */
static void test_whole_pixels(void)
{
    static const int shifts[][2] = {{12, -7}, {-5, 3}, {0, 0}};
    for (int i = 0; i < 3; i++) {
        int u = shifts[i][0], v = shifts[i][1];
        motion_scene scene = motion_case_make((uint64_t)i, 96, 130, i == 1 ? 16 : 8, 2, u, v);
        halo_motion_options options = {.clusters = 12, .radius = 16, .flow = flows[i % 2]};
        motion_result result = motion_case_run(mpi_check_world(), &scene, &options, 0, NULL, NULL);
        expect(result.status == HALO_OK, "shift %d: %s", i, halo_last_message());
        expect(worst(&scene, &result, u, v) == 0, "shift %d is off by %g", i,
               worst(&scene, &result, u, v));
        for (int k = 0; k < result.clusters; k++) {
            expect(result.vectors[k].cost == 0, "cluster %d has a cost", k);
        }
        motion_case_end(&result);
        motion_case_free(&scene);
    }
    EXPECT_AGREED();
}

/* Every second pixel of a frame moved by one is moved by a half. */
static void test_half_pixels(void)
{
    motion_scene large = motion_case_make(5, 160, 200, 8, 2, 5, 3), scene = large;
    scene.rows /= 2;
    scene.columns /= 2;
    for (int64_t f = 0; f < 2; f++) {
        for (int64_t i = 0; i < scene.rows * scene.columns; i++) {
            int64_t x = i % scene.columns * 2, y = i / scene.columns * 2;
            const uint16_t *at = &large.cells[(f * large.rows + y) * large.columns + x];
            int sum = at[0] + at[1] + at[large.columns] + at[large.columns + 1];
            scene.cells[f * scene.rows * scene.columns + i] = (uint16_t)((sum + 2) / 4);
        }
    }
    halo_motion_options options = {.clusters = 8, .radius = 8};
    motion_result result = motion_case_run(mpi_check_world(), &scene, &options, 0, NULL, NULL);
    expect_ok(result.status);
    expect(worst(&scene, &result, 2.5, 1.5) < .5, "off by %g", worst(&scene, &result, 2.5, 1.5));
    motion_case_end(&result);
    motion_case_free(&large);
    EXPECT_AGREED();
}

/* Nothing to go by, nowhere to go, one cluster, more ranks than rows, a pixel. */
static void test_edges(void)
{
    static const struct {
        int64_t rows, columns;
        halo_motion_options options;
    } cases[] = {{40, 50, {.clusters = 9, .radius = 5}},
                 {40, 50, {.clusters = 1, .zero_radius = true}},
                 {1, 1, {.clusters = 1}},
                 {2, 70, {.clusters = 5}},
                 {70, 1, {.clusters = 70, .radius = 1024}},
                 {17, 16, {.clusters = 272}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        motion_scene scene = motion_case_make(1, cases[i].rows, cases[i].columns, 8, 2, 0, 0);
        memset(scene.cells, 0,
               (size_t)(2 * scene.rows * scene.columns) * sizeof *scene.cells); /* constant */
        motion_result result =
            motion_case_run(mpi_check_world(), &scene, &cases[i].options, 0, NULL, NULL);
        expect(result.status == HALO_OK, "case %zu: %s", i, halo_last_message());
        expect(worst(&scene, &result, 0, 0) == 0, "case %zu moves", i);
        motion_case_end(&result);
        motion_case_free(&scene);
    }
    EXPECT_AGREED();
}

/* Each beat tells all shares, and everything is handed out. That shares follow a rank that is slow
 * is for test_balance_master.c: here other programs' work would decide. */
static void check_loads(const halo_motion_report *report, int ranks, int beat)
{
    const halo_motion_beat *b = &report->last[beat];
    int64_t clusters = 0;
    double share = 0, pieces = 0;
    for (int r = 0; r < ranks; r++) {
        clusters += b->loads[r].clusters;
        share += b->loads[r].share;
        pieces += (double)b->loads[r].pieces;
    }
    expect(clusters <= 30 && fabs(share - pieces) < 1e-6 * (pieces + 1), "beat %d: %g pieces of %g",
           beat, pieces, share);
    expect(b->imbalance >= 0 && b->imbalance <= 1, "beat %d: imbalance %g", beat, b->imbalance);
}

static void run_slow(halo_world *world, halo_motion *motion, const motion_scene *scene)
{
    const halo_view *view = halo_motion_view(motion);
    for (int f = 0; f < scene->frames; f++) {
        for (int64_t y = 0; y < view->owned.n[0]; y++) {
            for (int64_t x = 0; x < scene->columns; x++) {
                int64_t at = (f * scene->rows + view->owned.lo[0] + y) * scene->columns + x;
                ((uint8_t *)halo_row(view, y))[x] = (uint8_t)scene->cells[at];
            }
        }
        expect_ok(halo_motion_next(motion));
    }
    const halo_motion_report *report = halo_motion_get_report(motion);
    expect((report->last != NULL) == (halo_world_rank(world) == 0), "beats on the wrong rank");
    for (int b = 0; report->last != NULL && b < report->last_beats; b++) {
        check_loads(report, halo_world_ranks(world), b);
    }
}

static void test_slow_rank(void)
{
    halo_slowdown *slowdown = NULL;
    halo_world *world = NULL;
    halo_motion *motion = NULL;
    motion_scene scene = motion_case_make(2, 96, 96, 8, 3, 1, 2);
    halo_domain domain = {.axes = 2, .n = {scene.rows, scene.columns, 1}};
    expect(halo_slowdown_create(&slowdown) == HALO_OK &&
               halo_slowdown_add(slowdown, "1:3") == HALO_OK,
           "slowdown");
    halo_world_options slow = {.slowdown = slowdown};
    halo_motion_options options = {.clusters = 30, .radius = 8, .balancer = "lb2"};
    bool made = halo_world_duplicate(&world, mpi_check_world(), &slow) == HALO_OK &&
                halo_motion_create(&motion, world, &domain, 8, &options) == HALO_OK;
    expect(made, "%s", halo_last_message());
    if (made) {
        run_slow(world, motion, &scene);
    }
    halo_motion_destroy(&motion);
    halo_world_destroy(&world);
    halo_slowdown_destroy(&slowdown);
    motion_case_free(&scene);
    EXPECT_AGREED();
}

static void test_refused(void)
{
    halo_domain domain = {.axes = 2, .n = {8, 8, 1}}, periodic = domain;
    periodic.periodic[0] = true;
    static const halo_motion_options wrong[] = {
        {.clusters = 65},      {.clusters = -1},   {.radius = 1025},       {.radius = -1},
        {.balancer = "chain"}, {.flow = "coarse"}, {.engine = "fast"},     {.weight = -1},
        {.instructions = "z"}, {.clusters = 64},   {.weight = (double)NAN}};
    halo_motion *motion = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        halo_status status = halo_motion_create(&motion, mpi_check_world(), &domain, 8, &wrong[i]);
        expect(status == (wrong[i].clusters == 64 ? HALO_OK : HALO_ARGUMENT), "options %zu", i);
        halo_motion_destroy(&motion);
    }
    halo_world *world = mpi_check_world();
    halo_motion_centre centres[2] = {{0}, {0}};
    expect_ok(
        halo_motion_create(&motion, world, &domain, 8, &(halo_motion_options){.clusters = 2}));
    centres[0].pixels = 8 * 8 + 1;
    expect(halo_motion_restore(motion, centres, 1) == HALO_ARGUMENT, "a pixel too many");
    halo_motion_destroy(&motion);
    expect(halo_motion_create(&motion, world, &periodic, 8, NULL) == HALO_ARGUMENT, "periodic");
    expect(halo_motion_create(&motion, world, &domain, 24, NULL) == HALO_ARGUMENT, "24 bits");
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("motion", {"whole pixels", test_whole_pixels}, {"half pixels", test_half_pixels},
               {"edges", test_edges}, {"a slow rank", test_slow_rank},
               {"what is refused", test_refused})
