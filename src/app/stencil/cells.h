#ifndef HALOBEAT_APP_STENCIL_CELLS_H
#define HALOBEAT_APP_STENCIL_CELLS_H

#include "base/sample.h"
#include "core/beat/kernel.h"

/* Types of the cells of a kernel's fields, for files and pictures. All local. */

/* Cells that are no numbers, of which only the bytes are known. */
#define STENCIL_BYTES HALO_SAMPLE_TYPES

/* Returns the number of fields of a kernel. */
int stencil_cells_fields(const halo_kernel *kernel);

/* The type of the cells of a field; or STENCIL_BYTES. */
halo_sample_type stencil_cells_type(const halo_kernel *kernel, int field);

/* The type of array that holds them, and how many samples a cell is: 1, or its bytes where NumPy
 * has no such type. Bits are bytes of 0 and 1. */
halo_sample_type stencil_cells_npy(const halo_kernel *kernel, int field, int *samples);

#endif
