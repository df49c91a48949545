#include "core/exchange/exchange.h"
#include "base/memory.h"
#include "base/names.h"
#include "cli/bench/bench.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row and a column of 2048 cells of 8 bytes: messages of 16 KiB. */
enum {
    LONG = 2048,
    SHORT = 64,
    CELL = 8,
    MANY = 8,                   /* messages at once, to tell posting from travelling */
    MAX_BYTES = 4 * 1024 * 1024 /* of a message */
};

/* ---- messages by themselves: what exchanges stand on ----------------------------------------- */

typedef struct {
    int bytes, messages; /* messages each way */
    halo_world *world;
    char *out, *in;
    int partner; /* the other one of a pair; -1: none */
    halo_request requests[2 * MANY];
} traffic;

static halo_status open_traffic(void *context, halo_world *world)
{
    traffic *all = context;
    int other = halo_world_rank(world) ^ 1;
    all->world = world;
    all->partner = other < halo_world_ranks(world) ? other : -1;
    all->out = calloc((size_t)all->messages, (size_t)all->bytes);
    all->in = calloc((size_t)all->messages, (size_t)all->bytes);
    bool there = all->out != NULL && all->in != NULL;
    return halo_agree(
        world, HALO_REQUIRE(there, HALO_MEMORY, "out of memory: messages of %d bytes", all->bytes));
}

static void close_traffic(void *context)
{
    traffic *all = context;
    free(all->out);
    free(all->in);
}

static halo_status post(traffic *all)
{
    for (int i = 0; i < all->messages; i++) {
        HALO_TRY(halo_irecv(all->world, all->in + (size_t)i * (size_t)all->bytes, all->bytes,
                            all->partner, 0, &all->requests[2 * i]));
    }
    for (int i = 0; i < all->messages; i++) {
        HALO_TRY(halo_isend(all->world, all->out + (size_t)i * (size_t)all->bytes, all->bytes,
                            all->partner, 0, &all->requests[2 * i + 1]));
    }
    return HALO_OK;
}

static halo_status run_swap(void *context, int64_t times, double *spent)
{
    (void)spent;
    traffic *all = context;
    for (int64_t t = 0; t < times && all->partner >= 0; t++) {
        HALO_TRY(post(all));
        HALO_TRY(halo_wait(all->world, 2 * all->messages, all->requests));
    }
    return HALO_OK;
}

/* One message, and wait until it is through. */
static halo_status pass(traffic *all, bool sends)
{
    HALO_TRY(halo_post(all->world, sends, sends ? all->out : all->in, all->bytes, all->partner, 0,
                       all->requests));
    return halo_wait(all->world, 1, all->requests);
}

/* There and back between pairs of ranks, all pairs at once: the time is that of one way. */
static halo_status run_ping(void *context, int64_t times, double *spent)
{
    traffic *all = context;
    bool first = halo_world_rank(all->world) % 2 == 0;
    double begun = halo_seconds();
    for (int64_t t = 0; t < times && all->partner >= 0; t++) {
        HALO_TRY(pass(all, first));
        HALO_TRY(pass(all, !first));
    }
    *spent = (halo_seconds() - begun) / 2;
    return HALO_OK;
}

static const bench_operations ping = {sizeof(traffic), open_traffic, run_ping, NULL, close_traffic},
                              swap = {sizeof(traffic), open_traffic, run_swap, NULL, close_traffic};

int bench_add_swap(bench_list *list, int ranks, int messages, int bytes)
{
    char way[BENCH_TEXT_SIZE];
    snprintf(way, sizeof way, "%d message%s each way", messages, messages == 1 ? "" : "s");
    traffic all = {.bytes = bytes, .messages = messages};
    bench_item item = bench_item_of(&swap, &all, ranks, -1, bytes, (double)bytes * messages);
    return bench_list_add(list, "swap", way, &item);
}

static void add_messages(bench_list *list, int ranks)
{
    for (int bytes = 1; bytes <= MAX_BYTES; bytes *= 4) {
        traffic all = {.bytes = bytes, .messages = 1};
        bench_item item = bench_item_of(&ping, &all, ranks, -1, bytes, bytes);
        bench_list_add(list, "message", "one way", &item);
    }
    bench_add_swap(list, ranks, 1, CELL);
    bench_add_swap(list, ranks, MANY, CELL);
}

/* ---- getting columns into messages ----------------------------------------------------------- */

typedef struct {
    int cells; /* beside each other, of each row */
    bool datatype;
    void *rows, *packed;
    bench_datatype *type;
} pack_probe;

static halo_status prepare_pack(pack_probe *probe)
{
    HALO_TRY(halo_memory_create(&probe->rows, sizeof(double) * LONG * LONG, "rows to pack"));
    HALO_TRY(halo_memory_create(&probe->packed, sizeof(double) * LONG * MANY, "packed cells"));
    return HALO_OK;
}

static halo_status open_pack(void *context, halo_world *world)
{
    pack_probe *probe = context;
    probe->type = NULL;
    probe->rows = probe->packed = NULL;
    if (probe->datatype) {
        HALO_TRY(bench_datatype_create(&probe->type, world, LONG, probe->cells, LONG));
    }
    return halo_agree(world, prepare_pack(probe));
}

static void close_pack(void *context)
{
    pack_probe *probe = context;
    halo_memory_free(probe->rows);
    halo_memory_free(probe->packed);
    bench_datatype_destroy(&probe->type);
}

static halo_status run_pack(void *context, int64_t times, double *spent)
{
    (void)spent;
    pack_probe *probe = context;
    double *packed = probe->packed;
    size_t cells = (size_t)probe->cells;
    for (int64_t t = 0; t < times; t++) {
        double *from = (double *)probe->rows + t % (LONG - MANY);
        if (probe->datatype) {
            HALO_TRY(bench_datatype_pack(probe->type, from, packed));
            continue;
        }
        for (size_t y = 0; y < LONG; y++) {
            memcpy(packed + y * cells, from + y * LONG, cells * sizeof(double));
        }
    }
    return HALO_OK;
}

int bench_add_pack(bench_list *list, int ranks, int cells, bool datatype)
{
    static const bench_operations operations = {sizeof(pack_probe), open_pack, run_pack, NULL,
                                                close_pack};
    int64_t bytes = (int64_t)cells * LONG * (int64_t)sizeof(double);
    char measure[BENCH_TEXT_SIZE];
    snprintf(measure, sizeof measure, "pack %d column%s", cells, cells > 1 ? "s" : "");
    pack_probe probe = {.cells = cells, .datatype = datatype};
    bench_item item = bench_item_of(&operations, &probe, ranks, -1, bytes, (double)bytes);
    item.optional = datatype;
    return bench_list_add(list, measure, datatype ? "datatype" : "copy", &item);
}

/* ---- halo exchanges of one field ------------------------------------------------------------- */

typedef struct {
    halo_exchange_options options;
    int parts[2];
    int64_t n[2]; /* cells of a part */
    halo_partition partition;
    halo_field *field;
    halo_exchange *exchange;
} halo_probe;

static halo_status open_halo(void *context, halo_world *world)
{
    halo_probe *probe = context;
    halo_domain domain = {.axes = 2, .n = {1, 1, 1}};
    const int parts[HALO_AXES] = {probe->parts[0], probe->parts[1], 1};
    for (int a = 0; a < 2; a++) {
        domain.n[a] = probe->n[a] * parts[a];
        domain.periodic[a] = parts[a] > 1; /* a ring; a rank alone would copy cells to itself */
    }
    HALO_TRY(halo_agree(world, halo_partition_blocks(&probe->partition, &domain, parts)));
    halo_box owned = halo_partition_box(&probe->partition, halo_world_rank(world));
    halo_field_options options = {.shared =
                                      halo_exchange_shares_fields(world, probe->options.mode)};
    HALO_TRY(halo_agree(
        world, halo_field_create_with(&probe->field, &domain, &owned, 8 * CELL, 1, &options)));
    return halo_exchange_create(&probe->exchange, world, &probe->partition, &probe->field, 1,
                                &probe->options);
}

static void close_halo(void *context)
{
    halo_probe *probe = context;
    halo_exchange_destroy(&probe->exchange);
    halo_field_destroy(&probe->field);
    halo_partition_free(&probe->partition);
    probe->partition = (halo_partition){0};
}

static halo_status run_halo(void *context, int64_t times, double *spent)
{
    (void)spent;
    const halo_probe *probe = context;
    for (int64_t t = 0; t < times; t++) {
        HALO_TRY(halo_exchange_begin(probe->exchange));
        HALO_TRY(halo_exchange_end(probe->exchange));
    }
    return HALO_OK;
}

/* `choice` is the packing or the way of corners, or NULL. */
static int add_halo(bench_list *list, const char *measure, const char *choice, halo_probe *probe,
                    int base)
{
    static const bench_operations operations = {sizeof(halo_probe), open_halo, run_halo, NULL,
                                                close_halo};
    char way[BENCH_TEXT_SIZE];
    snprintf(way, sizeof way, "%s%s%s", probe->options.mode, choice != NULL ? " " : "",
             choice != NULL ? choice : "");
    int ranks = probe->parts[0] * probe->parts[1];
    int bytes = probe->options.corners ? 0 : LONG * CELL; /* corners come besides those of faces */
    bench_item item = bench_item_of(&operations, probe, ranks, base, bytes, 2. * bytes);
    item.optional = true;
    return bench_list_add(list, measure, way, &item);
}

static const char *const modes[] = {HALO_EXCHANGE_LIST(HALO_NAME)};
static const char *const ways[] = {HALO_EXCHANGE_CORNERS_LIST(HALO_NAME)};
static const char *const packings[] = {
#define PACKING_ENTRY(name, text, help) text,
    HALO_EXCHANGE_PACKING_LIST(PACKING_ENTRY)
#undef PACKING_ENTRY
};
enum {
    MODES = sizeof modes / sizeof modes[0],
    WAYS = sizeof ways / sizeof ways[0],
    PACKINGS = sizeof packings / sizeof packings[0]
};

static void add_halos(bench_list *list, int ranks)
{
    int base = bench_add_bare(list, ranks, LONG * CELL);
    for (int m = 0; m < MODES; m++) {
        /* Rows are sent with their own halo cells: with these they are as long as bare messages. */
        halo_probe rows = {
            .options = {.mode = modes[m]}, .parts = {ranks, 1}, .n = {SHORT, LONG - 2}};
        add_halo(list, "halo of 2 rows", NULL, &rows, base);
    }
    for (int i = 0; i < MODES * PACKINGS; i++) {
        const char *packing = packings[i % PACKINGS];
        halo_probe columns = {.options = {.mode = modes[i / PACKINGS], .packing = packing},
                              .parts = {1, ranks},
                              .n = {LONG, SHORT}};
        add_halo(list, "halo of 2 columns", packing, &columns, base);
    }
    int high = 1; /* as square as can be */
    for (int i = 1; i * i <= ranks; i++) {
        high = ranks % i == 0 ? i : high;
    }
    base = -1;
    for (int i = 0; i < MODES * WAYS; i++) {
        const char *way = ways[i % WAYS];
        halo_probe corners = {
            .options = {.mode = modes[i / WAYS], .corner_way = way, .corners = true},
            .parts = {ranks / high, high},
            .n = {LONG, LONG}};
        int place = add_halo(list, "halo with corners", way, &corners, base);
        base = base < 0 ? place : base;
    }
}

void bench_add_exchange(bench_list *list, int ranks)
{
    add_messages(list, ranks);
    for (int cells = 1; cells <= MANY; cells *= MANY) {
        bench_add_pack(list, ranks, cells, false);
        bench_add_pack(list, ranks, cells, true);
    }
    add_halos(list, ranks);
}
