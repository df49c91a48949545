#include "io/array/format.h"

/* Nothing but samples: the program that reads them must be given their shape and type. */

const halo_array_format halo_array_format_raw = {
    .name = "raw samples",
    .types = {[HALO_ARRAY_LINE] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_IMAGE] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_VOLUME] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_COLOURS] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_PIXELS] = HALO_ARRAY_ALL_TYPES},
    .unread = true,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write}};
