/* Pixels that are given in strips or blocks, labelled in others: what comes out is what a flood
 * fill finds, whatever they are cut into and wherever boundaries move. */

#include "core/balance/balancing.h"
#include "partition/cuts.h"
#include "support/label_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a case is called, after what label_case_name says. */
static void add_name(label_case *c, const char *balancer, bool movable)
{
    size_t length = strlen(c->text);
    snprintf(c->text + length, sizeof c->text - length, ", %s, %s%s",
             c->options.decomposition != NULL ? c->options.decomposition : "as given",
             balancer != NULL ? balancer : "unbalanced", movable ? ", movable" : "");
}

static void make_movable(const label_case *c, halo_field **field)
{
    const halo_view *view = halo_field_view(*field);
    halo_field *made = NULL;
    expect(halo_field_create_movable(&made, &c->domain, &view->owned, view->cell_bits, 0) ==
               HALO_OK,
           "%s: %s", c->text, halo_last_message());
    halo_field_destroy(field);
    *field = made;
}

/* The case goes on with the part that this rank labels. */
static void follow(label_case *c, const halo_label *label)
{
    halo_partition_free(&c->partition);
    expect(halo_partition_copy(&c->partition, halo_label_partition(label)) == HALO_OK, "%s: %s",
           c->text, halo_last_message());
    c->columns = c->partition.parts[1];
}

/* Painted rows of the image's whole width, a few at a time, as writers ask for them. */
static void check_rows(const label_case *c, halo_label *label, const oracle *flood)
{
    enum { ROWS = 4, SPACE = 3, FILL = 0x5a5a };
    label_truth truth = label_truth_make(c->made, flood, c->options.min_area, c->grey_bits);
    halo_label_painting *painting = NULL;
    int64_t width = c->made->width, pitch = width + SPACE, wrong = 0;
    expect(halo_label_painting_create(&painting, label, HALO_LABEL_I64) == HALO_OK, "%s: %s",
           c->text, halo_last_message());
    const int64_t *cuts = halo_label_painting_cuts(painting);
    int rank = halo_world_rank(c->world), ranks = halo_world_ranks(c->world);
    expect(halo_cuts_are_valid(cuts, ranks, c->made->height), "%s: cuts of rows", c->text);
    int64_t *out = malloc((size_t)(ROWS * pitch) * sizeof *out);
    for (int64_t y = cuts[rank]; y < cuts[rank + 1]; y += ROWS) {
        int64_t rows = cuts[rank + 1] - y < ROWS ? cuts[rank + 1] - y : ROWS;
        for (int64_t i = 0; i < ROWS * pitch; i++) {
            out[i] = FILL;
        }
        expect(halo_label_painting_rows(painting, y, rows, out, (size_t)pitch * sizeof *out) ==
                   HALO_OK,
               "%s: %s", c->text, halo_last_message());
        for (int64_t i = 0; i < rows * pitch; i++) {
            int64_t x = i % pitch, pixel = (y + i / pitch) * width + x;
            wrong +=
                out[i] != (x < width ? label_case_pixel(c, &truth, HALO_LABEL_I64, pixel) : FILL);
        }
    }
    expect(wrong == 0, "%s: %" PRId64 " pixels of whole rows", c->text, wrong);
    free(out);
    halo_label_painting_destroy(&painting);
    label_truth_free(&truth);
}

/* From strips or blocks to labels, twice with one label: fields of a second image are given like
 * those of the first. */
static void check_case(label_case *given, const char *shape, const char *balancer, bool movable,
                       const oracle *flood)
{
    halo_balancing *balancing = NULL;
    halo_label *label = NULL;
    const halo_balance_options how = {.balancer = balancer, .every = 1};
    if (balancer != NULL) {
        expect(halo_balancing_create(&balancing, given->world, &how) == HALO_OK, "%s",
               halo_last_message());
        given->options.balancing = balancing;
    }
    for (int run = 0; run < 2; run++) {
        label_case c = *given;
        label_case_name(&c, shape);
        add_name(&c, balancer, movable);
        label_case_make_fields(&c);
        if (movable) {
            make_movable(&c, &c.foreground);
        }
        label_case_fill(&c);
        expect(run > 0 || halo_label_create(&label, c.world, &c.domain, &c.partition, &c.options) ==
                              HALO_OK,
               "%s: %s", c.text, halo_last_message());
        expect(halo_label_distribute(label, &c.foreground, &c.grey) == HALO_OK, "%s: %s", c.text,
               halo_last_message());
        expect(!movable || c.columns > 1 || halo_label_partition(label)->parts[1] > 1 ||
                   halo_field_is_movable(c.foreground),
               "%s: the field was replaced", c.text);
        follow(&c, label);
        label_case_run_filled(&c, label, flood);
        check_rows(&c, label, flood);
        label_case_free_fields(&c);
    }
    halo_label_destroy(&label);
    halo_balancing_destroy(&balancing);
}

/* An image given in strips, or where ranks allow in two columns of blocks. */
static void check_image(image_shape shape, const char *method, const char *decomposition,
                        const char *balancer, uint64_t *random)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    bool periodic = random_below(random, 2) == 0;
    /* Methods of many beats take as many as a region is long. */
    int64_t height = 1 + random_below(random, strcmp(method, "union") == 0 ? 60 : 12);
    int64_t width = 1 + random_below(random, strcmp(method, "sweep") == 0 ? 20 : 260);
    image made = image_make(shape, width, height, random_next(random));
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    int64_t half[] = {0, width / 128 * 64, width};
    int columns = ranks % 2 == 0 && random_below(random, 3) == 0 ? 2 : 1;
    random_cuts(random, height, ranks / columns, 1, cuts);
    label_case c = {.world = world,
                    .made = &made,
                    .periodic = periodic,
                    .cuts = cuts,
                    .columns = columns,
                    .column_cuts = half};
    label_case_choose(&c, random);
    c.options.connectivity = random_below(random, 2) == 0 ? 4 : 8;
    c.options.method = method;
    c.options.decomposition = decomposition;
    oracle flood = oracle_make(&made, c.options.connectivity, (bool[2]){periodic, periodic});
    check_case(&c, image_shape_name(shape), balancer, random_below(random, 2) == 0, &flood);
    oracle_free(&flood);
    free(cuts);
    image_free(&made);
}

static void check_balancer(const char *balancer, uint64_t random)
{
    static const char *const decompositions[] = {NULL, "strips", "blocks", "auto"};
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (int d = 0; d < 4; d++) {
            check_image((image_shape)shape, "union", decompositions[d], balancer, &random);
        }
        const char *slow = shape % 3 == 0 ? "sweep" : "settle";
        check_image((image_shape)shape, slow, decompositions[shape % 4], balancer, &random);
    }
    EXPECT_AGREED();
}

static void test_cuts(void)
{
    check_balancer(NULL, 31);
}

/* A balancer that moves boundaries every time it is asked, to wherever. */
static void test_moving(void)
{
    check_balancer("random", 32);
}

static void test_measured(void)
{
    check_balancer("chain", 33);
}

/* Does it move what it says, and what the balancer has planned? */
static void test_moves_are_seen(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world), moved = 0;
    image made = image_make(IMAGE_noise_50, 100, 80, 1);
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    halo_cuts_even(made.height, ranks, cuts);
    for (int i = 0; i < 8; i++) {
        halo_balancing *balancing = NULL;
        const halo_balance_options how = {.balancer = "random"};
        expect(halo_balancing_create(&balancing, world, &how) == HALO_OK, "%s",
               halo_last_message());
        label_case c = {.world = world,
                        .made = &made,
                        .cuts = cuts,
                        .options = {.method = "union", .balancing = balancing}};
        halo_label *label = NULL;
        label_case_make_fields(&c);
        label_case_fill(&c);
        expect(halo_label_create(&label, world, &c.domain, &c.partition, &c.options) == HALO_OK &&
                   halo_label_distribute(label, &c.foreground, &c.grey) == HALO_OK,
               "%s", halo_last_message());
        bool same = halo_partition_equal(&c.partition, halo_label_partition(label));
        expect(same == (halo_balancing_report(balancing).moves == 0), "moves are told");
        moved += !same;
        expect(same || halo_label_run(label, halo_field_view(c.foreground), NULL) == HALO_OK, "%s",
               halo_last_message());
        expect(same || halo_balancing_report(balancing).move_seconds > 0, "moves take time");
        halo_label_destroy(&label);
        halo_balancing_destroy(&balancing);
        label_case_free_fields(&c);
    }
    expect(ranks == 1 || moved > 0, "nothing has ever moved");
    free(cuts);
    image_free(&made);
    EXPECT_AGREED();
}

/* Pixels that have not been distributed, or lie elsewhere, are not labelled. */
static void test_refused(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    image made = image_make(IMAGE_rings, 64 * ranks, 4 * ranks, 1);
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    halo_cuts_even(made.height, ranks, cuts);
    char columns[32];
    snprintf(columns, sizeof columns, "1x%d", ranks);
    label_case c = {.world = world, .made = &made, .cuts = cuts, .grey_bits = 8};
    c.options.decomposition = columns;
    label_case_make_fields(&c);
    label_case_fill(&c);
    halo_label *label = NULL;
    expect(halo_label_create(&label, world, &c.domain, &c.partition, &c.options) == HALO_OK, "%s",
           halo_last_message());
    halo_status status =
        halo_label_run(label, halo_field_view(c.foreground), halo_field_view(c.grey));
    expect(status == (ranks > 1 ? HALO_ARGUMENT : HALO_OK), "strips labelled as blocks");
    expect(ranks == 1 || strstr(halo_last_message(), "halo_label_distribute") != NULL, "%s",
           halo_last_message());
    expect(halo_label_distribute(label, &c.grey, &c.foreground) == HALO_ARGUMENT &&
               strstr(halo_last_message(), "bit") != NULL,
           "grey pixels taken for foreground ones: %s", halo_last_message());
    expect(halo_label_distribute(label, &c.foreground, &c.grey) == HALO_OK, "%s",
           halo_last_message());
    expect(halo_label_run(label, halo_field_view(c.foreground), halo_field_view(c.grey)) == HALO_OK,
           "%s", halo_last_message());
    halo_label_destroy(&label);
    c.options.decomposition = "diamonds";
    expect(halo_label_create(&label, world, &c.domain, &c.partition, &c.options) == HALO_ARGUMENT &&
               label == NULL,
           "diamonds");
    label_case_free_fields(&c);
    free(cuts);
    image_free(&made);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"cut anew", test_cuts},
        {"boundaries moved at random", test_moving},
        {"boundaries moved as measured", test_measured},
        {"moves are seen", test_moves_are_seen},
        {"pixels that lie elsewhere", test_refused},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "labelling as a library", tests);
}
