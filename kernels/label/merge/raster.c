#include "kernels/label/merge/raster.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

halo_status label_raster_create(label_raster *raster, const label_job *job)
{
    const label_input *input = &job->strip.input;
    int64_t height = input->height, planes = input->planes;
    *raster = (label_raster){.planes = planes,
                             .rows = input->rows,
                             .height = height,
                             .by_planes = job->lines[1].count > 1 && job->n[0] > 1};
    HALO_TRY(HALO_ALLOCATE_LARGE(raster->first, 4 * (height + 1) + 2 * planes,
                                 "counts of regions in rows"));
    raster->before = raster->first + height + 1;
    raster->all = raster->before + height;
    raster->received = raster->all + height;
    raster->plane_before = raster->received + height;
    raster->plane_all = raster->plane_before + planes;
    return HALO_OK;
}

void label_raster_free(label_raster *raster)
{
    halo_memory_free(raster->first);
    *raster = (label_raster){0};
}

/* Components are numbered in the order of their first labels, which have greater labels only behind
 * them. Returns how many are counted. */
static int64_t count_rows(label_raster *raster, const label_strip *strip, const int64_t *numbers)
{
    int32_t next = 0, representatives = (int32_t)strip->representatives;
    int64_t counted = 0;
    for (int64_t y = 0; y < raster->height; y++) {
        raster->first[y] = next;
        raster->before[y] = raster->all[y] = 0;
        for (int32_t label = strip->first_label[y]; label < strip->first_label[y + 1]; label++) {
            if (label_strip_class_of(strip, label) == next && next < representatives) {
                raster->all[y] += numbers[next++] != 0;
            }
        }
        counted += raster->all[y];
    }
    raster->first[raster->height] = next;
    return counted;
}

/* Every round doubles the blocks that `before` and `all` ([count]) speak of. */
static halo_status add_up_line(label_raster *raster, label_job *job, const label_line *line,
                               int64_t count, int32_t *before, int32_t *all)
{
    size_t bytes = (size_t)count * sizeof(int32_t);
    for (int size = 1; size < line->count; size *= 2) {
        label_round round = label_line_round(line, size);
        if (round.theirs.count == 0) {
            continue;
        }
        halo_message out = {.data = all, .bytes = bytes};
        halo_message in = {.data = raster->received, .bytes = bytes};
        HALO_TRY(label_job_sendrecv(job, line, &round, &out, &in));
        for (int64_t i = 0; i < count; i++) {
            before[i] += round.lower ? 0 : raster->received[i];
            all[i] += raster->received[i];
        }
    }
    return HALO_OK;
}

/* Rows of all blocks beside each other, then planes of all rows of blocks. */
static halo_status add_up(label_raster *raster, label_job *job)
{
    HALO_TRY(add_up_line(raster, job, &job->lines[2], raster->height, raster->before, raster->all));
    for (int64_t z = 0; z < raster->planes; z++) {
        raster->plane_before[z] = raster->plane_all[z] = 0;
        for (int64_t y = 0; y < raster->rows && raster->by_planes; y++) {
            raster->plane_all[z] += raster->all[z * raster->rows + y];
        }
    }
    return raster->by_planes ? add_up_line(raster, job, &job->lines[1], raster->planes,
                                           raster->plane_before, raster->plane_all)
                             : HALO_OK;
}

/* Number those that begin in a row, and find where the next row's numbers begin. */
static int64_t number_row(const label_raster *raster, int64_t r, int64_t begun, int64_t *numbers)
{
    int64_t number = begun + raster->before[r];
    for (int32_t c = raster->first[r]; c < raster->first[r + 1]; c++) {
        numbers[c] = numbers[c] != 0 ? ++number : 0;
    }
    return begun + raster->all[r];
}

halo_status label_raster_number(label_raster *raster, label_job *job, int64_t *numbers,
                                int64_t *total)
{
    int64_t lower = count_rows(raster, &job->strip, numbers);
    *total = lower;
    HALO_TRY(add_up(raster, job));
    HALO_TRY(halo_exscan(job->world, &lower, 1)); /* of all ranks before us in rank order */
    HALO_TRY(halo_allreduce_sum(job->world, total, 1));
    raster->above = lower;
    for (int64_t r = 0; r < raster->height; r++) {
        raster->above -= raster->before[r];
    }
    for (int64_t z = 0; z < raster->planes; z++) {
        raster->above -= raster->plane_before[z];
    }
    int64_t begun = raster->above;
    for (int64_t z = 0; z < raster->planes; z++) {
        int64_t in_plane = begun + raster->plane_before[z];
        for (int64_t y = 0; y < raster->rows; y++) {
            in_plane = number_row(raster, z * raster->rows + y, in_plane, numbers);
        }
        begun = raster->by_planes ? begun + raster->plane_all[z] : in_plane;
    }
    raster->beside = begun - raster->above;
    return HALO_OK;
}

/* The ranks that share regions: those of a row of blocks, or of a layer of rows of blocks. */
typedef struct {
    const label_line *rows, *columns; /* rows: NULL for one row */
    int rank, count, mine;            /* ours, as in label_line */
} raster_group;

static raster_group find_group(const label_raster *raster, const label_job *job)
{
    const label_line *columns = &job->lines[2], *rows = raster->by_planes ? &job->lines[1] : NULL;
    return (raster_group){.rows = rows,
                          .columns = columns,
                          .rank = halo_world_rank(job->world),
                          .count = columns->count * (rows != NULL ? rows->count : 1),
                          .mine = columns->mine < 0
                                      ? -1
                                      : columns->mine +
                                            (rows != NULL ? rows->mine * columns->count : 0)};
}

/* Ranks are numbered row by row of blocks. */
static int rank_at(const raster_group *group, int place)
{
    int columns = group->columns->count, rank = group->columns->ranks[place % columns];
    return group->rows != NULL ? rank + group->rows->ranks[place / columns] - group->rank : rank;
}

/* Finds the ranks to which the regions of the row of blocks go: shares along the line, and for each
 * rank the bytes that it gets from this one. */
static void share_out(const label_raster *raster, const raster_group *group,
                      const halo_region *regions, int64_t count, int64_t *cuts, size_t *bytes)
{
    if (group->mine < 0) {
        return;
    }
    halo_cuts_even(raster->beside, group->count, cuts);
    for (int64_t i = 0; i < count; i++) {
        int place = halo_cuts_find(cuts, group->count, regions[i].number - 1 - raster->above);
        bytes[rank_at(group, place)] += sizeof *regions;
    }
}

/* Bring the `came` regions of our share, whose first number is `first`, in order. */
static void put_in_order(const halo_region *came, int64_t count, int64_t first,
                         halo_region *ordered)
{
    for (int64_t i = 0; i < count; i++) {
        ordered[came[i].number - first] = came[i];
    }
}

halo_status label_raster_deal(const label_raster *raster, label_job *job,
                              const halo_region *regions, int64_t count, halo_region **out,
                              int64_t *out_count)
{
    size_t ranks = (size_t)halo_world_ranks(job->world);
    const raster_group group = find_group(raster, job);
    int64_t *cuts, first = 0, share = 0;
    size_t *bytes = NULL;
    void *came = NULL;
    halo_region *ordered = NULL;
    halo_status status = HALO_ALLOCATE(cuts, group.count + 1, "shares of regions");
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(bytes, 2 * ranks, "shares of regions");
    }
    HALO_TRY_OR(done, halo_agree(job->world, status));
    share_out(raster, &group, regions, count, cuts, bytes);
    HALO_TRY_OR(done, halo_alltoallv(job->world, regions, bytes, &came, bytes + ranks));
    if (group.mine >= 0) {
        first = cuts[group.mine];
        share = cuts[group.mine + 1] - first;
    }
    status = HALO_ALLOCATE_LARGE(ordered, share + 1, "a table of regions");
    HALO_TRY_OR(done, halo_agree(job->world, status));
    put_in_order(came, share, raster->above + first + 1, ordered);
    *out = ordered;
    *out_count = share;
done:
    if (status != HALO_OK) {
        halo_memory_free(ordered);
    }
    halo_memory_free(came);
    free(cuts);
    free(bytes);
    return status;
}
