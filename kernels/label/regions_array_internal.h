#ifndef HALOBEAT_LABEL_REGIONS_ARRAY_INTERNAL_H
#define HALOBEAT_LABEL_REGIONS_ARRAY_INTERNAL_H

#include "kernels/label/measure/properties.h"

/* The choice of properties of regions_array.c. Internal to the label kernel. */

/* Properties that need intensities, and those that one axis does not have. */
enum { BY_INTENSITY = LABEL_OF_SAMPLES };
enum { BY_AREA = LABEL_BY_SHAPES | LABEL_BY_EULER | LABEL_BY_NEIGHBOURS | LABEL_BY_THICKNESS };

/* Local. Sets *choice to the properties that `text` names (NULL: the standard ones), and *missed to
 * the conditions of properties that the array does not meet. HALO_ARGUMENT, with a remedy, for
 * words that are none, and for properties that the array does not have. */
halo_status regions_array_choose(const char *text, const label_facts *facts, bool has_intensity,
                                 label_property_choice *choice, unsigned *missed);

#endif
