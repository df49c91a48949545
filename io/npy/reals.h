#ifndef HALOBEAT_IO_NPY_REALS_H
#define HALOBEAT_IO_NPY_REALS_H

#include "io/npy/npy.h"

/* Arrays of one to three axes and any type, read a chunk of rows at a time as numbers of double
 * precision: of whole numbers those beyond 2^53 are rounded, and of truth values any true one is 1.
 * All functions are local. */
typedef struct halo_npy_reals halo_npy_reals;

/* Open the file `path`, packed by gzip or not, and read its header. `twice`: it can be rewound.
 * HALO_FILE; HALO_FORMAT for what
 * is no such array or has no sample; HALO_MEMORY; each names the path. */
halo_status halo_npy_reals_open(halo_npy_reals **out, const char *path, bool twice);

/* Valid until it is closed. */
const halo_npy_header *halo_npy_reals_header(const halo_npy_reals *reader);

/* The next `rows` rows; row i goes to (char *)out + i * pitch. HALO_FILE, and HALO_FORMAT, with the
 * number of rows that could be read, for a file that is cut off. */
halo_status halo_npy_reals_rows(halo_npy_reals *reader, int64_t rows, double *out, size_t pitch);

/* Back to the first row. HALO_FILE. */
halo_status halo_npy_reals_rewind(halo_npy_reals *reader);

/* Accepts a pointer to NULL. */
void halo_npy_reals_close(halo_npy_reals **reader);

#endif
