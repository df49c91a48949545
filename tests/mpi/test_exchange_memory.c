#include "base/minmax.h"
#include "core/exchange/exchange.h"
#include "core/move/redistribute.h"
#include "core/transport/transport.h"
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

enum { DEPTH = 2 };

static plate make_plate(void)
{
    /* Every part has at least as many rows, or columns, as the halo is deep. */
    int64_t ranks = all_ranks(), side = halo_max(20, DEPTH * ranks);
    plate p = {.domain = {.axes = 2, .n = {side, side, 1}, .periodic = {true, true}}};
    p.strips = even_strips(&p.domain);
    p.blocks = even_blocks(&p.domain, (const int[]){1, all_ranks(), 1});
    p.in_blocks = own_field(&p.domain, &p.blocks, 64, DEPTH);
    p.in_strips = own_field(&p.domain, &p.strips, 64, DEPTH);
    return p;
}

static void free_plate(plate *p)
{
    halo_field_destroy(&p->in_blocks);
    halo_field_destroy(&p->in_strips);
    halo_partition_free(&p->blocks);
    halo_partition_free(&p->strips);
}

static halo_status create_exchange(plate *p, const char *mode)
{
    halo_exchange *exchange;
    halo_status status =
        halo_exchange_create(&exchange, mpi_check_world(), &p->blocks, &p->in_blocks, 1,
                             &(halo_exchange_options){.mode = mode, .corners = true});
    expect((exchange != NULL) == (status == HALO_OK), "an exchange after status %d", (int)status);
    halo_exchange_destroy(&exchange);
    return status;
}

static halo_status create_p2p(void *p)
{
    return create_exchange(p, "p2p");
}

static halo_status create_persistent(void *p)
{
    return create_exchange(p, "persistent");
}

static halo_status create_neighbour(void *p)
{
    return create_exchange(p, "neighbour");
}

static halo_status redistribute(void *of)
{
    const plate *p = of;
    halo_clock clock = {0};
    return halo_redistribute(mpi_check_world(), halo_field_view(p->in_strips), &p->strips,
                             halo_field_view(p->in_blocks), &p->blocks, &clock);
}

static bool are_threads(void)
{
    return halo_transport_of(mpi_check_world())->common != NULL;
}

static void test_failures(void)
{
    plate p = make_plate();
    failing_memory_each(create_p2p, NULL, &p, false, "p2p");
    failing_memory_each(create_persistent, NULL, &p, false, "persistent");
    failing_memory_each(create_neighbour, NULL, &p, false, "neighbour");
    if (!are_threads()) {
        failing_memory_each(redistribute, NULL, &p, false, "redistribute");
    }
    free_plate(&p);
    EXPECT_AGREED();
}

/* Threads copy cells from where their owners have them, and have no buffers. */
static void test_cells_of_threads(void)
{
    plate p = make_plate();
    if (are_threads()) {
        failing_memory_arm(0);
        expect_ok(redistribute(&p));
        expect(!failing_memory_disarm(), "cells that change hands between threads take memory");
    }
    free_plate(&p);
    EXPECT_AGREED();
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

MPI_CHECK_MAIN("memory of exchanges",
               {"memory runs out while an exchange is made, or cells change hands", test_failures},
               {"cells that change hands between threads need none", test_cells_of_threads},
               {"an exchange needs no memory", test_exchange})
