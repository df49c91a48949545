#ifndef HALOBEAT_FILTER_FILTERS_H
#define HALOBEAT_FILTER_FILTERS_H

#include "kernels/filter/filter.h"

/* The filters, in the order of the help. Internal to the kernels. */
#define FILTER_LIST(X)             \
    X(gaussian)                    \
    X(uniform)                     \
    X(median)                      \
    X(percentile)                  \
    X(minimum)                     \
    X(maximum)                     \
    X(erosion)                     \
    X(dilation)                    \
    X(opening)                     \
    X(closing)                     \
    X(white_tophat)                \
    X(black_tophat)                \
    X(laplace)                     \
    X(sobel)                       \
    X(prewitt)                     \
    X(gaussian_laplace)            \
    X(gaussian_gradient_magnitude) \
    X(threshold)                   \
    X(fill_holes)                  \
    X(remove_small_objects)        \
    X(remove_small_holes)          \
    X(clear_border)                \
    X(skeletonize)                 \
    X(local_maxima)                \
    X(local_minima)                \
    X(h_maxima)                    \
    X(h_minima)                    \
    X(extended_maxima)             \
    X(extended_minima)             \
    X(reconstruction)              \
    X(background)                  \
    X(rolling_ball)                \
    X(rescale)                     \
    X(equalize)                    \
    X(clip)                        \
    X(gamma)                       \
    X(log)                         \
    X(invert)                      \
    X(add)                         \
    X(subtract)                    \
    X(multiply)                    \
    X(divide)

#define FILTER_OBJECT(name) extern const halo_filter filter_##name;
FILTER_LIST(FILTER_OBJECT)
#undef FILTER_OBJECT

#endif
