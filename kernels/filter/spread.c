#include "kernels/filter/spread.h"

#include "kernels/filter/bits.h"

/* Bits become black and white as scikit-image's img_as_ubyte, img_as_uint and img_as_float make
 * them. */

/* The bytes become wider from the last one on, since both are in the same row. */
#define WIDEN(type, white)                              \
    for (int64_t x = width - 1; x >= 0; x--) {          \
        ((type *)out)[x] = bytes[x] != 0 ? (white) : 0; \
    }

static void spread_row(halo_sample_type type, const void *words, int64_t width, void *out)
{
    const unsigned char *bytes = out;
    filter_unpack_bits(words, width, out);
    switch (type) {
    case HALO_SAMPLE_U16:
        WIDEN(uint16_t, UINT16_MAX)
        break;
    case HALO_SAMPLE_F32:
        WIDEN(float, 1)
        break;
    case HALO_SAMPLE_F64:
        WIDEN(double, 1)
        break;
    default:
        WIDEN(uint8_t, UINT8_MAX)
    }
}

static void spread_rows(const filter_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        spread_row(tile->part->out, tile->in[i], tile->width, tile->out[i]);
    }
}

halo_sample_type filter_spread_type(halo_sample_type out)
{
    return halo_sample_types[out].real || out == HALO_SAMPLE_U16 ? out : HALO_SAMPLE_U8;
}

filter_part filter_spread_part(const filter_step *step, halo_sample_type to)
{
    return (filter_part){
        .rows = spread_rows, .in = HALO_SAMPLE_BIT, .out = to, .index = -1, .step = step};
}
