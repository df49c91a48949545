#include "kernels/filter/keys.h"
#include "kernels/filter/rounding.h"

#include "kernels/filter/bits.h"
#include "kernels/filter/margins.h"

#include <string.h>

/* Samples as whole numbers of the same order, and back. */

/* The type of the keys of a type, which may be the same; those of bits are bytes. */
static halo_sample_type key_type(halo_sample_type type)
{
    switch (type) {
    case HALO_SAMPLE_BIT:
    case HALO_SAMPLE_U8:
    case HALO_SAMPLE_I8:
        return HALO_SAMPLE_U8;
    case HALO_SAMPLE_U16:
    case HALO_SAMPLE_I16:
        return HALO_SAMPLE_U16;
    case HALO_SAMPLE_U32:
    case HALO_SAMPLE_I32:
    case HALO_SAMPLE_F32:
        return HALO_SAMPLE_I32;
    default:
        return HALO_SAMPLE_I64;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Other numbers with the same bits, which have the first bit of all of them in common or not. */
#define FLIP(name, type, bit)                                         \
    static void flip_##name(const void *in, int64_t width, void *out) \
    {                                                                 \
        const type *from = in;                                        \
        type *to = out;                                               \
        for (int64_t i = 0; i < width; i++) {                         \
            to[i] = (type)(from[i] ^ (type)(bit));                    \
        }                                                             \
    }
FLIP(U8, uint8_t, 0x80)
FLIP(U16, uint16_t, 0x8000)
FLIP(U32, uint32_t, UINT32_C(1) << 31)
FLIP(U64, uint64_t, UINT64_C(1) << 63)

/* Bits of reals are a sign and a magnitude: the order of negative ones is turned. The same turns
 * keys into bits. */
#define TURN(name, type, bits, infinity, nan)                                            \
    static void keys_##name(const void *in, int64_t width, void *out)                    \
    {                                                                                    \
        const type *from = in;                                                           \
        type *to = out;                                                                  \
        for (int64_t i = 0; i < width; i++) {                                            \
            type magnitude =                                                             \
                from[i] & (type)(((type)1 << ((bits)-2)) - 1 + ((type)1 << ((bits)-2))); \
            type key = from[i] < 0 ? (type)~magnitude : magnitude;                       \
            to[i] = magnitude > (infinity) ? (type)(nan) : key;                          \
        }                                                                                \
    }                                                                                    \
    static void reals_##name(const void *in, int64_t width, void *out)                   \
    {                                                                                    \
        const type *from = in;                                                           \
        type *to = out;                                                                  \
        for (int64_t i = 0; i < width; i++) {                                            \
            type first = (type)((type)1 << ((bits)-2));                                  \
            to[i] = from[i] < 0 ? (type)(from[i] ^ (type)(first - 1 + first)) : from[i]; \
        }                                                                                \
    }
TURN(F32, int32_t, 32, 0x7f800000, 0x7fc00000)
TURN(F64, int64_t, 64, INT64_C(0x7ff0000000000000), INT64_C(0x7ff8000000000000))

static void keys_of(halo_sample_type type, const void *row, int64_t width, void *keys)
{
    switch (type) {
    case HALO_SAMPLE_BIT:
        filter_unpack_bits(row, width, keys);
        break;
    case HALO_SAMPLE_I8:
        flip_U8(row, width, keys);
        break;
    case HALO_SAMPLE_I16:
        flip_U16(row, width, keys);
        break;
    case HALO_SAMPLE_U32:
        flip_U32(row, width, keys);
        break;
    case HALO_SAMPLE_U64:
        flip_U64(row, width, keys);
        break;
    case HALO_SAMPLE_F32:
        keys_F32(row, width, keys);
        break;
    case HALO_SAMPLE_F64:
        keys_F64(row, width, keys);
        break;
    default:
        memcpy(keys, row, (size_t)width * halo_sample_types[type].bytes);
    }
}

void filter_samples_of(halo_sample_type type, const void *keys, int64_t width, void *row)
{
    switch (type) {
    case HALO_SAMPLE_BIT:
        filter_pack_bits(keys, width, row);
        break;
    case HALO_SAMPLE_F32:
        reals_F32(keys, width, row);
        break;
    case HALO_SAMPLE_F64:
        reals_F64(keys, width, row);
        break;
    default:
        keys_of(type, keys, width, row);
    }
}

filter_edge filter_key_edge(halo_sample_type type, const filter_edge *edge)
{
    filter_edge keys = *edge;
    int64_t sample = 0, key = 0;
    if (edge->mode != FILTER_CONSTANT) {
        return keys;
    }
    if (type == HALO_SAMPLE_BIT) {
        keys.cval = edge->cval != 0; /* NOLINT: the exact 0 is meant */
        return keys;
    }
    filter_round(type, &edge->cval, 1, &sample);
    keys_of(type, &sample, 1, &key);
    switch (key_type(type)) {
#define CASE(code, c_type)                  \
    case HALO_SAMPLE_##code: {              \
        c_type value;                       \
        memcpy(&value, &key, sizeof value); \
        keys.cval = (double)value;          \
        keys.whole = (int64_t)value;        \
        break;                              \
    }
        FILTER_KEY_LIST(CASE)
#undef CASE
    default:
        break;
    }
    keys.exact = true;
    return keys;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void key_rows(const filter_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        keys_of(tile->part->in, tile->in[i], tile->width, tile->out[i]);
    }
}

static void sample_rows(const filter_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        filter_samples_of(tile->part->out, tile->in[i], tile->width, tile->out[i]);
    }
}

void filter_add_keys(filter_step *step)
{
    halo_sample_type keys = key_type(step->in);
    if (keys != step->in) {
        filter_add_part(step, &(filter_part){.rows = key_rows})->out = keys;
    }
}

void filter_add_samples(filter_step *step)
{
    if (key_type(step->in) != step->in) {
        filter_add_part(step, &(filter_part){.rows = sample_rows});
    }
}
