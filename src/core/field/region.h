#ifndef HALOBEAT_CORE_FIELD_REGION_H
#define HALOBEAT_CORE_FIELD_REGION_H

#include "core/field/field.h"

#include <stddef.h>
#include <stdint.h>

/* Cells of a box as they lie in memory: runs of bytes at regular distances. */
typedef struct {
    char *start;         /* of the first run */
    size_t run;          /* bytes without a gap */
    int64_t n[2];        /* runs, slowest first */
    ptrdiff_t stride[2]; /* bytes from one run to the next */
} halo_region;

/* Local. The cells of `box` (local indices, halo cells allowed). What is whole on the faster axes,
 * their halos included, is one run, padding between rows included: parts beside each other have the
 * same rows. Rows of bits are whole in any case. */
halo_region halo_region_of(const halo_field *field, const halo_box *box);

/* Local. */
size_t halo_region_bytes(const halo_region *region);
bool halo_region_is_contiguous(const halo_region *region);

/* Local. Copy its bytes, run after run, to `out` or from `in`. */
void halo_region_pack(const halo_region *region, void *out);
void halo_region_unpack(const halo_region *region, const void *in);

/* Local. Copy the bytes of a region of the same runs. */
void halo_region_copy(const halo_region *to, const halo_region *from);

#endif
