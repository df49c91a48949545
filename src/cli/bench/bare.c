#include "cli/bench/bench.h"

#include "core/transport/transport.h"

#include <stdlib.h>

/* ---- messages in a ring ---------------------------------------------------------------------- */

enum { SIDES = 2 };

typedef struct {
    int bytes;
    halo_world *world;
    char *out, *in; /* [SIDES * bytes] */
} ring;

static halo_status open_ring(void *context, halo_world *world)
{
    ring *r = context;
    r->world = world;
    r->out = r->in = NULL;
    HALO_FAIL_IF(halo_transport_of(world)->bare_ring == NULL, HALO_ARGUMENT,
                 "ranks are threads, which send nothing by MPI");
    r->out = calloc(SIDES, (size_t)r->bytes);
    r->in = calloc(SIDES, (size_t)r->bytes);
    bool there = r->out != NULL && r->in != NULL;
    return halo_agree(
        world, HALO_REQUIRE(there, HALO_MEMORY, "out of memory: messages of %d bytes", r->bytes));
}

static void close_ring(void *context)
{
    ring *r = context;
    free(r->out);
    free(r->in);
}

static halo_status run_ring(void *context, int64_t times, double *spent)
{
    ring *r = context;
    (void)spent;
    return halo_transport_of(r->world)->bare_ring(halo_endpoint_of(r->world), r->out, r->in,
                                                  r->bytes, times);
}

int bench_add_bare(bench_list *list, int ranks, int bytes)
{
    static const bench_operations operations = {sizeof(ring), open_ring, run_ring, NULL,
                                                close_ring};
    ring r = {.bytes = bytes};
    bench_item item = bench_item_of(&operations, &r, ranks, -1, bytes, (double)SIDES * bytes);
    item.optional = true;
    return bench_list_add(list, "halo of 2 messages", "bare MPI", &item);
}

/* ---- datatypes ------------------------------------------------------------------------------- */

struct bench_datatype {
    const halo_typed_messages *typed;
    halo_subarray columns;
    halo_datatype type;
};

static halo_status prepare_type(bench_datatype *made, const halo_typed_messages *typed, int rows,
                                int cells, int stride)
{
    HALO_FAIL_IF(made == NULL, HALO_MEMORY, "out of memory: a datatype");
    *made = (bench_datatype){.typed = typed,
                             .columns = {.row_bytes = (size_t)cells * sizeof(double),
                                         .n = {1, rows},
                                         .stride = {0, (ptrdiff_t)sizeof(double) * stride}}};
    return typed->create(&made->columns, &made->type);
}

halo_status bench_datatype_create(bench_datatype **out, halo_world *world, int rows, int cells,
                                  int stride)
{
    const halo_typed_messages *typed = halo_transport_of(world)->typed;
    *out = NULL;
    HALO_FAIL_IF(typed == NULL, HALO_ARGUMENT, "ranks are threads, which have no datatypes");
    *out = malloc(sizeof **out);
    return halo_agree(world, prepare_type(*out, typed, rows, cells, stride));
}

halo_status bench_datatype_pack(bench_datatype *type, double *from, void *packed)
{
    type->columns.start = (char *)from;
    return type->typed->pack(&type->columns, type->type, packed);
}

void bench_datatype_destroy(bench_datatype **type)
{
    if (*type != NULL) {
        (*type)->typed->destroy(&(*type)->type);
    }
    free(*type);
    *type = NULL;
}
