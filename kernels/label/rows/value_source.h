#ifndef HALOBEAT_LABEL_VALUE_SOURCE_H
#define HALOBEAT_LABEL_VALUE_SOURCE_H

#include <stdint.h>

/* Gives the rows of values that are not contiguous in memory, in copies of a few of them. One
 * thread reads a source. Internal to the label kernel. */
typedef struct {
    /* The values of `count` columns of row `r` (of all rows, see label_input), from column `x` on.
     * They stay at least until this is called for another row with the same `hand`, 0 or 1; where
     * rows are read whole, also those of the rows straight before `r` in its plane and in the plane
     * before, if all three are read one after the other. */
    const void *(*read)(void *context, int64_t r, int64_t x, int64_t count, int hand);
    void *context;
    int64_t columns; /* that are read at once, at most, and one more: the width, where rows are read
                      * whole, or a multiple of 64 */
} label_value_source;

#endif
