#include "core/exchange/exchange.h"
#include "base/memory.h"
#include "cli/bench/kinds.h"
#include "cli/bench/messages.h"
#include "partition/cuts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row and a column of 2048 cells of 8 bytes: messages of 16 KiB. */
enum {
    LONG = 2048,
    SHORT = 64,
    CELL = 8,
    MANY = 8,                 /* messages at once, to tell posting from travelling */
    LARGEST = 4 * 1024 * 1024 /* bytes of a message */
};

/* Halo exchanges of one field. */
typedef struct {
    halo_exchange_options options;
    int parts[2];
    int64_t n[2]; /* cells of a part */
    halo_partition partition;
    halo_field *field;
    halo_exchange *exchange;
} halo_probe;

static halo_status create(halo_probe *probe, halo_world *world)
{
    halo_domain domain = {.axes = 2, .n = {1, 1, 1}};
    const int parts[HALO_AXES] = {probe->parts[0], probe->parts[1], 1};
    for (int a = 0; a < 2; a++) {
        domain.n[a] = probe->n[a] * parts[a];
        domain.periodic[a] = parts[a] > 1; /* a ring; a rank alone would copy cells to itself */
    }
    HALO_TRY(halo_agree(world, halo_partition_blocks(&probe->partition, &domain, parts)));
    halo_box owned = halo_partition_box(&probe->partition, halo_world_rank(world));
    halo_field_options field_options = {.shared = probe->options.mode != NULL &&
                                                  halo_exchange_shares_fields(probe->options.mode)};
    HALO_TRY(halo_agree(world, halo_field_create_with(&probe->field, &domain, &owned, 8 * CELL, 1,
                                                      &field_options)));
    return halo_exchange_create(&probe->exchange, world, &probe->partition, &probe->field, 1,
                                &probe->options);
}

static void close_halo(void *context, bool counts)
{
    (void)counts;
    halo_probe *probe = context;
    halo_exchange_destroy(&probe->exchange);
    halo_field_destroy(&probe->field);
    halo_partition_free(&probe->partition);
    probe->partition = (halo_partition){0};
}

static halo_status open_halo(void *context, halo_world *world)
{
    halo_status status = create(context, world);
    if (status != HALO_OK) {
        close_halo(context, false);
    }
    return status;
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

static void add_halo(bench_list *list, const char *measure, const halo_probe *what, int ranks)
{
    const halo_exchange_options *options = &what->options;
    bench_item item = {
        .open = open_halo, .run = run_halo, .close = close_halo, .ranks = ranks, .may_lack = true};
    bench_label label = {
        .bytes = LONG * CELL, .amount = 2. * LONG * CELL, .unit = "B", .base = list->base};
    snprintf(label.measure, sizeof label.measure, "%s", measure);
    snprintf(label.way, sizeof label.way, "%s%s%s%s%s", options->mode,
             options->packing != NULL ? " " : "", options->packing != NULL ? options->packing : "",
             options->corner_way != NULL ? " " : "",
             options->corner_way != NULL ? options->corner_way : "");
    if (options->corners) {
        label.unit = NULL; /* corners come besides */
        label.bytes = NAN;
    }
    halo_probe *probe = bench_list_add(list, &item, &label, sizeof *probe);
    if (probe != NULL) {
        *probe = *what;
    }
}

static const char *const modes[] = {
#define MODE_ENTRY(name, help) #name,
    HALO_EXCHANGE_LIST(MODE_ENTRY)
#undef MODE_ENTRY
};
static const char *const ways[] = {
#define WAY_ENTRY(name, help) #name,
    HALO_EXCHANGE_CORNERS_LIST(WAY_ENTRY)
#undef WAY_ENTRY
};
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
    for (int m = 0; m < MODES; m++) {
        /* Rows are sent with their own halo cells: with these they are as long as bare messages. */
        const halo_probe rows = {
            .options = {.mode = modes[m]}, .parts = {ranks, 1}, .n = {SHORT, LONG - 2}};
        add_halo(list, "halo of 2 rows", &rows, ranks);
    }
    for (int i = 0; i < MODES * PACKINGS; i++) {
        const halo_probe columns = {
            .options = {.mode = modes[i / PACKINGS], .packing = packings[i % PACKINGS]},
            .parts = {1, ranks},
            .n = {LONG, SHORT}};
        add_halo(list, "halo of 2 columns", &columns, ranks);
    }
    int high = 1; /* as square as can be */
    for (int i = 1; i * i <= ranks; i++) {
        high = ranks % i == 0 ? i : high;
    }
    list->base = -1;
    for (int i = 0; i < MODES * WAYS; i++) {
        const halo_probe corners = {
            .options = {.mode = modes[i / WAYS], .corner_way = ways[i % WAYS], .corners = true},
            .parts = {ranks / high, high},
            .n = {LONG, LONG}};
        add_halo(list, "halo with corners", &corners, ranks);
        list->base = list->base < 0 ? list->count - 1 : list->base;
    }
}

/* Getting columns into messages. */
typedef struct {
    int cells; /* beside each other, of each row */
    bool datatype;
    double *rows, *packed;
    MPI_Datatype type;
} pack_probe;

static void close_pack(void *context, bool counts)
{
    (void)counts;
    pack_probe *probe = context;
    halo_memory_free(probe->rows);
    halo_memory_free(probe->packed);
    if (probe->datatype && probe->type != MPI_DATATYPE_NULL) {
        MPI_Type_free(&probe->type);
    }
}

static halo_status prepare_pack(pack_probe *probe)
{
    void *rows, *packed;
    HALO_TRY(halo_memory_create(&rows, sizeof(double) * LONG * LONG, "rows to pack"));
    probe->rows = rows;
    HALO_TRY(halo_memory_create(&packed, sizeof(double) * LONG * MANY, "packed cells"));
    probe->packed = packed;
    if (probe->datatype) {
        HALO_MPI_TRY(MPI_Type_vector(LONG, probe->cells, LONG, MPI_DOUBLE, &probe->type));
        HALO_MPI_TRY(MPI_Type_commit(&probe->type));
    }
    return HALO_OK;
}

static halo_status open_pack(void *context, halo_world *world)
{
    pack_probe *probe = context;
    probe->type = MPI_DATATYPE_NULL;
    probe->rows = probe->packed = NULL;
    halo_status status = halo_agree(world, prepare_pack(probe));
    if (status != HALO_OK) {
        close_pack(probe, false);
    }
    return status;
}

static halo_status run_pack(void *context, int64_t times, double *spent)
{
    (void)spent;
    pack_probe *probe = context;
    size_t row_bytes = (size_t)probe->cells * sizeof(double);
    for (int64_t t = 0; t < times; t++) {
        const double *from = probe->rows + t % (LONG - MANY);
        int place = 0;
        if (probe->datatype) {
            HALO_MPI_TRY(MPI_Pack(from, 1, probe->type, probe->packed,
                                  (int)(sizeof(double) * LONG * MANY), &place, MPI_COMM_SELF));
            continue;
        }
        for (size_t y = 0; y < LONG; y++) {
            memcpy(probe->packed + y * (size_t)probe->cells, from + y * LONG, row_bytes);
        }
    }
    return HALO_OK;
}

int bench_add_pack(bench_list *list, int ranks, int cells, bool datatype)
{
    bench_item item = {.open = open_pack, .run = run_pack, .close = close_pack, .ranks = ranks};
    double bytes = (double)cells * LONG * sizeof(double);
    bench_label label = {.bytes = bytes, .amount = bytes, .unit = "B", .base = -1};
    snprintf(label.measure, sizeof label.measure, "pack %d column%s", cells, cells > 1 ? "s" : "");
    snprintf(label.way, sizeof label.way, "%s", datatype ? "datatype" : "copy");
    pack_probe *probe = bench_list_add(list, &item, &label, sizeof *probe);
    if (probe != NULL) {
        probe->cells = cells;
        probe->datatype = datatype;
    }
    return list->count - 1;
}

void bench_list_exchange(bench_list *list, int ranks)
{
    for (int bytes = 1; bytes <= LARGEST; bytes *= 4) {
        bench_add_ping(list, ranks, bytes);
    }
    bench_add_swap(list, ranks, 1, CELL);
    bench_add_swap(list, ranks, MANY, CELL);
    for (int cells = 1; cells <= MANY; cells *= MANY) {
        bench_add_pack(list, ranks, cells, false);
        bench_add_pack(list, ranks, cells, true);
    }
    list->base = list->count;
    bench_add_bare(list, ranks, LONG * CELL);
    add_halos(list, ranks);
}
