#include "io/array/format.h"

#include <inttypes.h>
#include <stdio.h>

/* The binary formats of netpbm: P5 has greys, P6 colours. A .pnm is either. */

#define OF_NETPBM (HALO_ARRAY_TYPE(U8) | HALO_ARRAY_TYPE(U16))

static halo_status put_head(halo_buffer *out, const halo_array_file *file, int64_t stream)
{
    char text[64];
    const halo_npy_header *header = file->header;
    int64_t channels = halo_array_channels(header);
    (void)stream;
    snprintf(text, sizeof text, "P%d\n%" PRId64 " %" PRId64 "\n%d\n", channels > 1 ? 6 : 5,
             halo_array_columns(header), header->height,
             header->type == HALO_SAMPLE_U8 ? UINT8_MAX : UINT16_MAX);
    return halo_array_put_text(out, text);
}

const halo_array_format halo_array_format_pgm = {
    .name = "PGM",
    .types = {[HALO_ARRAY_IMAGE] = OF_NETPBM},
    .big_endian = true,
    .picture = true,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write},
    .head = put_head};

const halo_array_format halo_array_format_ppm = {
    .name = "PPM",
    .types = {[HALO_ARRAY_COLOURS] = OF_NETPBM},
    .big_endian = true,
    .picture = true,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write},
    .head = put_head};

const halo_array_format halo_array_format_pnm = {
    .name = "PNM",
    .types = {[HALO_ARRAY_IMAGE] = OF_NETPBM, [HALO_ARRAY_COLOURS] = OF_NETPBM},
    .big_endian = true,
    .picture = true,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write},
    .head = put_head};
