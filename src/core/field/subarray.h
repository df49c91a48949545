#ifndef HALOBEAT_CORE_FIELD_SUBARRAY_H
#define HALOBEAT_CORE_FIELD_SUBARRAY_H

#include "core/field/field.h"

#include <stddef.h>
#include <stdint.h>

/* A strided subarray: the cells of a box in memory, as rows of bytes at regular distances, like
 * MPI_Type_create_hvector. */
typedef struct {
    char *start;         /* start of the first row */
    size_t row_bytes;    /* contiguous */
    int64_t n[2];        /* number of rows, slowest axis first */
    ptrdiff_t stride[2]; /* bytes from one row to the next */
} halo_subarray;

/* Local. The subarray of `box` (local indices, halo cells allowed). If the box covers the faster
 * axes including their halos, these form one row, with the padding between rows of the field; both
 * ends of a transfer then have the same rows. Rows of bits must be covered completely. */
halo_subarray halo_subarray_of(const halo_field *field, const halo_box *box);

/* Local. The bytes of all rows, and whether they are contiguous in memory. */
size_t halo_subarray_bytes(const halo_subarray *subarray);
bool halo_subarray_is_contiguous(const halo_subarray *subarray);

/* Local. Copies the rows, one after the other, to `out` or from `in`. */
void halo_subarray_pack(const halo_subarray *subarray, void *out);
void halo_subarray_unpack(const halo_subarray *subarray, const void *in);

/* Local. Copies from a subarray of the same shape. */
void halo_subarray_copy(const halo_subarray *to, const halo_subarray *from);

#endif
