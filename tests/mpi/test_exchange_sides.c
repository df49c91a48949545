#include "core/exchange/exchange.h"
#include "support/blocks.h"
#include "support/exchange_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Rows with a layout of their own: one cell of axis 1 for each rank beside another, in which the
 * rank keeps as many bytes as it has columns, and those of its neighbours before and after. */
enum { WIDEST = 30, CELL_BYTES = 40, BEATS = 3, CASES = 12, FIELDS = 2, MOST_RANKS = 64 };

typedef struct {
    halo_domain domain; /* rows, parts along axis 1 */
    halo_partition partition;
    int depth;         /* rows of halo */
    int reach[FIELDS]; /* columns of halo; 0 in a field that needs none */
    int64_t columns;
    int64_t cuts[MOST_RANKS + 1]; /* columns of each part */
    int place;                    /* of this rank along axis 1 */
    halo_exchange_options options;
} side_case;

static int64_t own_columns(const side_case *c)
{
    return c->cuts[c->place + 1] - c->cuts[c->place];
}

static unsigned char *byte_at(const halo_view *view, const side_case *c, int field, int64_t row,
                              int64_t column)
{
    return (unsigned char *)halo_row(view, row) + c->reach[field] + column;
}

static size_t side_bytes(const void *state, int field)
{
    return (size_t)((const side_case *)state)->reach[field];
}

static void take_side(const void *state, const halo_view *view, int field, int side, int64_t lo,
                      int64_t rows, void *out)
{
    const side_case *c = state;
    size_t bytes = side_bytes(state, field);
    int64_t first = side == 0 ? 0 : own_columns(c) - c->reach[field];
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * bytes, byte_at(view, c, field, lo + i, first), bytes);
    }
}

static void give_side(void *state, const halo_view *view, int field, int side, int64_t lo,
                      int64_t rows, const void *in)
{
    const side_case *c = state;
    size_t bytes = side_bytes(state, field);
    int64_t first = side == 0 ? -c->reach[field] : own_columns(c);
    for (int64_t i = 0; i < rows; i++) {
        memcpy(byte_at(view, c, field, lo + i, first), (const char *)in + (size_t)i * bytes, bytes);
    }
}

static const halo_side_halo sides = {side_bytes, take_side, give_side};

/* Return the expected value of a byte; 0 beyond edges that are not periodic, and beside rows that
 * have no neighbour there: their owner does without. */
static unsigned char wanted_at(const side_case *c, int field, int64_t row, int64_t column,
                               int64_t beat)
{
    int64_t rows = c->domain.n[0];
    bool beside = column < 0 || column >= c->columns;
    if ((!c->domain.periodic[0] && (row < 0 || row >= rows)) ||
        (beside && (!c->domain.periodic[1] || c->partition.parts[1] == 1))) {
        return 0;
    }
    const int64_t at[HALO_AXES] = {(row % rows + rows) % rows,
                                   (column % c->columns + c->columns) % c->columns};
    return (unsigned char)exchange_cell_value(at, field, beat);
}

static void fill(const side_case *c, const halo_view *view, int field, int64_t beat)
{
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        for (int64_t x = 0; x < own_columns(c); x++) {
            *byte_at(view, c, field, y, x) =
                wanted_at(c, field, view->owned.lo[0] + y, c->cuts[c->place] + x, beat);
        }
    }
}

static void check(const side_case *c, const halo_view *view, int field, int64_t beat)
{
    int64_t reach = c->reach[field], n = view->owned.n[0];
    for (int64_t y = -c->depth; n > 0 && y < n + c->depth; y++) {
        for (int64_t x = -reach; x < own_columns(c) + reach; x++) {
            unsigned char wanted =
                wanted_at(c, field, view->owned.lo[0] + y, c->cuts[c->place] + x, beat);
            unsigned char found = *byte_at(view, c, field, y, x);
            expect(found == wanted,
                   "%s, field %d, %d x %d parts, depth %d, reach %d, beat %" PRId64 ": row %" PRId64
                   ", column %" PRId64 " is %02x, not %02x",
                   c->options.mode, field, c->partition.parts[0], c->partition.parts[1], c->depth,
                   c->reach[field], beat, y, x, found, wanted);
        }
    }
}

static void run_beats(const side_case *c, halo_exchange *exchange, halo_field **fields)
{
    for (int64_t beat = 1; beat <= BEATS; beat++) {
        for (int i = 0; i < FIELDS; i++) {
            fill(c, halo_field_view(fields[i]), i, beat);
        }
        expect_ok(halo_exchange_begin(exchange));
        expect_ok(halo_exchange_end(exchange));
        for (int i = 0; i < FIELDS; i++) {
            check(c, halo_field_view(fields[i]), i, beat);
        }
    }
}

static void run_case(side_case *c)
{
    halo_world *world = mpi_check_world();
    halo_box owned = halo_partition_box(&c->partition, halo_world_rank(world));
    c->place = (int)owned.lo[1];
    c->options.side_halo = &sides;
    c->options.side_halo_state = c;
    halo_field *fields[FIELDS] = {NULL};
    for (int i = 0; i < FIELDS; i++) {
        expect_ok(halo_field_create_with(&fields[i], &c->domain, &owned, CELL_BYTES * 8, c->depth,
                                         &(halo_field_options){.no_side_halo = true}));
    }
    halo_exchange *exchange;
    halo_status status =
        halo_exchange_create(&exchange, world, &c->partition, fields, FIELDS, &c->options);
    expect_ok(status);
    if (status == HALO_OK) {
        run_beats(c, exchange, fields);
    }
    halo_exchange_destroy(&exchange);
    for (int i = 0; i < FIELDS; i++) {
        halo_field_destroy(&fields[i]);
    }
}

static side_case random_case(uint64_t *random, int high, int wide)
{
    side_case c = {.domain = {.axes = 2, .n = {1, wide, 1}},
                   .depth = (int)random_below(random, 4),
                   .reach = {1 + (int)random_below(random, 4), (int)random_below(random, 3)}};
    c.domain.n[0] = high * (c.depth + 1) + random_below(random, 4);
    for (int axis = 0; axis < 2; axis++) {
        c.domain.periodic[axis] = random_below(random, 2);
    }
    for (int p = 0; p < wide; p++) { /* parts of exactly what others read are frequent */
        int64_t more = random_below(random, 2) * random_below(random, WIDEST - 4);
        c.cuts[p + 1] = c.cuts[p] + 4 + more;
    }
    c.columns = c.cuts[wide];
    expect(halo_partition_blocks(&c.partition, &c.domain, (const int[HALO_AXES]){high, wide, 1}) ==
               HALO_OK,
           "blocks: %s", halo_last_message());
    random_cuts(random, c.domain.n[0], high, c.depth, c.partition.cuts[0]);
    return c;
}

static void check_mode(const char *mode)
{
    int ranks = all_ranks();
    uint64_t random = 5;
    for (int high = 1; high <= ranks; high++) {
        for (int i = 0; ranks % high == 0 && i < CASES; i++) {
            side_case c = random_case(&random, high, ranks / high);
            c.options.mode = mode;
            run_case(&c);
            halo_partition_free(&c.partition);
        }
    }
    EXPECT_AGREED();
}

static void test_p2p(void)
{
    check_mode("p2p");
}

static void test_persistent(void)
{
    check_mode("persistent");
}

static void test_neighbour(void)
{
    check_mode("neighbour");
}

/* A field with halo cells of its own along axis 1, or more than a cell there for each part. */
static void test_other_fields_are_refused(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    for (int wrong = 0; wrong < 2; wrong++) {
        side_case c = {.domain = {.axes = 2, .n = {3, ranks + wrong, 1}}, .reach = {1, 1}};
        c.options = (halo_exchange_options){.side_halo = &sides, .side_halo_state = &c};
        c.partition = even_blocks(&c.domain, (const int[HALO_AXES]){1, ranks, 1});
        halo_box owned = halo_partition_box(&c.partition, halo_world_rank(world));
        halo_field *field;
        halo_field_options field_options = {.no_side_halo = wrong == 1};
        expect_ok(halo_field_create_with(&field, &c.domain, &owned, 64, 1, &field_options));
        halo_exchange *exchange;
        expect(halo_exchange_create(&exchange, world, &c.partition, &field, 1, &c.options) ==
                   HALO_ARGUMENT,
               "sides beside fields of wrong %d were accepted", wrong);
        halo_field_destroy(&field);
        halo_partition_free(&c.partition);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("exchange of sides", {"p2p, every rank grid", test_p2p},
               {"persistent, every rank grid", test_persistent},
               {"neighbour, every rank grid", test_neighbour},
               {"fields without room for sides are refused", test_other_fields_are_refused})
