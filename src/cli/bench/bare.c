#include "cli/bench/bare.h"
#include "core/transport/mpi/world_mpi.h"

#include <stdlib.h>

static halo_status need_mpi(const halo_world *world)
{
    return halo_world_comm(world) != MPI_COMM_NULL
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "ranks are threads, which send nothing by MPI");
}

/* ---- messages in a ring ---------------------------------------------------------------------- */

enum { SIDES = 2 };

typedef struct {
    int bytes;
    MPI_Comm comm;
    char *out, *in; /* [SIDES * bytes] */
    int partners[SIDES];
} ring;

static halo_status open_ring(void *context, halo_world *world)
{
    ring *r = context;
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    r->out = r->in = NULL;
    HALO_TRY(need_mpi(world));
    r->comm = halo_world_comm(world);
    r->partners[0] = (rank + ranks - 1) % ranks;
    r->partners[1] = (rank + 1) % ranks;
    r->out = calloc(SIDES, (size_t)r->bytes);
    r->in = calloc(SIDES, (size_t)r->bytes);
    bool there = r->out != NULL && r->in != NULL;
    return halo_agree(
        world,
        there ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: messages of %d bytes", r->bytes));
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
    for (int64_t t = 0; t < times; t++) {
        MPI_Request requests[2 * SIDES];
        MPI_Status statuses[2 * SIDES];
        for (int i = 0; i < SIDES; i++) {
            HALO_MPI_TRY(MPI_Irecv(r->in + (size_t)i * (size_t)r->bytes, r->bytes, MPI_BYTE,
                                   r->partners[i], 0, r->comm, &requests[2 * i]));
        }
        for (int i = 0; i < SIDES; i++) {
            HALO_MPI_TRY(MPI_Isend(r->out + (size_t)i * (size_t)r->bytes, r->bytes, MPI_BYTE,
                                   r->partners[i], 0, r->comm, &requests[2 * i + 1]));
        }
        HALO_MPI_TRY(MPI_Waitall(2 * SIDES, requests, statuses));
    }
    return HALO_OK;
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
    MPI_Datatype type;
};

static halo_status prepare_type(bench_datatype *made, int rows, int cells, int stride)
{
    if (made == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a datatype");
    }
    made->type = MPI_DATATYPE_NULL;
    HALO_MPI_TRY(MPI_Type_vector(rows, cells, stride, MPI_DOUBLE, &made->type));
    HALO_MPI_TRY(MPI_Type_commit(&made->type));
    return HALO_OK;
}

halo_status bench_datatype_create(bench_datatype **out, halo_world *world, int rows, int cells,
                                  int stride)
{
    *out = NULL;
    HALO_TRY(need_mpi(world));
    *out = malloc(sizeof **out);
    return halo_agree(world, prepare_type(*out, rows, cells, stride));
}

halo_status bench_datatype_pack(const bench_datatype *type, const double *from, void *packed,
                                int bytes)
{
    int place = 0;
    HALO_MPI_TRY(MPI_Pack(from, 1, type->type, packed, bytes, &place, MPI_COMM_SELF));
    return HALO_OK;
}

void bench_datatype_destroy(bench_datatype **type)
{
    if (*type != NULL && (*type)->type != MPI_DATATYPE_NULL) {
        MPI_Type_free(&(*type)->type);
    }
    free(*type);
    *type = NULL;
}
