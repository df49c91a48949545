#ifndef HALOBEAT_FILTER_SIZES_H
#define HALOBEAT_FILTER_SIZES_H

#include "kernels/filter/element.h"
#include "kernels/filter/per_axis.h"

/* Windows of filters, as boxes. Internal to the kernels; everything here is local. */

enum { FILTER_MOST_SIZE = 1 << 20 };

/* A member of the options of such a filter. */
typedef struct {
    filter_per_axis radius, size; /* without values: not given */
} filter_sizes;

/* Rows of the options of a filter, whose structure has a member `sizes`. */
#define FILTER_SIZES_ROWS(structure)                                                              \
    {HALO_OPTION_ROW(structure, "radius", CUSTOM, sizes.radius), .parse = filter_parse_per_axis,  \
     .value = "R|R,R,R", .takes = FILTER_PER_AXIS_TAKES,                                          \
     .help = "Samples of the window on each side of its middle, of all axes or of each: planes, " \
             "rows, columns"},                                                                    \
    {                                                                                             \
        HALO_OPTION_ROW(structure, "size", CUSTOM, sizes.size),                                   \
            .parse = filter_parse_per_axis, .value = "N|N,N,N", .takes = FILTER_PER_AXIS_TAKES,   \
            .help = "Samples of the window along all axes or each; even sizes have one more "     \
                    "before the middle than behind it"                                            \
    }

/* Finds the window of a step. HALO_ARGUMENT. */
halo_status filter_sizes_find(const filter_sizes *sizes, const filter_step *step,
                              filter_element *window);

#endif
