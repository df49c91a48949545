/* Labelling under every policy of waiting, and what is refused; images are for test_same_bytes.c.
 */

#include "partition/cuts.h"
#include "support/label_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast"};
enum { VOTES = 4 };

/* Every vote, every waiting policy, on the image that is hardest to merge. */
static void test_votes_and_waits(void)
{
    static const char *const waits[] = {"spin", "yield", "sleep"};
    int ranks = all_ranks();
    image made = image_make(IMAGE_wide_spiral, 130, 66, 0);
    oracle flood = oracle_make(&made, 4, (bool[2]){false, false});
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    halo_cuts_even(made.height, ranks, cuts);
    expect(flood.regions == 1, "a spiral of %" PRId64 " regions", flood.regions);
    /* A spinning rank that waits keeps the others from the cores: not where ranks are many. */
    for (int w = ranks > 2; w < 3; w++) {
        label_case c = {.made = &made, .cuts = cuts, .grey_bits = 8};
        expect_ok(halo_world_create(&c.world, halo_world_comm(mpi_check_world()),
                                    &(halo_world_options){.wait = waits[w]}));
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
    expect_ok(halo_label_create(&label, world, &c.domain, &c.partition, &c.options));
    expect_ok(halo_label_run(label, halo_field_view(c.foreground), NULL));
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
        expect_ok(
            halo_partition_strips(&strips[i], i == 0 ? &domain : &deep, halo_world_ranks(world)));
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

MPI_CHECK_MAIN("label", {"every vote and wait on a spiral", test_votes_and_waits},
               {"more regions than 16 bits hold", test_many_regions},
               {"bad options are refused", test_bad_options})
