#include "partition/cuts.h"
#include "support/label_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"union", "settle", "sweep"};
static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast"};
enum { METHODS = 3, VOTES = 4 };

/* ---- images -------------------------------------------------------------------------------- */

/* One image, both connectivities, by all methods, or by the fast one alone. */
static void check_image(image_shape shape, int64_t height, int64_t width, bool periodic,
                        bool slow_too, uint64_t *random)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    image made = image_make(shape, width, height, *random);
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    for (int connectivity = 4; connectivity <= 8; connectivity += 4) {
        oracle flood = oracle_make(&made, connectivity, (bool[2]){periodic, periodic});
        for (int m = 0; m < (slow_too ? METHODS : 1); m++) {
            random_cuts(random, height, ranks, 1, cuts);
            label_case c = {.world = world, .made = &made, .periodic = periodic, .cuts = cuts};
            c.options.connectivity = connectivity;
            c.options.method = methods[m];
            label_case_choose(&c, random);
            label_case_check(&c, image_shape_name(shape), &flood);
        }
        oracle_free(&flood);
    }
    free(cuts);
    image_free(&made);
}

static void check_shapes(bool periodic)
{
    static const int64_t widths[] = {1, 2, 3, 31, 62, 63, 64, 65, 70, 127, 128, 129, 200};
    enum { WIDTHS = sizeof widths / sizeof widths[0] };
    uint64_t random = periodic ? 11 : 10;
    /* More ranks than cores take their time: other widths at other numbers of ranks. */
    int ranks = halo_world_ranks(mpi_check_world()), stride = ranks > 2 ? 3 : 1;
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (int w = (shape + ranks) % stride; w < WIDTHS; w += stride) {
            int64_t height = 1 + random_below(&random, 70);
            check_image((image_shape)shape, height, widths[w], periodic, false, &random);
        }
        int64_t height = 1 + random_below(&random, 12), width = 1 + random_below(&random, 70);
        check_image((image_shape)shape, height, width, periodic, true, &random);
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

/* Surplus ranks own nothing, and say so. */
static void test_few_rows(void)
{
    uint64_t random = 12;
    for (int shape = 0; shape < IMAGE_SHAPES; shape += 2) {
        check_image((image_shape)shape, 1, 1, shape % 4 == 0, shape == 0, &random);
        check_image((image_shape)shape, 1, 64, shape % 4 == 0, false, &random);
        check_image((image_shape)shape, 3, 65, shape % 4 != 0, shape == 4, &random);
        check_image((image_shape)shape, 65, 1, shape % 4 != 0, false, &random);
    }
    EXPECT_AGREED();
}

/* One label object, run on all shapes: buffers of the run before must not show. */
static void test_runs_again(void)
{
    halo_world *world = mpi_check_world();
    uint64_t random = 13;
    int64_t *cuts = malloc(((size_t)halo_world_ranks(world) + 1) * sizeof *cuts);
    for (int m = 0; m < METHODS; m++) {
        int64_t height = m == 0 ? 40 : 10, width = m == 0 ? 130 : 20;
        label_case c = {.world = world, .periodic = m == 0, .cuts = cuts};
        label_case_choose(&c, &random);
        c.options.connectivity = 8;
        c.options.method = methods[m];
        random_cuts(&random, height, halo_world_ranks(world), 1, cuts);
        halo_label *label = NULL;
        for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
            image made = image_make((image_shape)shape, width, height, random);
            oracle flood = oracle_make(&made, 8, (bool[2]){c.periodic, c.periodic});
            c.made = &made;
            label_case_name(&c, image_shape_name((image_shape)shape));
            if (shape == 0) {
                label_case_make_fields(&c);
                expect(halo_label_create(&label, world, &c.domain, &c.partition, &c.options) ==
                           HALO_OK,
                       "%s: %s", c.text, halo_last_message());
            }
            label_case_run(&c, label, &flood);
            oracle_free(&flood);
            image_free(&made);
        }
        halo_label_destroy(&label);
        label_case_free_fields(&c);
    }
    free(cuts);
    EXPECT_AGREED();
}

/* Every vote, every waiting policy, on the image that is hardest to merge. */
static void test_votes_and_waits(void)
{
    static const char *const waits[] = {"spin", "yield", "sleep"};
    int ranks = halo_world_ranks(mpi_check_world());
    image made = image_make(IMAGE_wide_spiral, 130, 66, 0);
    oracle flood = oracle_make(&made, 4, (bool[2]){false, false});
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    halo_cuts_even(made.height, ranks, cuts);
    expect(flood.regions == 1, "a spiral of %" PRId64 " regions", flood.regions);
    /* A spinning rank that waits keeps the others from the cores: not where ranks are many. */
    for (int w = ranks > 2; w < 3; w++) {
        label_case c = {.made = &made, .cuts = cuts, .grey_bits = 8};
        expect(halo_world_create(&c.world, halo_world_comm(mpi_check_world()),
                                 &(halo_world_options){.wait = waits[w]}) == HALO_OK,
               "world: %s", halo_last_message());
        for (int v = 0; v < VOTES; v++) {
            c.options = (halo_label_options){
                .connectivity = 4, .method = "union", .vote = votes[v], .measure = true};
            label_case_check(&c, "wide_spiral", &flood);
        }
        halo_world_destroy(&c.world);
    }
    free(cuts);
    oracle_free(&flood);
    image_free(&made);
    EXPECT_AGREED();
}

/* ---- what is refused ----------------------------------------------------------------------- */

static void test_many_regions(void)
{
    halo_world *world = mpi_check_world();
    image made = image_make(IMAGE_dots, 520, 520, 0);
    int64_t *cuts = malloc(((size_t)halo_world_ranks(world) + 1) * sizeof *cuts);
    halo_cuts_even(made.height, halo_world_ranks(world), cuts);
    label_case c = {.world = world, .made = &made, .cuts = cuts, .options = {.connectivity = 4}};
    label_case_make_fields(&c);
    label_case_fill(&c);
    halo_label *label;
    uint16_t row[520];
    int32_t wide_row[520];
    expect(halo_label_create(&label, world, &c.domain, &c.partition, &c.options) == HALO_OK,
           "create");
    expect(halo_label_run(label, halo_field_view(c.foreground), NULL) == HALO_OK, "run");
    expect(halo_label_total(label) == 260 * 260, "%" PRId64 " dots", halo_label_total(label));
    expect(halo_label_paint_rows(label, HALO_LABEL_U16, 0, 1, row, sizeof row) == HALO_ARGUMENT &&
               strstr(halo_last_message(), "67600") != NULL,
           "16 bits: %s", halo_last_message());
    halo_box owned = halo_field_view(c.foreground)->owned;
    for (int64_t y = 0; y < owned.n[0]; y++) {
        int64_t global = owned.lo[0] + y;
        expect(halo_label_paint_rows(label, HALO_LABEL_I32, y, 1, wide_row, sizeof wide_row) ==
                   HALO_OK,
               "32 bits");
        expect(wide_row[518] == (global % 2 == 0 ? global / 2 * 260 + 260 : 0),
               "row %" PRId64 ": %" PRId32, global, wide_row[518]);
    }
    halo_label_destroy(&label);
    label_case_free_fields(&c);
    free(cuts);
    image_free(&made);
    EXPECT_AGREED();
}

static void test_bad_options(void)
{
    halo_world *world = mpi_check_world();
    halo_domain domain = {.axes = 2, .n = {8, 8, 1}}, deep = {.axes = 3, .n = {8, 8, 8}};
    halo_domain tube = {.axes = 2, .n = {8, 8, 1}, .periodic = {true, false}};
    halo_partition strips[2];
    for (int i = 0; i < 2; i++) {
        expect(halo_partition_strips(&strips[i], i == 0 ? &domain : &deep,
                                     halo_world_ranks(world)) == HALO_OK,
               "%s", halo_last_message());
    }
    const struct {
        halo_domain *domain;
        halo_label_options options;
        const char *names;
    } bad[] = {{&domain, {.connectivity = 6}, "6"},
               {&domain, {.method = "magic"}, "magic"},
               {&domain, {.vote = "lottery"}, "lottery"},
               {&domain, {.instructions = "abacus"}, "abacus"},
               {&domain, {.min_area = -1}, "negative"},
               {&deep, {0}, "2 axes"},
               {&tube, {0}, "periodic"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        halo_label *label = NULL;
        expect(halo_label_create(&label, world, bad[i].domain, &strips[bad[i].domain == &deep],
                                 &bad[i].options) == HALO_ARGUMENT &&
                   strstr(halo_last_message(), bad[i].names) != NULL && label == NULL,
               "%s: %s", bad[i].names, halo_last_message());
        halo_label_destroy(&label);
    }
    halo_label *label = NULL;
    halo_label_options good = {0};
    strips[0].cuts[0][halo_world_ranks(world)] = 7;
    expect(halo_label_create(&label, world, &domain, &strips[0], &good) == HALO_ARGUMENT &&
               strstr(halo_last_message(), "8 x 8") != NULL && label == NULL,
           "cuts that end too early: %s", halo_last_message());
    strips[0].cuts[0][halo_world_ranks(world)] = 8;
    expect(halo_label_create(&label, world, &domain, &strips[1], &good) == HALO_ARGUMENT,
           "another domain's partition");
    halo_partition_free(&strips[0]);
    halo_partition_free(&strips[1]);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"all shapes against the oracle", test_shapes},
        {"all shapes, periodic", test_periodic_shapes},
        {"fewer rows than ranks", test_few_rows},
        {"one object, many images", test_runs_again},
        {"every vote and wait on a spiral", test_votes_and_waits},
        {"more regions than 16 bits hold", test_many_regions},
        {"bad options are refused", test_bad_options},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "label", tests);
}
