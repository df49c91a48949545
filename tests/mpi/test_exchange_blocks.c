#include "core/exchange.h"
#include "support/exchange_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 6 };

static const char *const modes[] = {"p2p", "persistent", "neighbour"};
static const char *const ways[] = {"direct", "phases"};
static const char *const packings[] = {"copy", "datatype", "auto"};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Axis by axis: cut lines anywhere (parts of exactly `least` cells and empty ones are frequent),
 * and any of them periodic. */
static void random_partition(uint64_t *random, exchange_case *c, const int parts[HALO_AXES],
                             int64_t least)
{
    for (int axis = 0; axis < c->domain.axes; axis++) {
        c->domain.periodic[axis] = random_below(random, 2);
        int64_t thick = random_below(random, 3) == 0 ? least : least + random_below(random, 4);
        c->domain.n[axis] = parts[axis] * (thick > 0 ? thick : 1) + random_below(random, 3);
    }
    expect(halo_partition_blocks(&c->partition, &c->domain, parts) == HALO_OK, "blocks: %s",
           halo_last_message());
    for (int axis = 0; axis < c->domain.axes; axis++) {
        if (random_below(random, 2) == 0) {
            random_cuts(random, c->domain.n[axis], parts[axis], least, c->partition.cuts[axis]);
        }
    }
}

static exchange_case random_case(uint64_t *random, int axes, const int parts[HALO_AXES])
{
    static const int bits[] = {8, 24, 64, 32, 192};
    exchange_case c = {.domain = {.axes = axes, .n = {1, 1, 1}}};
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        bool whole = parts[axes - 1] == 1 && axes > 1;
        int64_t kind = random_below(random, whole ? 6 : 5);
        c.cell_bits[i] = kind < 5 ? bits[kind] : HALO_BIT;
        c.depth[i] = (int)random_below(random, 4);
    }
    random_partition(random, &c, parts, c.depth[0] > c.depth[1] ? c.depth[0] : c.depth[1]);
    c.options.corners = random_below(random, 3) > 0;
    return c;
}

/* Every mode, way and packing of one case, which differs in nothing else. */
static void run_all_ways(exchange_case *c)
{
    for (size_t way = 0; way < LENGTH(ways); way++) {
        halo_exchange_counts first = {0}, counts;
        for (size_t mode = 0; mode < LENGTH(modes); mode++) {
            for (size_t packing = 0; packing < LENGTH(packings); packing++) {
                c->options.mode = modes[mode];
                c->options.corner_way = ways[way];
                c->options.packing = packings[packing];
                exchange_case_run(c, &counts);
                first = mode + packing == 0 ? counts : first;
                expect(memcmp(&counts, &first, sizeof counts) == 0,
                       "%s, %s, %s: %" PRId64 " messages of %" PRId64 " bytes, not %" PRId64
                       " of %" PRId64 " as the first",
                       modes[mode], ways[way], packings[packing], counts.messages, counts.bytes,
                       first.messages, first.bytes);
            }
        }
    }
}

/* All ways to cut as many axes into as many parts as there are ranks. */
static void check_axes(int axes)
{
    int ranks = halo_world_ranks(mpi_check_world());
    uint64_t random = (uint64_t)axes;
    for (int a = 1; a <= ranks; a++) {
        for (int b = 1; b <= ranks / a; b++) {
            int parts[HALO_AXES] = {a, b, ranks / a / b};
            bool fits =
                a * b * parts[2] == ranks && (axes > 1 || b == 1) && (axes > 2 || parts[2] == 1);
            for (int i = 0; fits && i < CASES; i++) {
                exchange_case c = random_case(&random, axes, parts);
                run_all_ways(&c);
                halo_partition_free(&c.partition);
            }
        }
    }
    EXPECT_AGREED();
}

static void test_one_axis(void)
{
    check_axes(1);
}

static void test_two_axes(void)
{
    check_axes(2);
}

static void test_three_axes(void)
{
    check_axes(3);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one axis", test_one_axis},
        {"two axes, every rank grid", test_two_axes},
        {"three axes, every rank grid", test_three_axes},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "exchange in blocks", tests);
}
