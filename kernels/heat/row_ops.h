#ifndef HALOBEAT_HEAT_ROW_OPS_H
#define HALOBEAT_HEAT_ROW_OPS_H

#include "base/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The inner loops of heat, compiled from one source for each ISA. All give the same
 * bytes: sums are in one order everywhere, and each operation is rounded. Internal to the kernel.
 */

/* What cells are. */
typedef enum { HEAT_DOUBLE, HEAT_FLOAT, HEAT_TYPES } heat_type;

/* A sheet of cells: rows of a grid, or of one plane of it. */
typedef struct {
    const void *in; /* first cell */
    void *out;
    ptrdiff_t in_pitch, out_pitch; /* cells from a row to the next */
    ptrdiff_t in_plane;            /* cells from a plane to the next; only read by `seven` */
    int64_t rows, columns;
    double source; /* added to every cell */
    bool stream;   /* write past the caches */
} heat_sheet;

typedef struct {
    /* A quarter of ((above + below) + (left + right)). */
    void (*five[HEAT_TYPES])(const heat_sheet *sheet);
    /* A quarter of the cell and an eighth of ((above + below) + (left + right)) + (the cell of the
     * plane before + that of the plane behind). */
    void (*seven[HEAT_TYPES])(const heat_sheet *sheet);
    /* Cells that have changed by more than `least`, from `in` to `out`; those that are or were no
     * numbers count. */
    int64_t (*moved[HEAT_TYPES])(const heat_sheet *sheet, double least);
} heat_row_ops;

extern const heat_row_ops heat_row_ops_avx512, heat_row_ops_avx2, heat_row_ops_plain;

/* Tables of heat_row_ops. */
extern const halo_isa_variant heat_row_variants[];

#endif
