#ifndef HALOBEAT_IO_NPY_H
#define HALOBEAT_IO_NPY_H

#include "core/memory.h"
#include "core/world.h"
#include "core/rows.h"

/* NumPy's array files, version 1.0: numpy.load(path, mmap_mode="r") opens them. */

/* Sample types, the `descr` NumPy gives them in the machine's byte order, and their bytes. */
#define HALO_NPY_LIST(X) \
    X(U8, "u1", 1)       \
    X(U16, "u2", 2)      \
    X(I32, "i4", 4)      \
    X(I64, "i8", 8)      \
    X(F64, "f8", 8)

typedef enum {
#define HALO_NPY_ENUM(code, descr, bytes) HALO_NPY_##code,
    HALO_NPY_LIST(HALO_NPY_ENUM)
#undef HALO_NPY_ENUM
} halo_npy_type;

/* A two-dimensional array in C order. */
typedef struct {
    int64_t width;  /* samples a row, 0 or more */
    int64_t height; /* rows, 0 or more */
    halo_npy_type type;
} halo_npy_header;

/* Local. Bytes of a row; rows follow each other without padding. */
size_t halo_npy_row_bytes(const halo_npy_header *header);

/* Local. Append what stands before the samples: a multiple of 64 bytes. HALO_ARGUMENT for an array
 * that is too large to address, HALO_MEMORY. */
halo_status halo_npy_begin(halo_buffer *out, const halo_npy_header *header);

/* Collective. Write an array that lies in row strips to the file `path`: rank r brings rows cuts[r]
 * to cuts[r + 1] - 1, asked for through `rows` about 4 MiB at a time; `cuts` has ranks + 1 entries
 * from 0 to the height, empty strips allowed. All arguments but `rows` are the same on all ranks.
 * The file has the same bytes for every number of ranks, and appears under its name only when it
 * is whole. All ranks return the same status: HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_MPI, or
 * what a rank's `fill` returned. */
halo_status halo_npy_write(halo_world *world, const char *path, const halo_npy_header *header,
                           const int64_t *cuts, const halo_rows *rows);

#endif
