#ifndef HALOBEAT_LABEL_STRETCHES_H
#define HALOBEAT_LABEL_STRETCHES_H

#include "kernels/label/rows/strip.h"

/* Runs that begin straight below runs of another row have their labels, which are copied as a
 * whole: where lines go straight down there are no lists of links. Local; internal to the label
 * kernel. */

/* Room for a row's stretches. HALO_MEMORY. */
halo_status label_stretches_ensure(label_strip *strip);

/* Labels for the lower runs of all stretches. */
void label_stretches_copy(label_strip *strip);

/* Returns the labels of the band's runs that are not yet assigned, and their count: all but those
 * of stretches at the band's ends. */
int32_t *label_stretches_rest(const label_strip *strip, int64_t band, int64_t *count);

#endif
