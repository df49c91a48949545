/* Pixels on their way to where they are labelled: moves that are told, parts that are refused. */

#include "core/balance/balancing.h"
#include "partition/cuts.h"
#include "support/label_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
        expect_ok(halo_balancing_create(&balancing, world, &how));
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
    expect_ok(halo_label_create(&label, world, &c.domain, &c.partition, &c.options));
    halo_status status =
        halo_label_run(label, halo_field_view(c.foreground), halo_field_view(c.grey));
    expect(status == (ranks > 1 ? HALO_ARGUMENT : HALO_OK), "strips labelled as blocks");
    expect(ranks == 1 || strstr(halo_last_message(), "halo_label_distribute") != NULL, "%s",
           halo_last_message());
    expect(halo_label_distribute(label, &c.grey, &c.foreground) == HALO_ARGUMENT &&
               strstr(halo_last_message(), "bit") != NULL,
           "grey pixels taken for foreground ones: %s", halo_last_message());
    expect_ok(halo_label_distribute(label, &c.foreground, &c.grey));
    expect_ok(halo_label_run(label, halo_field_view(c.foreground), halo_field_view(c.grey)));
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

MPI_CHECK_MAIN("labelling as a library", {"moves are seen", test_moves_are_seen},
               {"pixels that lie elsewhere", test_refused})
