#ifndef HALOBEAT_HEAT_ROW_OPS_H
#define HALOBEAT_HEAT_ROW_OPS_H

#include "base/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The inner loops of heat, compiled from one source for each ISA. All give the same bytes: sums
 * have a fixed order, and each operation is rounded. Internal to the kernel. */

/* Type of cells. */
typedef enum { HEAT_DOUBLE, HEAT_FLOAT, HEAT_TYPES } heat_type;

/* A sheet of cells: rows of a grid, or of one plane of it. */
typedef struct {
    const void *in; /* first cell */
    void *out;
    ptrdiff_t in_pitch, out_pitch; /* cells from row to row */
    ptrdiff_t in_plane;            /* cells from plane to plane; read by `seven` only */
    int64_t rows, columns;
    double source; /* added to every cell */
    bool stream;   /* use streaming stores */
} heat_sheet;

typedef struct {
    /* A quarter of ((above + below) + (left + right)). */
    void (*five[HEAT_TYPES])(const heat_sheet *sheet);
    /* A quarter of the cell and an eighth of ((above + below) + (left + right)) + (the cell in the
     * plane before + the one in the plane after). */
    void (*seven[HEAT_TYPES])(const heat_sheet *sheet);
    /* The number of cells that have changed by more than `least` from `in` to `out`, including
     * those that are or were NaN. */
    int64_t (*moved[HEAT_TYPES])(const heat_sheet *sheet, double least);
} heat_row_ops;

extern const heat_row_ops heat_row_ops_avx512, heat_row_ops_avx2, heat_row_ops_plain;

/* The variants of heat_row_ops. */
extern const halo_isa_variant heat_row_variants[];

#endif
