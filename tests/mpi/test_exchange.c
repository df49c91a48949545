#include "core/exchange/exchange.h"
#include "support/blocks.h"
#include "support/exchange_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 4, STRIP_CASES = 10 };

static const char *const modes[] = {"p2p", "persistent", "neighbour", "shared"};
static const char *const ways[] = {"direct", "phases"};
static const char *const packings[] = {"copy", "datatype", "auto"};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

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

/* Strips send one message to each side that has another owner. */
static void check_strip_messages(const exchange_case *c, const halo_exchange_counts *counts)
{
    int64_t wanted = 0;
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        wanted += c->depth[i] > 0 ? sides_of(c, my_rank()) : 0;
    }
    expect(counts->messages == EXCHANGE_BEATS * wanted && (counts->bytes > 0) == (wanted > 0),
           "%" PRId64 " messages of %" PRId64 " bytes in %d beats, not %" PRId64 " a beat",
           counts->messages, counts->bytes, EXCHANGE_BEATS, wanted);
}

/* Every mode, way and packing of one case, which differs in nothing else. */
static void run_all_ways(exchange_case *c)
{
    for (size_t way = 0; way < LENGTH(ways); way++) {
        halo_exchange_counts first = {0}, counts;
        for (size_t mode = 0; mode < LENGTH(modes); mode++) {
            /* Graphs take long to make where ranks are more than cores. */
            bool graph = strcmp(modes[mode], "neighbour") == 0;
            for (size_t packing = graph; packing < (graph ? 2 : LENGTH(packings)); packing++) {
                c->options.mode = modes[mode];
                c->options.corner_way = ways[way];
                c->options.packing = packings[packing];
                exchange_case_run(c, &counts);
                first = first.exchanges == 0 ? counts : first;
                expect(memcmp(&counts, &first, sizeof counts) == 0,
                       "%s, %s, %s: %" PRId64 " messages of %" PRId64 " bytes, not %" PRId64
                       " of %" PRId64 " as the first",
                       modes[mode], ways[way], packings[packing], counts.messages, counts.bytes,
                       first.messages, first.bytes);
            }
        }
        if (c->partition.parts[1] * c->partition.parts[2] == 1) {
            check_strip_messages(c, &first);
        }
    }
}

/* Random cuts often leave an axis with one owner, and then no corner lies beyond three cuts. */
static void cut_everywhere(exchange_case *c, const int parts[HALO_AXES])
{
    halo_partition_free(&c->partition);
    c->partition = even_blocks(&c->domain, parts);
    c->options.corners = true;
    c->depth[0] = c->depth[0] > 0 ? c->depth[0] : 1;
}

/* The number of cases for a grid of ranks. Many ranks have many grids, and take long for each. */
static int cases_of(bool strips)
{
    return all_ranks() > MANY_RANKS ? 1 : strips ? STRIP_CASES : CASES;
}

/* Is the grid to be tested? Of many ranks those whose sides ascend, one of each shape. */
static bool is_chosen(int axes, const int parts[HALO_AXES])
{
    return all_ranks() <= MANY_RANKS || axes == 1 ||
           (parts[0] <= parts[1] && (axes == 2 || parts[1] <= parts[2]));
}

/* All ways to cut as many axes into as many parts as there are ranks. */
static void check_axes(int axes)
{
    int ranks = all_ranks();
    uint64_t random = (uint64_t)axes;
    for (int a = 1; a <= ranks; a++) {
        for (int b = 1; b <= ranks / a; b++) {
            int parts[HALO_AXES] = {a, b, ranks / a / b};
            bool fits =
                a * b * parts[2] == ranks && (axes > 1 || b == 1) && (axes > 2 || parts[2] == 1);
            for (int i = 0; fits && is_chosen(axes, parts) && i < cases_of(a == ranks); i++) {
                exchange_case c = exchange_case_random(&random, axes, parts);
                if (i % 2 == 1 && a > 1 && b > 1 && parts[2] > 1) {
                    cut_everywhere(&c, parts);
                }
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

/* ---- several exchanges under way ------------------------------------------------------------- */

enum { ALIVE = 3 };

/* Each of three pairs of fields has an exchange; the same tags are under way several times. */
static void check_alive(const exchange_case *c, const int ends[ALIVE])
{
    halo_field *fields[ALIVE][EXCHANGE_FIELDS] = {{NULL}};
    halo_exchange *exchanges[ALIVE];
    bool made = true;
    for (int i = 0; i < ALIVE; i++) {
        exchange_fields_create(c, fields[i]);
        made = exchange_connect(&exchanges[i], c, fields[i]) == HALO_OK && made;
    }
    for (int64_t beat = 1; made && beat <= EXCHANGE_BEATS; beat++) {
        for (int i = 0; i < ALIVE; i++) {
            exchange_fill(fields[i], 100 * i + beat);
            expect_ok(halo_exchange_begin(exchanges[i]));
        }
        expect(halo_exchange_begin(exchanges[0]) == HALO_ARGUMENT, "begun twice");
        for (int i = 0; i < ALIVE; i++) {
            expect_ok(halo_exchange_end(exchanges[ends[i]]));
            exchange_check(c, fields[ends[i]], 100 * ends[i] + beat, true);
        }
    }
    for (int i = 0; i < ALIVE; i++) {
        halo_exchange_destroy(&exchanges[i]);
        exchange_fields_destroy(fields[i]);
    }
}

static void test_alive_together(void)
{
    static const int orders[][ALIVE] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
    int ranks = all_ranks(), high = ranks % 2 == 0 ? 2 : 1;
    for (size_t mode = 0; mode < LENGTH(modes); mode++) {
        for (size_t way = 0; way < LENGTH(ways); way++) {
            exchange_case c = {
                .domain = {.axes = 2, .n = {8, 4 * ranks, 1}, .periodic = {1, 1}},
                .cell_bits = {64, 8},
                .depth = {1, 2},
                .options = {.mode = modes[mode], .corner_way = ways[way], .corners = true}};
            c.partition = even_blocks(&c.domain, (const int[]){high, ranks / high, 1});
            for (size_t i = 0; i < LENGTH(orders); i++) {
                check_alive(&c, orders[i]);
            }
            halo_partition_free(&c.partition);
        }
    }
    EXPECT_AGREED();
}

/* ---- messages, and exchanges that are refused ------------------------------------------------ */

/* One or two rows of blocks, so that their neighbours are easily counted. */
static void test_messages(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world), high = ranks % 2 == 0 ? 2 : 1, wide = ranks / high;
    exchange_case c = {
        .domain = {.axes = 2, .n = {6, 6 * wide, 1}}, .cell_bits = {64, 64}, .depth = {2, 0}};
    c.partition = even_blocks(&c.domain, (const int[]){high, wide, 1});
    int place[HALO_AXES];
    halo_partition_place(&c.partition, halo_world_rank(world), place);
    int64_t rows = high == 2 ? 3 : 6, above = high - 1;
    int64_t beside = (place[1] > 0) + (place[1] < wide - 1);
    int64_t around = high == 1 ? 4 : 0; /* halo rows along an axis that is not cut go along */
    struct {
        const char *way;
        bool corners;
        int64_t messages, cells;
    } wanted[] = {
        {"direct", false, above + beside, above * 2 * 6 + beside * 2 * (rows + around)},
        {"direct", true, above + beside + above * beside,
         above * 2 * 6 + beside * 2 * (rows + around) + above * beside * 4},
    };
    for (size_t i = 0; i < LENGTH(wanted); i++) {
        /* Rows of a domain that is not cut across are whole, with what lies between them. */
        bool whole = wide == 1;
        c.options =
            (halo_exchange_options){.corner_way = wanted[i].way, .corners = wanted[i].corners};
        halo_exchange_counts counts;
        exchange_case_run(&c, &counts);
        expect(counts.exchanges == EXCHANGE_BEATS &&
                   counts.messages == EXCHANGE_BEATS * wanted[i].messages &&
                   (whole || counts.bytes == EXCHANGE_BEATS * 8 * wanted[i].cells),
               "%d x %d parts, corners %d: %" PRId64 " messages of %" PRId64 " bytes, not %" PRId64
               " of %" PRId64,
               high, wide, wanted[i].corners, counts.messages, counts.bytes,
               EXCHANGE_BEATS * wanted[i].messages, EXCHANGE_BEATS * 8 * wanted[i].cells);
    }
    halo_partition_free(&c.partition);
    EXPECT_AGREED();
}

/* Expect that an exchange of one field with bits or cells in `parts` of a small domain is refused.
 */
static void expect_refused(const halo_domain *domain, const int parts[HALO_AXES], int cell_bits,
                           const halo_exchange_options *options, halo_status wanted,
                           const char *text)
{
    halo_partition partition = even_blocks(domain, parts);
    halo_field *field = own_field(domain, &partition, cell_bits, 3);
    halo_exchange *exchange;
    expect_fails(halo_exchange_create(&exchange, mpi_check_world(), &partition, &field, 1, options),
                 wanted, text);
    expect(exchange == NULL, "an exchange that was refused");
    halo_field_destroy(&field);
    halo_partition_free(&partition);
}

static void test_bad_arguments_are_refused(void)
{
    int ranks = all_ranks();
    halo_domain plate = {.axes = 2, .n = {9, 2 * ranks, 1}}, tall = {.axes = 3, .n = {0, 9, 9}};
    halo_domain low = {.axes = 2, .n = {7, 5, 1}}; /* at most 2 strips of 3 rows */
    const int columns[HALO_AXES] = {1, ranks, 1}, strips[HALO_AXES] = {ranks, 1, 1};
    halo_exchange_options way = {.corner_way = "around"}, packing = {.packing = "parcel"},
                          mode = {.mode = "pigeon"};
    tall.n[0] = 2 * ranks;
    expect_refused(&plate, columns, 8, &way, HALO_ARGUMENT, "\"around\"; use direct or phases");
    expect_refused(&plate, columns, 8, &packing, HALO_ARGUMENT,
                   "\"parcel\"; use auto, copy or datatype");
    expect_refused(&plate, columns, 8, &mode, HALO_ARGUMENT, "pigeon");
    if (ranks > 1) {
        expect_refused(&plate, columns, HALO_BIT, NULL, HALO_ARGUMENT, "bit-packed");
        expect_refused(&plate, columns, 8, NULL, HALO_RANKS, "a halo of 3 columns");
        expect_refused(&tall, strips, 8, NULL, HALO_RANKS, "a halo of 3 planes");
    }
    if (ranks > 2) {
        expect_refused(&low, strips, 32, NULL, HALO_RANKS, "at most 2 ranks");
    }
    EXPECT_AGREED();
}

static void test_bad_calls_are_refused(void)
{
    halo_world *world = mpi_check_world();
    halo_domain domain = {.axes = 1, .n = {100, 1, 1}};
    halo_partition more = even_blocks(&domain, (const int[HALO_AXES]){all_ranks() + 1, 1, 1});
    halo_partition strips = even_strips(&domain);
    halo_field *other = own_field(&domain, &more, 32, 1);
    halo_field *field = own_field(&domain, &strips, 32, 1);
    halo_exchange *exchange;
    expect(halo_exchange_create(&exchange, world, &more, &other, 1, NULL) == HALO_ARGUMENT,
           "a partition with one part more than ranks was accepted");
    expect(halo_exchange_create(&exchange, world, &strips, &other, 1, NULL) == HALO_ARGUMENT,
           "a field of another part was accepted");
    expect_ok(halo_exchange_create(&exchange, world, &strips, &field, 1, NULL));
    expect(halo_exchange_end(exchange) == HALO_ARGUMENT, "an end without a begin was accepted");
    halo_exchange_destroy(&exchange);
    halo_field_destroy(&other);
    halo_field_destroy(&field);
    halo_partition_free(&more);
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("exchange", {"one axis", test_one_axis},
               {"two axes, every rank grid", test_two_axes},
               {"three axes, every rank grid", test_three_axes},
               {"several exchanges under way", test_alive_together},
               {"messages and bytes of blocks", test_messages},
               {"bad options are refused on all ranks", test_bad_arguments_are_refused},
               {"bad calls are refused on all ranks", test_bad_calls_are_refused})
