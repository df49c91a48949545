#ifndef HALOBEAT_LABEL_ARRAY_ROWS_H
#define HALOBEAT_LABEL_ARRAY_ROWS_H

#include "base/option.h"

/* Rows of options that several calls on arrays have, for members of these names in the options
 * `structure`. Internal to the label kernel. */

#define LABEL_CONNECTIVITY_ROW(structure)                                                      \
    {                                                                                          \
        HALO_OPTION_ROW(structure, "connectivity", INTEGER, connectivity),                     \
            .help = "Neighbours of an element: 2 in one axis; 4, or 8 with those at corners, " \
                    "in two; 6, 18 or 26 in three. 0: those at faces"                          \
    }

/* Which regions are kept. */
#define LABEL_KEPT_ROWS(structure)                                                           \
    {HALO_OPTION_ROW(structure, "min-area", INTEGER, min_area), .unit = "elements",          \
     .help = "Remove regions smaller than this"},                                            \
        {HALO_OPTION_ROW(structure, "max-area", INTEGER, max_area), .unit = "elements",      \
         .help = "Remove regions larger than this; 0: no limit"},                            \
        {HALO_OPTION_ROW(structure, "clear-border", FLAG, clear_border),                     \
         .help = "Remove regions that touch an edge of the array"},                          \
    {                                                                                        \
        HALO_OPTION_ROW(structure, "largest", INTEGER, largest),                             \
            .unit = "regions",                                                               \
            .help = "Keep only this many of the remaining regions, the largest ones; 0: all" \
    }

#endif
