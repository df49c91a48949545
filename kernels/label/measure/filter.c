#include "kernels/label/measure/filter.h"

#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/watch.h"

#include <inttypes.h>

halo_status label_filter_check(const halo_region_filter *filter)
{
    if (filter->min_area < 0 || filter->max_area < 0 || filter->min_peak < 0 ||
        filter->largest < 0) {
        return halo_fail(HALO_ARGUMENT, "areas, grey values and numbers of regions to keep must "
                                        "not be negative");
    }
    if (filter->max_area > 0 && filter->min_area > filter->max_area) {
        return halo_fail(HALO_ARGUMENT,
                         "no region has at least %" PRId64 " and at most %" PRId64 " pixels; make "
                         "the largest area larger",
                         filter->min_area, filter->max_area);
    }
    return HALO_OK;
}

bool label_filter_drops(const halo_region_filter *filter)
{
    return filter->min_area > 1 || filter->max_area > 0 || filter->min_peak > 0 ||
           filter->clear_border || filter->largest > 0;
}

static bool touches_edge(const label_job *job, const halo_region *region)
{
    const int64_t begin[HALO_AXES] = {region->front, region->top, region->left};
    const int64_t end[HALO_AXES] = {region->back, region->bottom, region->right};
    /* An image of two axes is one plane without edges before and behind it. */
    for (int axis = HALO_AXES - job->domain.axes; axis < HALO_AXES; axis++) {
        if (!job->periodic[axis] && (begin[axis] == 0 || end[axis] == job->n[axis])) {
            return true;
        }
    }
    return false;
}

bool label_filter_keeps(const halo_region_filter *filter, const label_job *job,
                        const halo_region *region)
{
    return region->area >= filter->min_area &&
           (filter->max_area == 0 || region->area <= filter->max_area) &&
           (filter->min_peak == 0 || region->grey_max >= filter->min_peak) &&
           !(filter->clear_border && touches_edge(job, region));
}

enum { DIGIT_BITS = 10, DIGITS = 1 << DIGIT_BITS };

/* Local. Those whose area has the same higher digits as `prefix`, by the digit at `shift`. */
static halo_status count_digits(const halo_world *world, const halo_region *regions, int64_t count,
                                const int64_t *marks, int shift, int64_t prefix, int64_t *counts)
{
    for (int digit = 0; digit < DIGITS; digit++) {
        counts[digit] = 0;
    }
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        int64_t area = regions[i].area >> shift;
        if (marks[i] != 0 && area >> DIGIT_BITS == prefix) {
            counts[area % DIGITS]++;
        }
    }
    return HALO_OK;
}

static halo_status find_most(const halo_world *world, const halo_region *regions, int64_t count,
                             int64_t *most)
{
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        *most = halo_max(*most, regions[i].area);
    }
    return HALO_OK;
}

/* Digit by digit from the top: no rank has to know, or to sort, the areas of others. */
halo_status label_filter_rank(halo_world *world, const halo_region_filter *filter,
                              const halo_region *regions, int64_t count, const int64_t *marks,
                              int64_t *smallest, int64_t *larger)
{
    int64_t most = 0, prefix = 0, above = 0, counts[DIGITS] = {0};
    halo_status status = find_most(world, regions, count, &most); /* agreed on at the end */
    HALO_TRY(halo_allreduce_max(world, &most, 1));
    int shift = 0;
    while (most >> shift >= DIGITS) {
        shift += DIGIT_BITS;
    }
    for (; shift >= 0; shift -= DIGIT_BITS) {
        HALO_IF_OK(status, count_digits(world, regions, count, marks, shift, prefix, counts));
        HALO_TRY(halo_allreduce_sum(world, counts, DIGITS));
        int64_t digit = DIGITS - 1;
        while (digit > 0 && above + counts[digit] < filter->largest) {
            above += counts[digit--];
        }
        prefix = prefix << DIGIT_BITS | digit;
    }
    *smallest = prefix;
    *larger = above;
    return halo_agree(world, status);
}
