#include "kernels/label/raster.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

halo_status label_raster_create(label_raster *raster, const label_job *job)
{
    int64_t height = job->strip.input.height;
    *raster = (label_raster){.height = height};
    HALO_TRY(HALO_ALLOCATE_LARGE(raster->first, 4 * (height + 1), "counts of regions in rows"));
    raster->before = raster->first + height + 1;
    raster->all = raster->before + height;
    raster->received = raster->all + height;
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
            if (strip->classes[label] == next && next < representatives) {
                raster->all[y] += numbers[next++] != 0;
            }
        }
        counted += raster->all[y];
    }
    raster->first[raster->height] = next;
    return counted;
}

/* Every round doubles the blocks that `before` and `all` speak of. */
static halo_status add_up_line(label_raster *raster, label_job *job)
{
    const label_line *line = &job->lines[1];
    size_t bytes = (size_t)raster->height * sizeof(int32_t);
    for (int size = 1; size < line->count; size *= 2) {
        label_round round = label_line_round(line, size);
        if (round.theirs.count == 0) {
            continue;
        }
        halo_message out = {.data = raster->all, .bytes = bytes};
        halo_message in = {.data = raster->received, .bytes = bytes};
        HALO_TRY(label_job_sendrecv(job, line, &round, &out, &in));
        for (int64_t y = 0; y < raster->height; y++) {
            raster->before[y] += round.lower ? 0 : raster->received[y];
            raster->all[y] += raster->received[y];
        }
    }
    return HALO_OK;
}

halo_status label_raster_number(label_raster *raster, label_job *job, int64_t *numbers,
                                int64_t *total)
{
    int64_t lower = count_rows(raster, &job->strip, numbers);
    *total = lower;
    HALO_TRY(add_up_line(raster, job));
    HALO_TRY(halo_exscan(job->world, &lower, 1)); /* of all ranks before us in rank order */
    HALO_TRY(halo_allreduce_sum(job->world, total, 1));
    raster->above = lower;
    raster->beside = 0;
    for (int64_t y = 0; y < raster->height; y++) {
        raster->above -= raster->before[y];
        raster->beside += raster->all[y];
    }
    int64_t begun = raster->above;
    for (int64_t y = 0; y < raster->height; y++) {
        int64_t number = begun + raster->before[y];
        for (int32_t c = raster->first[y]; c < raster->first[y + 1]; c++) {
            numbers[c] = numbers[c] != 0 ? ++number : 0;
        }
        begun += raster->all[y];
    }
    return HALO_OK;
}

/* Where the regions of the row of blocks go: shares along the line, and for each rank the bytes it
 * gets from us. */
static void share_out(const label_raster *raster, const label_line *line,
                      const halo_region *regions, int64_t count, int64_t *cuts, size_t *bytes)
{
    if (line->mine < 0) {
        return;
    }
    halo_cuts_even(raster->beside, line->count, cuts);
    for (int64_t i = 0; i < count; i++) {
        int place = halo_cuts_find(cuts, line->count, regions[i].number - 1 - raster->above);
        bytes[line->ranks[place]] += sizeof *regions;
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
    const label_line *line = &job->lines[1];
    int64_t *cuts, first = 0, share = 0;
    size_t *bytes = NULL;
    void *came = NULL;
    halo_region *ordered = NULL;
    halo_status status = HALO_ALLOCATE(cuts, line->count + 1, "shares of regions");
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(bytes, 2 * ranks, "shares of regions");
    }
    HALO_TRY_OR(done, halo_agree(job->world, status));
    share_out(raster, line, regions, count, cuts, bytes);
    HALO_TRY_OR(done, halo_alltoallv(job->world, regions, bytes, &came, bytes + ranks));
    if (line->mine >= 0) {
        first = cuts[line->mine];
        share = cuts[line->mine + 1] - first;
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
