#ifndef HALOBEAT_KERNELS_LABEL_LABEL_VALUE_H
#define HALOBEAT_KERNELS_LABEL_LABEL_VALUE_H

#include "base/sample.h"
#include "core/field/field.h"

/* Values that decide, in addition to foreground, which pixels are connected: label images,
 * segmentations, greys. */

/* This stands for no type: values are ignored, neighbouring foreground pixels are connected. */
#define HALO_LABEL_NONE HALO_SAMPLE_BIT

/* Zero-initialised: HALO_LABEL_NONE. */
typedef struct {
    halo_sample_type type;
    halo_number delta; /* neighbours are connected if their values differ by at most this; for
                        * integers the fraction is ignored */
    /* halo_label_run sets the foreground itself, as halo_foreground_of_values does, row by row
     * while it reads the values, which saves reading them twice. Not with balancing, which counts
     * runs before. */
    bool sets_foreground;
    bool has_background; /* with `sets_foreground`: pixels of the value `background` are none */
    halo_number background;
} halo_label_near;

/* Local. Sets the owned pixels of `foreground` (cells of 1 bit) to those whose value is neither NaN
 * nor *background; background may be NULL, or a value that the type does not have. `values` has the
 * same pixels and cells of the type. `instructions` as in halo_label_options; if this machine does
 * not have them, the best it has are used. */
void halo_foreground_of_values(const halo_view *values, halo_sample_type type,
                               const halo_number *background, const halo_view *foreground,
                               const char *instructions);

/* Values of regions (halo_region.grey_min and grey_max) are stored as keys (base/sample.h). */

#endif
