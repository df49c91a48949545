#ifndef HALOBEAT_FILTER_GAUSSIAN_H
#define HALOBEAT_FILTER_GAUSSIAN_H

#include "kernels/filter/linear.h"
#include "kernels/filter/per_axis.h"

/* Gaussians, for the filters that are made of them. Internal to the kernels; everything here is
 * local. */

typedef struct {
    filter_per_axis sigma, order;
    double truncate;
    filter_edge edge;
} filter_gaussians;

#define FILTER_GAUSSIANS_ROW(option, kind, member) \
    HALO_OPTION_ROW(filter_gaussians, option, kind, member)

/* The options that all of them have. */
#define FILTER_SIGMA_ROW(example, more)                                                            \
    {                                                                                              \
        FILTER_GAUSSIANS_ROW("sigma", CUSTOM, sigma),                                              \
            .parse = filter_parse_per_axis, .value = "S|S,S,S", .takes = FILTER_PER_AXIS_TAKES,    \
            .required = "it needs a standard deviation: " example,                                 \
            .help =                                                                                \
                "Standard deviation in pixels, of all axes or of each: planes, rows, columns" more \
    }
#define FILTER_TRUNCATE_ROW                                              \
    {                                                                    \
        FILTER_GAUSSIANS_ROW("truncate", REAL, truncate),                \
            .min = 0, .max = 1000, .standard = "4",                      \
            .help = "Number of standard deviations at which weights end" \
    }

/* Checks the standard deviations, which are more than 0 if `positive`, and sets the depth, edge and
 * planes of the part. HALO_ARGUMENT. */
halo_status filter_gaussians_resolve(const filter_step *step, bool positive, filter_part *part);

/* Makes the weights of an axis, of the derivative of this order. HALO_MEMORY. */
halo_status filter_gaussians_make(const filter_gaussians *g, const filter_step *step, int axis,
                                  int order, filter_line *line);

enum { FILTER_MOST_ORDER = 8 };

#endif
