#include "partition/balance/groups.h"

#include "base/memory.h"
#include "partition/balance/decision.h"

#include <stdlib.h>

void halo_groups_free(halo_groups *groups)
{
    free(groups->loads);
    free(groups->cuts);
    free(groups->cost);
    *groups = (halo_groups){0};
}

halo_status halo_groups_reset(halo_groups *groups, int ranks, int64_t rows)
{
    halo_groups_free(groups);
    int64_t size = rows > HALO_MOST_GROUPS ? (rows - 1) / HALO_MOST_GROUPS + 1 : 1;
    int64_t count = rows > 0 ? (rows - 1) / size + 1 : 0;
    *groups = (halo_groups){.ranks = ranks, .rows = rows, .size = size, .groups = count};
    if (size == 1) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE(groups->loads, ranks, "loads of ranks"));
    HALO_TRY(HALO_ALLOCATE(groups->cuts, ranks + 1, "cuts between groups of rows"));
    return HALO_ALLOCATE(groups->cost, count + ranks, "costs of groups of rows");
}

/* Seconds a group in each block of a strip: those of the row in the middle. Returns where the next
 * strip's blocks go. */
static float *take_blocks(const halo_groups *groups, const halo_load *load, halo_load *grouped,
                          float *cost)
{
    if (load->row_cost == NULL || grouped->rows == 0) {
        return cost;
    }
    grouped->row_cost = cost;
    grouped->block_rows = (load->block_rows - 1) / groups->size + 1;
    double length = (double)grouped->block_rows, each = (double)load->rows / (double)grouped->rows;
    int64_t blocks = (grouped->rows - 1) / grouped->block_rows + 1;
    for (int64_t b = 0; b < blocks; b++) {
        double middle = ((double)b + .5) * length;
        double last = (double)grouped->rows - .5;
        int64_t row = (int64_t)((middle < last ? middle : last) * each);
        *cost++ = load->row_cost[row / load->block_rows] * (float)groups->size;
    }
    return cost;
}

/* The boundary of groups nearest to a cut; the last one for the end of all rows, so that what is
 * empty stays so. */
static int64_t nearest(const halo_groups *groups, int64_t cut)
{
    int64_t above = 2 * (cut % groups->size) > groups->size ? 1 : 0;
    return cut == groups->rows ? groups->groups : cut / groups->size + above;
}

void halo_groups_take(halo_groups *groups, const halo_balance_input *input, const halo_load **loads,
                      const int64_t **cuts)
{
    *loads = input->loads;
    *cuts = input->cuts;
    if (groups->size == 1) {
        return;
    }
    float *cost = groups->cost;
    int ranks = groups->ranks;
    for (int p = 0; p <= ranks; p++) {
        groups->cuts[p] = nearest(groups, input->cuts[p]);
    }
    for (int p = 0; p < ranks; p++) {
        const halo_load *load = &input->loads[p];
        halo_load *grouped = &groups->loads[p];
        int64_t count = groups->cuts[p + 1] - groups->cuts[p];
        double rows = load->rows > 0 ? (double)load->rows : 1;
        double scale = (double)count * (double)groups->size / rows;
        *grouped = *load;
        grouped->rows = count;
        grouped->row_cost = NULL;
        grouped->compute_seconds *= scale;
        grouped->noise_seconds *= scale;
        cost = take_blocks(groups, load, grouped, cost);
    }
    *loads = groups->loads;
    *cuts = groups->cuts;
}

int64_t halo_groups_least(const halo_groups *groups, int64_t least)
{
    int64_t wanted = least > 0 ? (least - 1) / groups->size + 1 : 0;
    int64_t most = groups->groups / groups->ranks;
    return wanted < most ? wanted : most;
}

void halo_groups_give(const halo_groups *groups, const halo_balance_input *input, int64_t least,
                      int64_t *planned)
{
    if (groups->size == 1) {
        return;
    }
    for (int p = 1; p < groups->ranks; p++) {
        bool same = planned[p] == groups->cuts[p];
        int64_t boundary = planned[p] < groups->groups ? planned[p] * groups->size : groups->rows;
        planned[p] = same ? input->cuts[p] : boundary;
    }
    planned[groups->ranks] = groups->rows;
    /* Between a cut that stays inside a group and the next boundary there may be too little. */
    halo_balance_widen(planned, groups->ranks, least);
}
