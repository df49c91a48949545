#include "core/exchange/borders_internal.h"

#include "base/memory.h"
#include "core/exchange/exchange_internal.h"

#include <stdlib.h>

static int compare_ways(const halo_transfer *a, const halo_transfer *b, int way)
{
    return a->peer != b->peer ? a->peer - b->peer : a->tags[way] - b->tags[way];
}

static int compare_out(const void *a, const void *b)
{
    return compare_ways(a, b, HALO_EXCHANGE_OUT);
}

static int compare_in(const void *a, const void *b)
{
    return compare_ways(a, b, HALO_EXCHANGE_IN);
}

static void copy_boxes(halo_border *to, const halo_exchange *plan, int way)
{
    for (int i = 0; i < plan->transfer_count; i++) {
        to[i] =
            (halo_border){.peer = plan->transfers[i].peer, .box = plan->transfers[i].boxes[way]};
    }
}

static halo_status copy_plan(halo_borders *out, halo_exchange *plan)
{
    size_t count = (size_t)plan->transfer_count;
    HALO_TRY(HALO_ALLOCATE(out->out, count, "borders"));
    HALO_TRY(HALO_ALLOCATE(out->in, count, "borders"));
    out->count = plan->transfer_count;
    if (count > 0) {
        qsort(plan->transfers, count, sizeof *plan->transfers, compare_out);
        copy_boxes(out->out, plan, HALO_EXCHANGE_OUT);
        qsort(plan->transfers, count, sizeof *plan->transfers, compare_in);
        copy_boxes(out->in, plan, HALO_EXCHANGE_IN);
    }
    return HALO_OK;
}

halo_status halo_borders_list(halo_borders *out, halo_world *world, const halo_partition *partition,
                              halo_field *field, bool corners)
{
    *out = (halo_borders){.count = 0};
    halo_exchange plan = {.world = world,
                          .options = {.corners = corners},
                          .fields = &field,
                          .field_count = 1,
                          .domain = *halo_field_domain(field),
                          .owned = halo_field_view(field)->owned};
    halo_status status = halo_exchange_plan(&plan, partition);
    if (status == HALO_OK) {
        status = copy_plan(out, &plan);
    }
    free(plan.transfers);
    return status;
}

void halo_borders_free(halo_borders *borders)
{
    free(borders->out);
    free(borders->in);
    *borders = (halo_borders){.count = 0};
}
