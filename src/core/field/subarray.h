#ifndef HALOBEAT_CORE_FIELD_SUBARRAY_H
#define HALOBEAT_CORE_FIELD_SUBARRAY_H

#include "core/field/field.h"

#include <stddef.h>
#include <stdint.h>

/* A strided subarray: the cells of a box as they lie in memory, rows of bytes at regular distances,
 * as MPI_Type_create_hvector has them. */
typedef struct {
    char *start;         /* of the first row */
    size_t row_bytes;    /* without a gap */
    int64_t n[2];        /* rows, slowest axis first */
    ptrdiff_t stride[2]; /* bytes from one row to the next */
} halo_subarray;

/* Local. The cells of `box` (local indices, halo cells allowed). What is whole on the faster axes,
 * their halos included, is one row, padding between the field's rows included: parts beside each
 * other have the same rows. Rows of bits are whole in any case. */
halo_subarray halo_subarray_of(const halo_field *field, const halo_box *box);

/* Local. Bytes of all rows together; do they lie in memory without a gap? */
size_t halo_subarray_bytes(const halo_subarray *subarray);
bool halo_subarray_is_contiguous(const halo_subarray *subarray);

/* Local. Copy its bytes, row after row, to `out` or from `in`. */
void halo_subarray_pack(const halo_subarray *subarray, void *out);
void halo_subarray_unpack(const halo_subarray *subarray, const void *in);

/* Local. Copy the bytes of a subarray of the same shape. */
void halo_subarray_copy(const halo_subarray *to, const halo_subarray *from);

#endif
