#ifndef HALOBEAT_LABEL_REGIONS_H
#define HALOBEAT_LABEL_REGIONS_H

#include "base/minmax.h"
#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/label/label_region.h"
#include "kernels/label/rows/strip.h"

struct label_job;
struct label_raster;

/* Local. Sets parts[c] to the statistics of component c ([class_count]) in the strip. `grey` (8, 16
 * or 1 bits per cell; NULL: zeroes) has the same pixels as the strip. HALO_CANCELLED. Internal to
 * the label kernel. */
halo_status label_measure(const label_strip *strip, const halo_view *grey, halo_region *parts);

/* Local. Adds another part of a region that has pixels; the number stays. */
static inline void label_region_join(halo_region *to, const halo_region *part)
{
    to->area += part->area;
    to->top = halo_min(to->top, part->top);
    to->left = halo_min(to->left, part->left);
    to->bottom = halo_max(to->bottom, part->bottom);
    to->right = halo_max(to->right, part->right);
    to->row_sum += part->row_sum;
    to->column_sum += part->column_sum;
    to->grey_sum += part->grey_sum;
    to->last = halo_max(to->last, part->last);
    to->front = halo_min(to->front, part->front);
    to->back = halo_max(to->back, part->back);
    to->plane_sum += part->plane_sum;
    to->grey_min = halo_min(to->grey_min, part->grey_min);
    to->grey_max = halo_max(to->grey_max, part->grey_max);
}

/* Local. Adds another part of a region; the number stays. Of no pixels at first (area 0) it becomes
 * the part. */
static inline void label_region_add(halo_region *to, const halo_region *part)
{
    if (to->area == 0) {
        int64_t number = to->number;
        *to = *part;
        to->number = number;
        return;
    }
    label_region_join(to, part);
}

/* How components become regions with numbers. */
typedef struct {
    halo_region_filter filter; /* other regions get number 0 */
    bool seeds;                /* number by the largest pixel index + 1, instead of 1, 2, 3, ... */
} label_naming;

/* Counts of regions. */
typedef struct {
    int64_t before; /* those that begin in strips above this rank's; 0 if representatives have
                     * numbers of their own */
    int64_t mine;   /* those that begin in this rank's strip and are kept */
    int64_t total;  /* all regions */
} label_count;

/* Output of the numbers. */
typedef struct {
    int64_t *representatives; /* [representatives]; NULL if component c has the number before + 1
                               * + c, which is possible only without blocks side by side */
    int64_t *aliases;         /* [class_count - representatives] */
} label_numbers;

/* Collective. A region belongs to the rank of its first pixel: parts on other ranks are sent there
 * and added, regions to be kept are numbered, and the numbers are sent back. `parts`
 * ([class_count]; NULL if nothing was measured) of this rank's regions become the whole regions,
 * with their numbers. `naming` may only differ from 1, 2, 3, ... with parts and
 * numbers->representatives. `raster` is that of blocks side by side, or NULL. HALO_MEMORY,
 * HALO_TRANSPORT. Internal to the label kernel. */
halo_status label_number(struct label_job *job, struct label_raster *raster, halo_region *parts,
                         const label_naming *naming, label_numbers *numbers, label_count *count);

#endif
