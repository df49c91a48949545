#include "io/array/format.h"

/* NumPy's array file, which holds everything that halo_npy_header describes. */

static halo_status put_head(halo_buffer *out, const halo_array_file *file, int64_t stream)
{
    (void)stream;
    return halo_npy_begin(out, file->header);
}

const halo_array_format halo_array_format_npy = {
    .name = "NumPy",
    .types = {[HALO_ARRAY_LINE] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_IMAGE] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_VOLUME] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_COLOURS] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_PIXELS] = HALO_ARRAY_ALL_TYPES},
    .signed_labels = true,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write},
    .head = put_head};
