#include "core/exchange/exchange.h"
#include "support/exchange_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 60 };

/* Sides of this rank that another rank's cells lie beyond. */
static int64_t sides_of(const exchange_case *c, int rank)
{
    int64_t sides = 0;
    for (int step = -1; step <= 1; step += 2) {
        int other = halo_cuts_neighbour(c->partition.cuts[0], c->partition.parts[0], rank, step,
                                        c->domain.periodic[0]);
        sides += other >= 0 && other != rank;
    }
    return sides;
}

static void run_case(const exchange_case *c)
{
    halo_exchange_counts counts;
    exchange_case_run(c, &counts);
    int64_t wanted = 0;
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        wanted += c->depth[i] > 0 ? sides_of(c, halo_world_rank(mpi_check_world())) : 0;
    }
    expect(counts.messages == EXCHANGE_BEATS * wanted,
           "%" PRId64 " messages in %d beats, not %" PRId64 " a beat", counts.messages,
           EXCHANGE_BEATS, wanted);
    expect((counts.bytes > 0) == (wanted > 0), "%" PRId64 " bytes", counts.bytes);
}

static exchange_case random_case(uint64_t *random, int axes, const char *mode)
{
    static const int bits[] = {1, 8, 16, 24, 32, 64};
    static const int64_t widths[] = {1, 2, 3, 7, 62, 63, 64, 65, 66, 127, 128, 129};
    int ranks = halo_world_ranks(mpi_check_world());
    exchange_case c = {.domain = {.axes = axes, .n = {1, 1, 1}}, .options = {.mode = mode}};
    int deepest = 0;
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        c.cell_bits[i] = bits[axes == 1 ? 1 + random_below(random, 5) : random_below(random, 6)];
        c.depth[i] = (int)random_below(random, 5);
        deepest = c.depth[i] > deepest ? c.depth[i] : deepest;
    }
    for (int axis = 0; axis < axes; axis++) {
        c.domain.periodic[axis] = random_below(random, 2);
        c.domain.n[axis] = axis == 0          ? 1 + random_below(random, 40)
                           : axis == axes - 1 ? widths[random_below(random, 12)]
                                              : 1 + random_below(random, 6);
    }
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    random_cuts(random, c.domain.n[0], ranks, deepest, cuts);
    expect(halo_partition_with_cuts(&c.partition, &c.domain, ranks, cuts) == HALO_OK, "cuts: %s",
           halo_last_message());
    free(cuts);
    return c;
}

static void check_axes(int axes, const char *mode)
{
    uint64_t random = (uint64_t)axes;
    for (int i = 0; i < CASES; i++) {
        exchange_case c = random_case(&random, axes, mode);
        run_case(&c);
        halo_partition_free(&c.partition);
    }
    EXPECT_AGREED();
}

static void test_one_axis(void)
{
    check_axes(1, "p2p");
    check_axes(1, "persistent");
}

static void test_two_axes(void)
{
    check_axes(2, "p2p");
    check_axes(2, "persistent");
}

static void test_three_axes(void)
{
    check_axes(3, "p2p");
    check_axes(3, "persistent");
}

/* All 2^3 periodicities with 1-bit and 3-byte cells, every depth, even cuts. */
static void test_all_periodicities(void)
{
    int ranks = halo_world_ranks(mpi_check_world());
    for (int pattern = 0; pattern < 8; pattern++) {
        for (int depth = 1; depth <= 4; depth++) {
            exchange_case c = {.domain = {.axes = 3, .n = {4 * ranks + 1, 3, 65}},
                               .cell_bits = {1, 24},
                               .depth = {depth, depth},
                               .options = {.mode = "p2p"}};
            for (int axis = 0; axis < HALO_AXES; axis++) {
                c.domain.periodic[axis] = pattern >> axis & 1;
            }
            expect(halo_partition_strips(&c.partition, &c.domain, ranks) == HALO_OK, "strips");
            run_case(&c);
            halo_partition_free(&c.partition);
        }
    }
    EXPECT_AGREED();
}

/* More ranks than rows: the surplus owns nothing and takes part all the same. */
static void test_fewer_rows_than_ranks(void)
{
    int ranks = halo_world_ranks(mpi_check_world());
    for (int rows = 1; rows <= ranks; rows++) {
        exchange_case c = {.domain = {.axes = 2, .n = {rows, 70, 1}, .periodic = {true, true}},
                           .cell_bits = {1, 64},
                           .depth = {1, 1},
                           .options = {.mode = "p2p"}};
        expect(halo_partition_strips(&c.partition, &c.domain, ranks) == HALO_OK, "strips");
        run_case(&c);
        halo_partition_free(&c.partition);
    }
    EXPECT_AGREED();
}

static void test_too_deep_is_refused(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    halo_domain domain = {.axes = 2, .n = {7, 5, 1}};
    halo_partition partition;
    expect(halo_partition_strips(&partition, &domain, ranks) == HALO_OK, "strips");
    halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
    halo_field *field;
    expect(halo_field_create(&field, &domain, &owned, 32, 3) == HALO_OK, "field");
    halo_exchange *exchange;
    halo_status status = halo_exchange_create(&exchange, world, &partition, &field, 1, NULL);
    if (ranks <= 2) { /* 7 rows make at most 2 strips of 3 */
        expect(status == HALO_OK, "refused: %s", halo_last_message());
    } else {
        expect(status == HALO_RANKS && exchange == NULL, "accepted");
        expect(strstr(halo_last_message(), "at most 2 ranks") != NULL, "%s", halo_last_message());
    }
    halo_exchange_destroy(&exchange);
    halo_field_destroy(&field);
    halo_partition_free(&partition);
    EXPECT_AGREED();
}

static void test_bad_arguments_are_refused(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    halo_domain domain = {.axes = 1, .n = {100, 1, 1}};
    halo_partition partition;
    expect(halo_partition_strips(&partition, &domain, ranks + 1) == HALO_OK, "strips");
    halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
    halo_field *field;
    expect(halo_field_create(&field, &domain, &owned, 32, 1) == HALO_OK, "field");
    halo_exchange *exchange;
    expect(halo_exchange_create(&exchange, world, &partition, &field, 1, NULL) == HALO_ARGUMENT,
           "a partition with one part more than ranks was accepted");
    halo_partition_free(&partition);
    expect(halo_partition_strips(&partition, &domain, ranks) == HALO_OK, "strips");
    expect(halo_exchange_create(&exchange, world, &partition, &field, 1,
                                &(halo_exchange_options){.mode = "pigeon"}) == HALO_ARGUMENT,
           "an unknown mode was accepted");
    expect(strstr(halo_last_message(), "pigeon") != NULL, "%s", halo_last_message());
    expect(halo_exchange_create(&exchange, world, &partition, &field, 1, NULL) == HALO_ARGUMENT,
           "a field of another part was accepted");
    halo_field_destroy(&field);
    owned = halo_partition_box(&partition, halo_world_rank(world));
    expect(halo_field_create(&field, &domain, &owned, 32, 1) == HALO_OK, "field");
    expect(halo_exchange_create(&exchange, world, &partition, &field, 1, NULL) == HALO_OK, "%s",
           halo_last_message());
    expect(halo_exchange_end(exchange) == HALO_ARGUMENT, "an end without a begin was accepted");
    halo_exchange_destroy(&exchange);
    halo_field_destroy(&field);
    halo_partition_free(&partition);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one axis, random cuts", test_one_axis},
        {"two axes, random cuts", test_two_axes},
        {"three axes, random cuts", test_three_axes},
        {"every periodicity, depths 1 to 4", test_all_periodicities},
        {"fewer rows than ranks", test_fewer_rows_than_ranks},
        {"a halo deeper than a strip is refused", test_too_deep_is_refused},
        {"bad arguments are refused on all ranks", test_bad_arguments_are_refused},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "exchange", tests);
}
