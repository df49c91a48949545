#ifndef HALOBEAT_FILTER_ELEMENT_H
#define HALOBEAT_FILTER_ELEMENT_H

#include "kernels/filter/extreme_ops.h"
#include "kernels/filter/filter.h"

/* Structuring elements: the samples around one that an erosion or a dilation looks at. Internal to
 * the kernels; everything here is local. */

/* code, name */
#define FILTER_SHAPE_LIST(X) \
    X(BOX, "box")            \
    X(CROSS, "cross")        \
    X(DISK, "disk")          \
    X(BALL, "ball")

typedef enum {
#define FILTER_SHAPE_ENUM(code, name) FILTER_SHAPE_##code,
    FILTER_SHAPE_LIST(FILTER_SHAPE_ENUM)
#undef FILTER_SHAPE_ENUM
} filter_shape;

typedef struct {
    int shape;
    int64_t radius;                              /* of symmetric ones */
    int64_t before[HALO_AXES], after[HALO_AXES]; /* samples in each direction, besides the middle */
} filter_element;

/* Pure. Makes the element of a radius, for the image of a step. A disk is one in rows and columns,
 * of each plane; a cross has all samples that are up to `radius` steps away. It reaches no further
 * than one sample beyond the image from anywhere in it: others have no samples that these have not.
 */
filter_element filter_element_of(int shape, int64_t radius, const filter_step *step);

/* Finds the chords of a symmetric element. Rows of the image before and behind are numbered from
 * the first one that the element needs, with `pitch` rows to a plane. HALO_MEMORY. Call
 * filter_chords_free in any case. */
halo_status filter_chords_find(filter_chords *chords, const filter_element *element, int64_t pitch);
void filter_chords_free(filter_chords *chords);

#endif
