#ifndef HALOBEAT_CLI_RUN_CELLS_H
#define HALOBEAT_CLI_RUN_CELLS_H

#include "core/kernel.h"
#include "io/npy.h"

/* What the cells of a kernel's field are to files and pictures. All local. */

/* The type of array that holds them, and how many samples a cell is: 1, or its bytes where NumPy
 * has no such type. Bits are bytes of 0 and 1. */
halo_npy_type run_cells_npy(const halo_kernel *kernel, int field, int *samples);

/* Bits, the lowest first, as bytes of 0 and 1. */
void run_cells_spread(const void *bits, int64_t count, unsigned char *out);

#endif
