#include "partition/cuts.h"
#include "support/label_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>

/* Blocks give what strips give: numbers, regions and pixels are compared with a flood fill on every
 * grid that the ranks can make. */

static const char *const methods[] = {"union", "settle", "sweep"};
enum { METHODS = 3 };

/* An image and how it is cut. */
typedef struct {
    image made;
    const char *name;
    bool periodic;
    int columns; /* of blocks */
    int64_t *cuts, *column_cuts;
} scene;

static scene scene_make(image_shape shape, int64_t height, int64_t width, bool periodic,
                        int columns, uint64_t *random)
{
    size_t ranks = (size_t)halo_world_ranks(mpi_check_world());
    scene s = {.made = image_make(shape, width, height, random_next(random)),
               .name = image_shape_name(shape),
               .periodic = periodic,
               .columns = columns,
               .cuts = malloc((ranks + 1) * sizeof(int64_t)),
               .column_cuts = malloc((ranks + 1) * sizeof(int64_t))};
    halo_cuts_even(height, (int)ranks / columns, s.cuts);
    halo_cuts_even(width, columns, s.column_cuts);
    return s;
}

static void scene_free(scene *s)
{
    image_free(&s->made);
    free(s->cuts);
    free(s->column_cuts);
}

/* Label it by the first `count` methods. */
static void play(const scene *s, int connectivity, int count, uint64_t *random)
{
    oracle flood = oracle_make(&s->made, connectivity, (bool[2]){s->periodic, s->periodic});
    for (int m = 0; m < count; m++) {
        label_case c = {.world = mpi_check_world(),
                        .made = &s->made,
                        .periodic = s->periodic,
                        .cuts = s->cuts,
                        .columns = s->columns,
                        .column_cuts = s->column_cuts};
        label_case_choose(&c, random);
        c.options.connectivity = connectivity;
        c.options.method = methods[m];
        label_case_check(&c, s->name, &flood);
    }
    oracle_free(&flood);
}

/* One image with random cuts, parts without pixels among them. */
static void check_image(image_shape shape, int64_t height, int64_t width, bool periodic,
                        int columns, int count, uint64_t *random)
{
    scene s = scene_make(shape, height, width, periodic, columns, random);
    int rows = halo_world_ranks(mpi_check_world()) / columns;
    for (int connectivity = 4; connectivity <= 8; connectivity += 4) {
        random_cuts(random, height, rows, 1, s.cuts);
        random_cuts(random, width, columns, 1, s.column_cuts);
        play(&s, connectivity, count, random);
    }
    scene_free(&s);
}

/* All grids with more than one column, all shapes, sizes that are not whole words. */
static void check_shapes(bool periodic)
{
    static const int64_t widths[] = {1, 3, 63, 64, 65, 130, 200};
    enum { WIDTHS = sizeof widths / sizeof widths[0] };
    uint64_t random = periodic ? 21 : 20;
    int ranks = halo_world_ranks(mpi_check_world());
    for (int columns = 2; columns <= ranks; columns++) {
        for (int shape = 0; ranks % columns == 0 && shape < IMAGE_SHAPES; shape++) {
            int64_t height = 1 + random_below(&random, 70);
            int64_t width = widths[(shape + columns) % WIDTHS];
            check_image((image_shape)shape, height, width, periodic, columns, 1, &random);
            height = 1 + random_below(&random, 12), width = 1 + random_below(&random, 40);
            bool slow_too = ranks < 4 || shape % 4 == columns % 4; /* ranks without a core */
            check_image((image_shape)shape, height, width, periodic, columns,
                        slow_too ? METHODS : 1, &random);
        }
    }
    EXPECT_AGREED();
}

static void test_shapes(void)
{
    check_shapes(false);
}

static void test_periodic_shapes(void)
{
    check_shapes(true);
}

/* As many blocks as pixels, and more. */
static void test_single_pixels(void)
{
    uint64_t random = 22;
    int ranks = halo_world_ranks(mpi_check_world());
    for (int columns = 2; columns <= ranks; columns++) {
        for (int i = 0; ranks % columns == 0 && i < 2 * IMAGE_SHAPES; i++) {
            bool periodic = i % 2 == 0;
            scene s = scene_make((image_shape)(i / 2), ranks / columns, columns, periodic, columns,
                                 &random);
            play(&s, i % 3 == 0 ? 4 : 8, i % 8 == 0 ? METHODS : 1, &random);
            scene_free(&s);
            check_image((image_shape)(i / 2), 1, 1, periodic, columns, i == 2 ? METHODS : 1,
                        &random);
        }
    }
    EXPECT_AGREED();
}

/* Regions that wind through all blocks many times, and numbers that change from block to block in
 * every row. */
static void test_winding(void)
{
    static const image_shape shapes[] = {IMAGE_spiral,    IMAGE_wide_spiral, IMAGE_snake,
                                         IMAGE_comb_down, IMAGE_comb_across, IMAGE_stairs,
                                         IMAGE_dots,      IMAGE_noise_50,    IMAGE_noise_60};
    uint64_t random = 23;
    int ranks = halo_world_ranks(mpi_check_world());
    for (int columns = 2; columns <= ranks; columns++) {
        for (size_t i = 0; ranks % columns == 0 && i < sizeof shapes / sizeof shapes[0]; i++) {
            scene s = scene_make(shapes[i], 150, 170, i % 2 == 1, columns, &random);
            play(&s, i % 3 == 0 ? 8 : 4, 1, &random);
            scene_free(&s);
        }
    }
    EXPECT_AGREED();
}

/* One label object, run on all shapes: buffers of the run before must not show. */
static void test_runs_again(void)
{
    uint64_t random = 24;
    int ranks = halo_world_ranks(mpi_check_world());
    for (int m = 0; ranks > 1 && m < METHODS; m++) {
        scene s = scene_make(IMAGE_clear, m == 0 ? 40 : 10, m == 0 ? 130 : 20, m == 0,
                             ranks % 2 == 0 ? 2 : ranks, &random);
        label_case c = {.world = mpi_check_world(),
                        .made = &s.made,
                        .periodic = s.periodic,
                        .cuts = s.cuts,
                        .columns = s.columns,
                        .column_cuts = s.column_cuts};
        label_case_choose(&c, &random);
        c.options.connectivity = 8;
        c.options.measure = true;
        c.options.method = methods[m];
        label_case_name(&c, "all shapes in turn");
        label_case_make_fields(&c);
        halo_label *label;
        expect(halo_label_create(&label, c.world, &c.domain, &c.partition, &c.options) == HALO_OK,
               "%s: %s", c.text, halo_last_message());
        for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
            image made = image_make((image_shape)shape, s.made.width, s.made.height, random);
            oracle flood = oracle_make(&made, 8, (bool[2]){s.periodic, s.periodic});
            c.made = &made;
            label_case_run(&c, label, &flood);
            oracle_free(&flood);
            image_free(&made);
        }
        halo_label_destroy(&label);
        label_case_free_fields(&c);
        scene_free(&s);
    }
    EXPECT_AGREED();
}

/* Where the relaxing methods exchange halos, the way they do changes nothing. */
static void test_ways_of_exchange(void)
{
    static const char *const modes[] = {"p2p", "persistent"};
    static const char *const ways[] = {"direct", "phases"};
    static const char *const packings[] = {"copy", "datatype"};
    uint64_t random = 25;
    int ranks = halo_world_ranks(mpi_check_world());
    int columns = ranks % 2 == 0 ? ranks / 2 : ranks;
    scene s = scene_make(IMAGE_noise_60, 21, 26, true, columns, &random);
    oracle flood = oracle_make(&s.made, 8, (bool[2]){true, true});
    for (int i = 0; i < 8; i++) {
        label_case c = {.world = mpi_check_world(),
                        .made = &s.made,
                        .periodic = true,
                        .cuts = s.cuts,
                        .columns = columns,
                        .column_cuts = s.column_cuts,
                        .options = {.connectivity = 8,
                                    .method = "settle",
                                    .vote = "tree",
                                    .exchange = modes[i % 2],
                                    .corner_way = ways[i / 2 % 2],
                                    .packing = packings[i / 4]}};
        label_case_check(&c, s.name, &flood);
    }
    oracle_free(&flood);
    scene_free(&s);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"all shapes on all grids", test_shapes},
        {"all shapes on all grids, periodic", test_periodic_shapes},
        {"blocks of one pixel", test_single_pixels},
        {"regions that wind through blocks", test_winding},
        {"one object, many images", test_runs_again},
        {"ways to exchange halos", test_ways_of_exchange},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "label in blocks", tests);
}
