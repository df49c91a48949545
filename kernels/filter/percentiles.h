#ifndef HALOBEAT_FILTER_PERCENTILES_H
#define HALOBEAT_FILTER_PERCENTILES_H

#include "base/sample.h"
#include "core/field/field.h"
#include "core/world/world.h"

/* Percentiles of all samples of an image, which are found digit by digit: one pass over samples of
 * 8 and 16 bits, two over those of 32, four over those of 64. Internal to the kernels. */

enum { FILTER_PERCENTILES = 2 };

typedef struct filter_percentiles filter_percentiles;

/* Local. For percentiles of percent[i], 0 to 100. HALO_MEMORY. */
halo_status filter_percentiles_create(filter_percentiles **out, halo_sample_type type,
                                      const double percent[FILTER_PERCENTILES]);

/* Local. Adds rows, of numbers; NaN are left out. */
void filter_percentiles_add(filter_percentiles *p, const halo_view *rows);

/* Collective, once each rank has added all of its rows. *again: add them all once more; otherwise
 * values[i] is the percentile as numpy.percentile has it, between two samples in proportion, or 0
 * if there is no sample. HALO_TRANSPORT. */
halo_status filter_percentiles_end(filter_percentiles *p, halo_world *world, bool *again,
                                   double values[FILTER_PERCENTILES]);

/* Local. Accepts NULL. */
void filter_percentiles_destroy(filter_percentiles *p);

#endif
