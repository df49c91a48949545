#ifndef HALOBEAT_HEAT_ROW_OPS_H
#define HALOBEAT_HEAT_ROW_OPS_H

#include "base/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The inner loops of heat, compiled from one source for each ISA. All give the same
 * bytes: sums are in one order everywhere, and each operation is rounded. Internal to the kernel.
 */

/* A sheet of cells: rows of a grid, or of one plane of it. */
typedef struct {
    const double *in; /* first cell */
    double *out;
    ptrdiff_t in_pitch, out_pitch; /* cells from a row to the next */
    ptrdiff_t in_plane;            /* cells from a plane to the next; only read by `seven` */
    int64_t rows, columns;
    double source; /* added to every cell */
    bool stream;   /* write past the caches */
} heat_sheet;

typedef struct {
    /* A quarter of ((above + below) + (left + right)). */
    void (*five)(const heat_sheet *sheet);
    /* A quarter of the cell and an eighth of ((above + below) + (left + right)) + (the cell of the
     * plane before + that of the plane behind). */
    void (*seven)(const heat_sheet *sheet);
} heat_row_ops;

extern const heat_row_ops heat_row_ops_avx512, heat_row_ops_avx2, heat_row_ops_plain;

/* Tables of heat_row_ops. */
extern const halo_isa_variant heat_row_variants[];

#endif
