#include "kernels/snake/snake_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/migrate.h"
#include "core/world/collect.h"
#include "kernels/snake/fetch_rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- points ---------------------------------------------------------------------------------- */

enum { TRAVELS_WITH = 3 }; /* entries for a point that goes to another rank: both its neighbours */

/* Each point of this rank that is not in its rows any more: of rank r's, at[r] says how many bytes
 * into `out` they go on; without `out` bytes are only counted. */
static void pack_leaving(halo_snake *snake, snake_entry *out, size_t *at)
{
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        int64_t lo = snake->first[c], hi = snake->first[c + 1];
        for (int64_t i = lo; snake->held[c] > 0 && i < hi; i++) {
            if (!snake_is_mine(snake, i) || snake_is_here(snake, snake->points[i])) {
                continue;
            }
            int to = snake_owner(snake, snake->points[i]);
            if (out != NULL) {
                int64_t before = snake_before(snake, c, i), after = snake_after(snake, c, i);
                snake_entry *entries = out + at[to] / sizeof *out;
                entries[0] = (snake_entry){(uint32_t)before, snake->points[before]};
                entries[1] = (snake_entry){(uint32_t)after, snake->points[after]};
                entries[2] = (snake_entry){(uint32_t)i | SNAKE_YOURS, snake->points[i]};
                snake_leave(snake, i);
            }
            at[to] += TRAVELS_WITH * sizeof *out;
        }
    }
}

static void unpack(halo_snake *snake, const snake_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t point = entries[i].point & ~SNAKE_YOURS;
        snake->points[point] = entries[i].at;
        if (snake->jacobi) {
            snake->next[point] = entries[i].at;
        }
        if ((entries[i].point & SNAKE_YOURS) != 0) {
            snake_take(snake, point);
        }
    }
}

/* Points go after their rows; any rank may have some for any other. */
static halo_status send_points(halo_snake *snake, double *sent)
{
    size_t ranks = (size_t)halo_world_ranks(snake->world), total = 0;
    void *out = NULL, *in = NULL;
    size_t *counts, *at = NULL;
    halo_status status = HALO_ALLOCATE(counts, 3 * ranks, "counts of points");
    if (status == HALO_OK) {
        at = counts + ranks;
        pack_leaving(snake, NULL, counts);
        for (size_t r = 0; r < ranks; r++) {
            at[r] = total;
            total += counts[r];
        }
        status = halo_memory_create(&out, total + 1, "points for other ranks");
    }
    HALO_TRY_OR(done, halo_agree(snake->world, status));
    pack_leaving(snake, out, at);
    HALO_TRY_OR(done, halo_alltoallv(snake->world, out, counts, &in, counts + 2 * ranks));
    size_t came = 0;
    for (size_t r = 0; r < ranks; r++) {
        came += counts[2 * ranks + r];
    }
    unpack(snake, in, came / sizeof(snake_entry));
    *sent += (double)total;
done:
    halo_memory_free(out);
    halo_memory_free(in);
    free(counts);
    return status;
}

/* ---- the gradient ---------------------------------------------------------------------------- */

/* Rows of the halo from where they are now. */
static halo_status refresh_halo(halo_snake *snake)
{
    const halo_view *view = halo_field_view(snake->gradient);
    const halo_domain *domain = halo_field_domain(snake->gradient);
    size_t row = (size_t)domain->n[1] * sizeof(uint16_t);
    void *rows = NULL;
    HALO_TRY(snake_fetch_rows(snake->world, view, snake->partition.cuts[0], view->depth, &rows));
    const char *from = rows;
    int64_t begin = halo_max(snake->lo - view->depth, 0);
    int64_t end = halo_min(snake->hi + view->depth, domain->n[0]);
    for (int64_t y = begin; snake->lo < snake->hi && y < end; y++) {
        if (y < snake->lo || y >= snake->hi) {
            memcpy(halo_row(view, y - snake->lo), from, row);
            from += row;
        }
    }
    halo_memory_free(rows);
    return HALO_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

static halo_status move_to(halo_snake *snake, const halo_partition *strips, const char *how,
                           double *bytes)
{
    int rank = halo_world_rank(snake->world), ranks = halo_world_ranks(snake->world);
    halo_clock inner = {0}; /* whoever moves has a clock of its own running */
    int64_t *cuts = snake->partition.cuts[0];
    HALO_TRY(halo_migrate_fields(snake->world, &snake->gradient, 1, &snake->partition, strips, how,
                                 &inner, bytes));
    memcpy(cuts, strips->cuts[0], ((size_t)ranks + 1) * sizeof *cuts);
    snake->lo = cuts[rank];
    snake->hi = cuts[rank + 1];
    halo_row_cost_set_rows(snake->row_cost, snake->hi - snake->lo);
    HALO_TRY(refresh_halo(snake));
    return send_points(snake, bytes);
}

static halo_status move(void *context, const halo_partition *strips, const char *how, double *bytes)
{
    halo_snake *snake = context;
    halo_stretch stretch = halo_clock_begin(snake->world);
    halo_status status = move_to(snake, strips, how, bytes);
    halo_clock_end(&snake->report->clock, HALO_PHASE_MIGRATE, stretch, snake->world);
    return status;
}

halo_status halo_snake_move(halo_snake *snake, const int64_t *cuts)
{
    double bytes;
    halo_partition strips = {0};
    halo_status status = halo_agree(
        snake->world, halo_partition_with_cuts(&strips, halo_field_domain(snake->gradient),
                                               halo_world_ranks(snake->world), cuts));
    if (status == HALO_OK && !halo_partition_equal(&strips, &snake->partition)) {
        status = move(snake, &strips, NULL, &bytes);
    }
    halo_partition_free(&strips);
    return status;
}

/* ---- balancing ------------------------------------------------------------------------------- */

/* A row without points costs next to nothing, but not nothing, so that loads stay comparable. */
static const double cost_of_a_row = .01;

/* Time is measured by points, not by rows: the time of all goes to the rows they are in. */
static void share_time(const halo_snake *snake, halo_measured *measured)
{
    double sum = 0, points[HALO_ROW_COST_BLOCKS] = {0};
    int64_t rows = snake->hi - snake->lo, block = halo_row_cost_block_rows(rows);
    measured->rows = rows;
    measured->block_rows = block;
    measured->blocks = rows > 0 ? (int)((rows + block - 1) / block) : 0;
    for (int64_t c = 0; c < snake->progress.contours; c++) {
        int64_t lo = snake->first[c], hi = snake->first[c + 1];
        for (int64_t i = lo; snake->held[c] > 0 && !snake->frozen[c] && i < hi; i++) {
            if (snake_is_mine(snake, i)) {
                points[(snake_row(snake, snake->points[i]) - snake->lo) / block]++;
            }
        }
    }
    for (int b = 0; b < measured->blocks; b++) {
        points[b] += cost_of_a_row * (double)halo_min(block, rows - b * block);
        sum += points[b];
    }
    for (int b = 0; b < measured->blocks; b++) {
        double share = points[b] / sum / (double)halo_min(block, rows - b * block);
        measured->row_cost[b] = (float)(measured->compute_seconds * share);
    }
}

bool snake_is_overdue(void *context)
{
    return halo_balancing_is_overdue(((halo_snake *)context)->options.balancing);
}

halo_status snake_balance(void *context, int64_t left, bool overdue)
{
    halo_snake *snake = context;
    halo_balancing *balancing = snake->options.balancing;
    const halo_domain *domain = halo_field_domain(snake->gradient);
    halo_measured measured;
    bool planning = halo_balancing_is_planning(balancing);
    if (!halo_balancing_take(balancing, overdue, snake->row_cost, &measured)) {
        return HALO_OK;
    }
    if (!planning) {
        halo_stretch stretch = halo_clock_begin(snake->world);
        share_time(snake, &measured);
        halo_clock_end(&snake->report->clock, HALO_PHASE_BALANCE, stretch, snake->world);
    }
    halo_balance_query query = {.beats_left = left,
                                .domain = domain,
                                .partition = &snake->partition,
                                .min_rows = 1,
                                .measured = &measured,
                                .row_bytes = (double)domain->n[1] * sizeof(uint16_t),
                                .halo_bytes = sizeof(snake_entry) * 16,
                                .exchanges = snake->turns};
    return halo_balancing_rebalance(balancing, &query, &snake->report->clock, move, snake);
}
