#ifndef HALOBEAT_LABEL_REGIONS_H
#define HALOBEAT_LABEL_REGIONS_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/label/label_region.h"
#include "kernels/label/strip.h"

struct label_job;
struct label_raster;

/* Local. parts[c] becomes what the strip holds of component c ([class_count]). `grey` (8, 16 or 1
 * bits a cell, or NULL for zeroes) has the same pixels as the strip. Internal to the label kernel.
 */
void label_measure(const label_strip *strip, const halo_view *grey, halo_region *parts);

/* How components become regions with numbers. */
typedef struct {
    halo_region_filter filter; /* other regions get number 0 */
    bool seeds;                /* number by largest pixel index + 1, instead of 1, 2, 3, ... */
} label_naming;

/* What came of it. */
typedef struct {
    int64_t before; /* regions that begin in strips above this rank's; 0 where representatives have
                     * numbers of their own */
    int64_t mine;   /* those that begin in this rank's and are kept */
    int64_t total;  /* all */
} label_count;

/* Where the numbers go. */
typedef struct {
    int64_t *representatives; /* [representatives], or NULL if component c is simply called before +
                               * 1 + c, which is so only where no blocks lie side by side */
    int64_t *aliases;         /* [class_count - representatives] */
} label_numbers;

/* Collective. Regions belong to the rank of their first pixel: parts elsewhere are sent there and
 * added up, those to be kept are numbered, and the numbers sent back. `parts`
 * ([class_count], or NULL if nothing was measured) of this rank's regions become the whole regions,
 * with their numbers. `naming` may only ask for more than 1, 2, 3, ... with parts and
 * numbers->representatives. `raster` is that of blocks side by side, or NULL. HALO_MEMORY,
 * HALO_MPI. Internal to the label kernel. */
halo_status label_number(struct label_job *job, struct label_raster *raster, halo_region *parts,
                         const label_naming *naming, label_numbers *numbers, label_count *count);

#endif
