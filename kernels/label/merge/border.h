#ifndef HALOBEAT_LABEL_BORDER_H
#define HALOBEAT_LABEL_BORDER_H

#include "kernels/label/rows/strip.h"
#include "partition/box.h"

#include <stddef.h>

/* The runs at the sides of a box of the image, a group of neighbouring strips or blocks, in one
 * block of bytes that can be sent as it is. Internal to the label kernel; pure.
 *
 * Axes are those of volumes: 0 planes, 1 rows, 2 columns; an image of two axes is one plane. */

/* A run of foreground pixels on a side, of the component called `name`. Runs on the sides of planes
 * and rows are along the row; on the left and right side they are along the column. */
typedef struct {
    int32_t line;             /* row on the sides of planes, otherwise plane */
    int32_t begin, end, name; /* columns (on the left and right side: rows) begin to end - 1 */
} border_run;

/* The runs of a side, by line and then by column. */
typedef struct {
    border_run *runs;
    int64_t *values; /* the key of the values of each run's pixels, which are equal; NULL with
                      * HALO_LABEL_NONE */
} border_side;

/* Side 2 * axis is the low end of the axis, 2 * axis + 1 the high one. Sides that will not be
 * joined are omitted. */
enum { BORDER_SIDES = 2 * HALO_AXES };

typedef struct {
    int32_t runs[BORDER_SIDES];
    int32_t names;  /* components, named 0 to names - 1 */
    int32_t valued; /* 1: runs have values */
} border_head;

/* The head, followed by the keys of the components, the runs of each side, and their values. */
typedef struct {
    border_head *head;
    int64_t *keys;                  /* [names] the minimum key so far */
    border_side side[BORDER_SIDES]; /* [runs] each */
} label_border;

/* The key of the values of a run of a side. */
static inline int64_t border_value(const border_side *side, int32_t run)
{
    return side->values != NULL ? side->values[run] : 0;
}

/* The runs that follow the first `count` ones. */
static inline border_side border_behind(const border_side *side, int32_t count)
{
    return (border_side){side->runs + count, side->values != NULL ? side->values + count : NULL};
}

/* Stores a run of a side. */
static inline void border_put(const border_side *side, int32_t at, border_run run, int64_t value)
{
    side->runs[at] = run;
    if (side->values != NULL) {
        side->values[at] = value;
    }
}

/* The number of runs on the open sides of an axis of one strip with pixels, on the side that has
 * more of them; 0 for axes without open sides. The border may have slightly fewer. */
void border_count(const label_strip *strip, const bool open[BORDER_SIDES],
                  int64_t counts[HALO_AXES]);

/* The maximum bytes of a border with at most `runs` runs on all its sides. */
size_t border_room(int64_t runs, bool valued);

/* Bytes in use. */
size_t border_size(const label_border *border);

/* The parts of a border received as a message. */
label_border border_open(void *block);

/* Begins a border in `block`, with at most these runs, whose components are not counted yet: runs
 * are stored after room for the maximum number of keys, and border_end moves them to their
 * place. */
label_border border_begin(void *block, const int32_t runs[BORDER_SIDES], bool valued);
label_border border_end(const label_border *border, const int32_t runs[BORDER_SIDES],
                        int32_t names);

/* How pixels touch. */
typedef struct {
    int64_t n[HALO_AXES];     /* of the image */
    bool periodic[HALO_AXES]; /* the last is a neighbour of the first */
    int order;                /* see label_input */
    halo_label_near near;
} border_touch;

/* The result of joining: entries for the names of both borders, those of `low`, then those of
 * `high`. */
typedef struct {
    int32_t *sets;    /* the first name in the set of each name */
    int32_t *renamed; /* [first name of a set] its name in the new border, or -1 if it does not
                       * touch it */
} border_sets;

/* Makes the border of one united strip with pixels in `block`, which has room for `counts` runs on
 * each open side: a side that will be joined. roots[name] is set to the name in the strip for each
 * name. `scratch` is another block. */
label_border border_of_strip(void *block, const label_strip *strip, const bool open[BORDER_SIDES],
                             const int64_t counts[HALO_AXES], void *scratch, int32_t *roots);

/* The minimum key of the set of `name` in a joined border, or closed one (`high` is NULL). */
int64_t border_joined_key(const label_border *low, const label_border *high,
                          const border_sets *joined, int32_t name);

/* Joins the border of a group with that of the group beyond it on `axis`, which has the same extent
 * along the other axes: `joined` (in another block) becomes the border of both. Keys of `low` and
 * `high` become those that border_joined_key returns. The last axis must be joined first: periodic
 * links are made when an axis is complete. */
label_border border_join(void *block, const label_border *low, const label_border *high, int axis,
                         const border_touch *touch, const border_sets *scratch);

/* The group is complete along `axis`. If the axis is periodic (`round`), links its high end
 * to its low end. The new border, in another block, omits these two sides. */
label_border border_close(void *block, const label_border *border, int axis, bool round,
                          const border_touch *touch, const border_sets *scratch);

#endif
