#include "cli/bench/bare.h"

/* A build without MPI. */

static halo_status not_here(void)
{
    return halo_fail(HALO_ARGUMENT, "this program is built without MPI");
}

static halo_status open_none(void *context, halo_world *world)
{
    (void)context;
    (void)world;
    return not_here();
}

int bench_add_bare(bench_list *list, int ranks, int bytes)
{
    static const bench_operations operations = {.context_bytes = sizeof bytes, .open = open_none};
    bench_item item = bench_item_of(&operations, &bytes, ranks, -1, bytes, 2. * bytes);
    item.optional = true;
    return bench_list_add(list, "halo of 2 messages", "bare MPI", &item);
}

halo_status bench_datatype_create(bench_datatype **out, halo_world *world, int rows, int cells,
                                  int stride)
{
    (void)world;
    (void)rows;
    (void)cells;
    (void)stride;
    *out = NULL;
    return not_here();
}

halo_status bench_datatype_pack(const bench_datatype *type, const double *from, void *packed,
                                int bytes)
{
    (void)type;
    (void)from;
    (void)packed;
    (void)bytes;
    return not_here();
}

void bench_datatype_destroy(bench_datatype **type)
{
    *type = NULL;
}
