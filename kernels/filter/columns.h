#ifndef HALOBEAT_FILTER_COLUMNS_H
#define HALOBEAT_FILTER_COLUMNS_H

#include "kernels/filter/columns_ops.h"
#include "kernels/filter/margins.h"

/* Rows of linear filters, several at a time. Internal to the kernels; everything here is local. */

/* Samples by columns, of as many rows as the ISA takes together, with some beyond both ends. */
typedef struct {
    const filter_margins *margins; /* as of rows of doubles or floats */
    int lanes;                     /* rows together */
    size_t bytes;                  /* of a column */
    char *memory, *column;         /* column 0 */
    bool quick;                    /* floats; otherwise doubles */
} filter_columns;

/* For rows with these margins, which outlive it. HALO_MEMORY. Call filter_columns_free in any case,
 * also of a zeroed one. */
halo_status filter_columns_create(filter_columns *columns, const filter_columns_ops *ops,
                                  bool quick, const filter_margins *margins);
void filter_columns_free(filter_columns *columns);

/* Sets the columns beyond the ends. */
void filter_columns_fill(const filter_columns *columns);

#endif
