#ifndef HALOBEAT_FILTER_ROUNDING_H
#define HALOBEAT_FILTER_ROUNDING_H

#include "base/sample.h"

/* Local, pure. Doubles as samples of a type: those of whole numbers are rounded to the nearest, of
 * two the even one, and cut off at the ends of the type; NaN becomes the least. Of BIT
 * nothing is written. */
void filter_round(halo_sample_type type, const double *values, int64_t count, void *out);

/* Pure. The largest sample of a type as scikit-image has it: that of whole numbers, and 1 of reals.
 */
double filter_white(halo_sample_type type);

#endif
