#ifndef HALOBEAT_FILTER_CONNECTIVITY_H
#define HALOBEAT_FILTER_CONNECTIVITY_H

#include "kernels/filter/filter.h"

/* The option that says which pixels are neighbours, by scikit-image's rule. Internal to the
 * kernels; pure. */

/* A row for the member `connectivity`, int, of a structure. */
#define FILTER_CONNECTIVITY_ROW(structure, standard_text)                             \
    {                                                                                 \
        HALO_OPTION_ROW(structure, "connectivity", INTEGER, connectivity),            \
            .min = 1, .max = HALO_AXES, .standard = (standard_text),                  \
            .help = "Number of axes along which neighbours may differ, by one pixel " \
                    "each, as in scikit-image; one above that of the image's axes "   \
                    "means all neighbours"                                            \
    }

/* The number of neighbours, in a domain of two or three axes. */
static inline int filter_neighbours(int connectivity, int axes)
{
    static const int of[2][HALO_AXES] = {{4, 8, 8}, {6, 18, 26}};
    return of[axes - 2][(connectivity > 0 ? connectivity : 1) - 1];
}

#endif
