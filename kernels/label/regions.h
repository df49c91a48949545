#ifndef HALOBEAT_LABEL_REGIONS_H
#define HALOBEAT_LABEL_REGIONS_H

#include "core/field.h"
#include "core/world.h"
#include "kernels/label/strip.h"

/* What is known about a region, or about the part of it that lies in one strip. All sums are
 * exact. Rows and columns are global. */
typedef struct {
    int64_t number;    /* 1 to the number of regions */
    int64_t area;      /* pixels */
    int64_t top, left; /* bounding box, half-open: rows top to bottom - 1 */
    int64_t bottom, right;
    int64_t row_sum, column_sum; /* over the pixels; the centroid times the area */
    int64_t grey_sum;
    int64_t last; /* the largest row-major pixel index, row * width + column */
} halo_region;

/* Local. parts[c] becomes what the strip holds of component c ([class_count]). `first_row` is the
 * global number of the strip's first row; `grey` (8, 16 or 1 bits a cell, or NULL for zeroes) has
 * the same rows as the strip. Internal to the label kernel. */
void label_measure(const label_strip *strip, int64_t first_row, const halo_view *grey,
                   halo_region *parts);

/* How components become regions with numbers. */
typedef struct {
    int64_t min_area; /* smaller regions get number 0 */
    bool seeds;       /* number by largest pixel index + 1, instead of 1, 2, 3, ... */
} label_naming;

/* Regions that were kept. */
typedef struct {
    int64_t mine; /* those that begin in this rank's strip */
    int64_t total;
} label_count;

/* Collective. Regions belong to the rank of their first pixel: parts in other strips are sent
 * there and added up (`parts` may be NULL if nothing was measured; then min_area and seeds must
 * not be asked for), small ones are dropped, the others numbered, and the numbers sent back.
 * numbers[c] becomes the number of component c.
 * `keys` is NULL where each component is a region. `parts` of the components that lead a region of
 * this rank become that region's total, with its number. HALO_MEMORY, HALO_MPI. Internal to the
 * label kernel. */
halo_status label_number(halo_world *world, const int64_t *keys, int64_t components,
                         halo_region *parts, const label_naming *naming, int64_t *numbers,
                         label_count *count);

#endif
