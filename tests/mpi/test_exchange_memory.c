#include "core/exchange/exchange.h"
#include "core/move/redistribute.h"
#include "support/blocks.h"
#include "support/failing_memory.h"
#include "support/mpi_check.h"

#include <inttypes.h>

/* Blocks of a plate, with halos that are packed, corners included. */
typedef struct {
    halo_domain domain;
    halo_partition blocks, strips;
    halo_field *in_blocks, *in_strips;
} plate;

static halo_field *make_field(const plate *p, const halo_partition *partition)
{
    halo_field *field = NULL;
    halo_box owned = halo_partition_box(partition, my_rank());
    expect_ok(halo_field_create(&field, &p->domain, &owned, 64, 2));
    return field;
}

static plate make_plate(void)
{
    int ranks = all_ranks();
    plate p = {.domain = {.axes = 2, .n = {20, 20, 1}, .periodic = {true, true}}};
    p.strips = even_strips(&p.domain);
    p.blocks = even_blocks(&p.domain, (const int[]){1, ranks, 1});
    p.in_blocks = make_field(&p, &p.blocks);
    p.in_strips = make_field(&p, &p.strips);
    return p;
}

static void free_plate(plate *p)
{
    halo_field_destroy(&p->in_blocks);
    halo_field_destroy(&p->in_strips);
    halo_partition_free(&p->blocks);
    halo_partition_free(&p->strips);
}

/* Something that allocates, in one of its kinds. */
typedef halo_status (*attempt)(const plate *p, const char *kind);

static halo_status create_exchange(const plate *p, const char *mode)
{
    halo_exchange *exchange;
    halo_status status =
        halo_exchange_create(&exchange, mpi_check_world(), &p->blocks, &p->in_blocks, 1,
                             &(halo_exchange_options){.mode = mode, .corners = true});
    expect((exchange != NULL) == (status == HALO_OK), "an exchange after status %d", (int)status);
    halo_exchange_destroy(&exchange);
    return status;
}

static halo_status redistribute(const plate *p, const char *kind)
{
    (void)kind;
    halo_clock clock = {0};
    return halo_redistribute(mpi_check_world(), p->in_strips, &p->strips, p->in_blocks, &p->blocks,
                             &clock);
}

/* The n-th allocation fails on one rank, for every n and each rank in turn: all hear of it. */
static void check_failures(attempt try, const char *kind)
{
    halo_world *world = mpi_check_world();
    plate p = make_plate();
    int ranks = halo_world_ranks(world), failures = 0;
    for (int victim = 0; victim < ranks; victim++) {
        bool failed = true;
        for (int64_t nth = 0; failed && nth < 100; nth++) {
            if (halo_world_rank(world) == victim) {
                failing_memory_arm(nth);
            }
            halo_status status = try(&p, kind);
            bool mine = halo_world_rank(world) == victim && failing_memory_disarm();
            failed = status != HALO_OK;
            failures += failed;
            expect(status == HALO_OK || status == HALO_MEMORY, "%s: status %d: %s", kind,
                   (int)status, halo_last_message());
            expect(!mine || failed, "%s: allocation %" PRId64 " failed unnoticed", kind, nth);
        }
        expect(!failed, "%s still fails", kind);
    }
    expect(failures >= ranks, "%s: %d failures", kind, failures);
    free_plate(&p);
    EXPECT_AGREED();
}

static void test_create(void)
{
    check_failures(create_exchange, "p2p");
    check_failures(create_exchange, "persistent");
    check_failures(create_exchange, "neighbour");
}

static void test_redistribute(void)
{
    check_failures(redistribute, "redistribute");
}

/* Between begin and end nothing is allocated. */
static void check_exchange(const plate *p, const halo_exchange_options *options)
{
    halo_exchange *exchange;
    expect_ok(
        halo_exchange_create(&exchange, mpi_check_world(), &p->blocks, &p->in_blocks, 1, options));
    failing_memory_arm(0);
    expect_ok(halo_exchange_begin(exchange));
    expect_ok(halo_exchange_end(exchange));
    expect(!failing_memory_disarm(), "%s, %s: an exchange allocates", options->mode,
           options->packing);
    halo_exchange_destroy(&exchange);
}

static void test_exchange(void)
{
    static const char *const modes[] = {"p2p", "persistent", "neighbour"};
    static const char *const packings[] = {"copy", "datatype"};
    plate p = make_plate();
    for (int mode = 0; mode < 3; mode++) {
        for (int packing = 0; packing < 2; packing++) {
            check_exchange(&p, &(halo_exchange_options){.mode = modes[mode],
                                                        .packing = packings[packing],
                                                        .corners = true});
        }
    }
    free_plate(&p);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("memory of exchanges", {"memory runs out while an exchange is made", test_create},
               {"memory runs out while cells change hands", test_redistribute},
               {"an exchange needs no memory", test_exchange})
