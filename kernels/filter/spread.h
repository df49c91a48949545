#ifndef HALOBEAT_FILTER_SPREAD_H
#define HALOBEAT_FILTER_SPREAD_H

#include "kernels/filter/filter.h"

/* Bits as numbers, before steps that compute on numbers. Internal to the kernels; local. */

/* The type that bits become for a step that makes `out`: reals 0 and 1, whole numbers of 8 bits 0
 * and 255, or of 16 bits 0 and 65535 if the step makes such. */
halo_sample_type filter_spread_type(halo_sample_type out);

/* The part of a step that makes these numbers. */
filter_part filter_spread_part(const filter_step *step, halo_sample_type to);

#endif
