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

/* ---- cases ----------------------------------------------------------------------------------- */

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
    c->partition = even_blocks(&c->domain, parts);
    for (int axis = 0; axis < c->domain.axes; axis++) {
        if (random_below(random, 2) == 0) {
            random_cuts(random, c->domain.n[axis], parts[axis], least, c->partition.cuts[axis]);
        }
    }
}

/* Rows that are not cut may have bits, and widths about those of words. */
static exchange_case random_case(uint64_t *random, int axes, const int parts[HALO_AXES])
{
    static const int bits[] = {8, 24, 64, 32, 192, 16, HALO_BIT};
    static const int64_t widths[] = {1, 2, 3, 7, 62, 63, 64, 65, 66, 127, 128, 129};
    exchange_case c = {.domain = {.axes = axes, .n = {1, 1, 1}}};
    bool whole = parts[axes - 1] == 1 && axes > 1;
    for (int i = 0; i < EXCHANGE_FIELDS; i++) {
        c.cell_bits[i] = bits[random_below(random, whole ? 7 : 6)];
        c.depth[i] = (int)random_below(random, 5);
    }
    random_partition(random, &c, parts, c.depth[0] > c.depth[1] ? c.depth[0] : c.depth[1]);
    if (whole && random_below(random, 2) == 0) {
        c.domain.n[axes - 1] = widths[random_below(random, LENGTH(widths))];
        c.partition.cuts[axes - 1][1] = c.domain.n[axes - 1];
    }
    c.options.corners = random_below(random, 3) > 0;
    return c;
}

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
            for (int i = 0; fits && i < (a == ranks ? STRIP_CASES : CASES); i++) {
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

/* All 2^3 periodicities with 1-bit and 3-byte cells, every depth, even cuts. */
static void test_all_periodicities(void)
{
    int ranks = all_ranks();
    for (int pattern = 0; pattern < 8; pattern++) {
        for (int depth = 1; depth <= 4; depth++) {
            exchange_case c = {.domain = {.axes = 3, .n = {4 * ranks + 1, 3, 65}},
                               .cell_bits = {1, 24},
                               .depth = {depth, depth}};
            for (int axis = 0; axis < HALO_AXES; axis++) {
                c.domain.periodic[axis] = pattern >> axis & 1;
            }
            c.partition = even_strips(&c.domain);
            halo_exchange_counts counts;
            exchange_case_run(&c, &counts);
            check_strip_messages(&c, &counts);
            halo_partition_free(&c.partition);
        }
    }
    EXPECT_AGREED();
}

/* More ranks than rows: the surplus owns nothing and takes part all the same. */
static void test_fewer_rows_than_ranks(void)
{
    int ranks = all_ranks();
    for (int rows = 1; rows <= ranks; rows++) {
        exchange_case c = {.domain = {.axes = 2, .n = {rows, 70, 1}, .periodic = {true, true}},
                           .cell_bits = {1, 64},
                           .depth = {1, 1}};
        c.partition = even_strips(&c.domain);
        run_all_ways(&c);
        halo_partition_free(&c.partition);
    }
    EXPECT_AGREED();
}

/* ---- what can be computed in between --------------------------------------------------------- */

static bool holds(const halo_box *box, const int64_t at[HALO_AXES])
{
    bool inside = true;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        inside = inside && at[axis] >= box->lo[axis] && at[axis] < box->lo[axis] + box->n[axis];
    }
    return inside;
}

/* Are all cells up to `depth` away along an axis this rank's own, or nobody's? */
static bool reads_own(const exchange_case *c, const halo_box *owned, const int64_t at[HALO_AXES],
                      int depth)
{
    for (int axis = 0; axis < c->domain.axes; axis++) {
        int64_t n = c->domain.n[axis];
        for (int64_t i = at[axis] - depth; i <= at[axis] + depth; i++) {
            int64_t place = i + owned->lo[axis];
            bool exists = c->domain.periodic[axis] || (place >= 0 && place < n);
            place = (place % n + n) % n;
            if (exists && (place < owned->lo[axis] || place >= owned->lo[axis] + owned->n[axis])) {
                return false;
            }
        }
    }
    return true;
}

/* Every cell is in the interior or in one edge; in the interior those that read no one else's. */
static void check_split(const exchange_case *c, const halo_exchange *exchange, int depth)
{
    halo_box owned = halo_partition_box(&c->partition, my_rank());
    halo_box interior, edges[HALO_EDGES];
    int count = halo_exchange_split(exchange, depth, &interior, edges);
    expect(count >= 0 && count <= HALO_EDGES, "%d edges", count);
    for (int64_t i = 0; i < halo_box_cells(&owned); i++) {
        const int64_t at[HALO_AXES] = {i / (owned.n[1] * owned.n[2]), i / owned.n[2] % owned.n[1],
                                       i % owned.n[2]};
        int in = 0;
        for (int e = 0; e < count; e++) {
            in += holds(&edges[e], at);
        }
        bool early = reads_own(c, &owned, at, depth);
        expect(holds(&interior, at) == early && in == !early,
               "cell (%" PRId64 ", %" PRId64 ", %" PRId64 ") of %" PRId64 " x %" PRId64
               " x %" PRId64 " is in %d edges, depth %d",
               at[0], at[1], at[2], owned.n[0], owned.n[1], owned.n[2], in, depth);
    }
}

static void test_split(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    uint64_t random = 11;
    for (int a = 1; a <= ranks; a++) {
        for (int b = 1; ranks % a == 0 && b <= ranks / a; b++) {
            for (int i = 0; ranks / a % b == 0 && i < CASES; i++) {
                exchange_case c = random_case(&random, 3, (const int[]){a, b, ranks / a / b});
                halo_box owned = halo_partition_box(&c.partition, halo_world_rank(world));
                halo_field *field;
                expect_ok(halo_field_create(&field, &c.domain, &owned, 8, c.depth[0]));
                halo_exchange *exchange;
                halo_status status =
                    halo_exchange_create(&exchange, world, &c.partition, &field, 1, &c.options);
                expect_ok(status);
                if (status == HALO_OK) {
                    check_split(&c, exchange, c.depth[0]);
                }
                halo_exchange_destroy(&exchange);
                halo_field_destroy(&field);
                halo_partition_free(&c.partition);
            }
        }
    }
    EXPECT_AGREED();
}

/* ---- several exchanges under way ------------------------------------------------------------- */

enum { ALIVE = 3 };

/* Each of three fields has an exchange of its own; the same tags are under way several times. */
static void check_alive(const exchange_case *c, const int ends[ALIVE])
{
    halo_world *world = mpi_check_world();
    halo_box owned = halo_partition_box(&c->partition, halo_world_rank(world));
    halo_field_options field_options = {.shared = strcmp(c->options.mode, "shared") == 0};
    halo_field *fields[ALIVE];
    halo_exchange *exchanges[ALIVE];
    bool made = true;
    for (int i = 0; i < ALIVE; i++) {
        expect(halo_field_create_with(&fields[i], &c->domain, &owned, 64, 1, &field_options) ==
                   HALO_OK,
               "field: %s", halo_last_message());
        expect_ok(
            halo_exchange_create(&exchanges[i], world, &c->partition, &fields[i], 1, &c->options));
        made = made && exchanges[i] != NULL;
    }
    for (int64_t beat = 1; made && beat <= EXCHANGE_BEATS; beat++) {
        for (int i = 0; i < ALIVE; i++) {
            exchange_cells_fill(halo_field_view(fields[i]), i, beat);
            expect_ok(halo_exchange_begin(exchanges[i]));
        }
        expect(halo_exchange_begin(exchanges[0]) == HALO_ARGUMENT, "begun twice");
        for (int i = 0; i < ALIVE; i++) {
            expect_ok(halo_exchange_end(exchanges[ends[i]]));
            exchange_cells_check(c, halo_field_view(fields[ends[i]]), ends[i], beat);
        }
    }
    for (int i = 0; i < ALIVE; i++) {
        halo_exchange_destroy(&exchanges[i]);
        halo_field_destroy(&fields[i]);
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

/* Of one field with bits or cells in `parts` of a small domain. */
static void expect_refused(const halo_domain *domain, const int parts[HALO_AXES], int cell_bits,
                           const halo_exchange_options *options, halo_status wanted,
                           const char *text)
{
    halo_world *world = mpi_check_world();
    halo_partition partition = even_blocks(domain, parts);
    halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
    halo_field *field;
    expect_ok(halo_field_create(&field, domain, &owned, cell_bits, 3));
    halo_exchange *exchange;
    halo_status status = halo_exchange_create(&exchange, world, &partition, &field, 1, options);
    expect(status == wanted && exchange == NULL && strstr(halo_last_message(), text) != NULL,
           "status %d, not %d for \"%s\": %s", (int)status, (int)wanted, text, halo_last_message());
    halo_exchange_destroy(&exchange);
    halo_field_destroy(&field);
    halo_partition_free(&partition);
}

static void test_bad_arguments_are_refused(void)
{
    int ranks = all_ranks();
    halo_domain plate = {.axes = 2, .n = {9, 2 * ranks, 1}};
    const int columns[HALO_AXES] = {1, ranks, 1}, strips[HALO_AXES] = {ranks, 1, 1};
    halo_exchange_options way = {.corner_way = "around"}, packing = {.packing = "parcel"};
    expect_refused(&plate, columns, 8, &way, HALO_ARGUMENT, "\"around\"; use one of direct phases");
    expect_refused(&plate, columns, 8, &packing, HALO_ARGUMENT,
                   "\"parcel\"; use one of auto copy datatype");
    if (ranks > 1) {
        halo_domain tall = {.axes = 3, .n = {2 * ranks, 9, 9}};
        expect_refused(&plate, columns, HALO_BIT, NULL, HALO_ARGUMENT, "bit-packed");
        expect_refused(&plate, columns, 8, NULL, HALO_RANKS, "a halo of 3 columns");
        expect_refused(&tall, strips, 8, NULL, HALO_RANKS, "a halo of 3 planes");
    }
    EXPECT_AGREED();
}

static void test_too_deep_is_refused(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    halo_domain domain = {.axes = 2, .n = {7, 5, 1}};
    halo_partition partition = even_strips(&domain);
    halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
    halo_field *field;
    expect_ok(halo_field_create(&field, &domain, &owned, 32, 3));
    halo_exchange *exchange;
    halo_status status = halo_exchange_create(&exchange, world, &partition, &field, 1, NULL);
    if (ranks <= 2) { /* 7 rows make at most 2 strips of 3 */
        expect_ok(status);
    } else {
        expect(status == HALO_RANKS && exchange == NULL, "accepted");
        expect(strstr(halo_last_message(), "at most 2 ranks") != NULL, "%s", halo_last_message());
    }
    halo_exchange_destroy(&exchange);
    halo_field_destroy(&field);
    halo_partition_free(&partition);
    EXPECT_AGREED();
}

static void test_bad_calls_are_refused(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    halo_domain domain = {.axes = 1, .n = {100, 1, 1}};
    halo_partition partition;
    expect_ok(halo_partition_strips(&partition, &domain, ranks + 1));
    halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
    halo_field *field;
    expect_ok(halo_field_create(&field, &domain, &owned, 32, 1));
    halo_exchange *exchange;
    expect(halo_exchange_create(&exchange, world, &partition, &field, 1, NULL) == HALO_ARGUMENT,
           "a partition with one part more than ranks was accepted");
    halo_partition_free(&partition);
    partition = even_strips(&domain);
    expect(halo_exchange_create(&exchange, world, &partition, &field, 1,
                                &(halo_exchange_options){.mode = "pigeon"}) == HALO_ARGUMENT,
           "an unknown mode was accepted");
    expect(strstr(halo_last_message(), "pigeon") != NULL, "%s", halo_last_message());
    expect(halo_exchange_create(&exchange, world, &partition, &field, 1, NULL) == HALO_ARGUMENT,
           "a field of another part was accepted");
    halo_field_destroy(&field);
    owned = halo_partition_box(&partition, halo_world_rank(world));
    expect_ok(halo_field_create(&field, &domain, &owned, 32, 1));
    expect_ok(halo_exchange_create(&exchange, world, &partition, &field, 1, NULL));
    expect(halo_exchange_end(exchange) == HALO_ARGUMENT, "an end without a begin was accepted");
    halo_exchange_destroy(&exchange);
    halo_field_destroy(&field);
    halo_partition_free(&partition);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("exchange", {"one axis", test_one_axis},
               {"two axes, every rank grid", test_two_axes},
               {"three axes, every rank grid", test_three_axes},
               {"every periodicity, depths 1 to 4", test_all_periodicities},
               {"fewer rows than ranks", test_fewer_rows_than_ranks},
               {"interior and edges", test_split},
               {"several exchanges under way", test_alive_together},
               {"messages and bytes of blocks", test_messages},
               {"a halo deeper than a strip is refused", test_too_deep_is_refused},
               {"bad options are refused on all ranks", test_bad_arguments_are_refused},
               {"bad calls are refused on all ranks", test_bad_calls_are_refused})
