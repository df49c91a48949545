#ifndef HALOBEAT_LABEL_BORDER_H
#define HALOBEAT_LABEL_BORDER_H

#include "kernels/label/strip.h"

#include <stddef.h>

/* What touches the sides of a rectangle of the image, a group of neighbouring strips or blocks: one
 * block of bytes that travels as it is. Internal to the label kernel; pure. */

/* A run of foreground pixels, columns (on the left and right side: rows) begin to end - 1 of the
 * image, of the component called `name`. */
typedef struct {
    int32_t begin, end, name;
} border_run;

/* Side 2 * axis is the low end of the axis, 2 * axis + 1 the high one. Sides that nothing will be
 * joined to are left out. */
enum { BORDER_TOP, BORDER_BOTTOM, BORDER_LEFT, BORDER_RIGHT, BORDER_SIDES };

typedef struct {
    int32_t runs[BORDER_SIDES];
    int32_t names;  /* components, called 0 to names - 1 */
    int32_t unused; /* keeps the keys aligned */
} border_head;

/* The head, then the keys of the components, then the runs of one side after the other. */
typedef struct {
    border_head *head;
    int64_t *keys;                  /* [names] the smallest key so far */
    border_run *side[BORDER_SIDES]; /* [runs] each, in order */
} label_border;

/* Bytes that hold any border of a rectangle of `width` columns with, if height is not 0, the left
 * and right side of `height` rows too. */
size_t border_room(int64_t width, int64_t height);

/* Runs, and components, that such a border has at most. */
size_t border_max_runs(int64_t width, int64_t height);

/* Bytes in use. */
size_t border_size(const label_border *border);

/* The parts of a border that came as a message. */
label_border border_open(void *block);

/* Make the border of one united strip of at least one row in `block`, which has border_room bytes,
 * with all sides or only top and bottom. roots[name] receives the root behind each name. `names` is
 * scratch: [label_count] of any content. */
label_border border_of_strip(void *block, const label_strip *strip, bool all_sides, int32_t *names,
                             int32_t *roots);

/* How pixels touch. */
typedef struct {
    int64_t width; /* of the image */
    bool diagonal;
    bool periodic; /* its last column is a neighbour of the first */
} border_touch;

/* Scratch of joining: entries for the names of both borders. */
typedef struct {
    int32_t *sets;     /* the set of each name: those of `low`, then those of `high` */
    int64_t *set_keys; /* the smallest key of each set */
    int32_t *renamed;  /* the name of each set in the new border, or -1 if it does not reach it */
} border_sets;

/* Join the border of a group with that of the group beyond it on `axis` (below it, or to its
 * right), which has the same extent along the other axis: `joined` (in another block) becomes the
 * border of both together. Rows that go round must be joined when they are whole. */
label_border border_join(void *block, const label_border *low, const label_border *high, int axis,
                         const border_touch *touch, const border_sets *scratch);

/* A group that is all there is along `axis`: where it goes `round`, link its high end to its own
 * low end. The new border, in another block, does without these two sides. */
label_border border_close(void *block, const label_border *border, int axis, bool round,
                          const border_touch *touch, const border_sets *scratch);

#endif
