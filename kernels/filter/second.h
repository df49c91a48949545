#ifndef HALOBEAT_FILTER_SECOND_H
#define HALOBEAT_FILTER_SECOND_H

#include "kernels/filter/filter.h"

/* Second images of steps: their names in the text of a step, and their rows. Internal to the
 * kernels; everything here is local. */

/* A step names its second image, or has a number where that may stand for an image of this value. A
 * number is all that is written as one; a file of such a name is ./12. The options of a filter with
 * `second` begin with it. */
typedef struct {
    const char *name; /* NULL: it is a number */
    halo_number number;
} filter_other;

/* Parse a value: halo_option.parse of a filter_other; the second one takes names only. */
halo_status filter_parse_other(const char *text, void *into);
halo_status filter_parse_image(const char *text, void *into);

/* HALO_ARGUMENT unless the step's second image, if it is known, has the step's shape. */
halo_status filter_second_check(const filter_step *step);

/* HALO_ARGUMENT unless the step's second image is known, or there is none. */
halo_status filter_second_check_known(const filter_step *step);

/* Row `y` of plane `z` of the step's second image, of step->second.type. Errors of its source. */
static inline halo_status filter_second_row(const filter_step *step, int64_t z, int64_t y,
                                            void *out)
{
    return step->second.row(step->second.context, z, y, out);
}

#endif
