#ifndef HALOBEAT_APP_STENCIL_CELLS_H
#define HALOBEAT_APP_STENCIL_CELLS_H

#include "core/beat/kernel.h"
#include "io/npy/npy.h"

/* Types of the cells of a kernel's fields, for files and pictures. All local. */

/* Returns the number of fields of a kernel. */
int stencil_cells_fields(const halo_kernel *kernel);

/* The type of array that holds them, and how many samples a cell is: 1, or its bytes where NumPy
 * has no such type. Bits are bytes of 0 and 1. */
halo_sample_type stencil_cells_npy(const halo_kernel *kernel, int field, int *samples);

/* NumPy's name of the type of the cells, "float64"; NULL where it has none. */
const char *stencil_cells_name(const halo_kernel *kernel, int field);

/* Bits, the lowest first, as bytes of 0 and 1, and back: from bytes that are not 0. */
void stencil_cells_bytes_of_bits(const void *bits, int64_t count, unsigned char *out);
void stencil_cells_bits_of_bytes(const unsigned char *bytes, int64_t count, void *bits);

bool stencil_cells_are_numbers(const halo_kernel *kernel, int field);

/* Cells `first` to `first + count - 1` of a line as numbers. False for cells that are none. */
bool stencil_cells_numbers(const halo_kernel *kernel, int field, const void *line, int64_t first,
                           int64_t count, double *out);

#endif
