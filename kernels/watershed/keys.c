#include "kernels/watershed/watershed_internal.h"

#include <math.h>
#include <string.h>

/* Samples as unsigned numbers of their size, in their order. */

int watershed_key_bytes(halo_sample_type type)
{
    return (int)halo_sample_types[type].stored;
}

/* ---- keys of samples ------------------------------------------------------------------------- */

/* The sign is inverted; bits of negative reals have the opposite order. Both zeroes are equal. */
#define UNSIGNED_KEY(value, bits, high) ((bits)(value))
#define SIGNED_KEY(value, bits, high)   ((bits)((bits)(value) ^ (high)))
#define KEY_ROW(code, type, bits, high, key_of)                               \
    static bool row_of_##code(const void *samples, int64_t count, void *keys) \
    {                                                                         \
        const type *from = samples;                                           \
        bits *to = keys;                                                      \
        for (int64_t x = 0; x < count; x++) {                                 \
            to[x] = key_of(from[x], bits, high);                              \
        }                                                                     \
        return true;                                                          \
    }
#define REAL_ROW(code, type, bits, high)                                      \
    static bool row_of_##code(const void *samples, int64_t count, void *keys) \
    {                                                                         \
        const type *from = samples;                                           \
        bits *to = keys;                                                      \
        bool is_number = true;                                                \
        for (int64_t x = 0; x < count; x++) {                                 \
            type value = from[x] + 0;                                         \
            bits key;                                                         \
            memcpy(&key, &value, sizeof key);                                 \
            to[x] = (key & (high)) != 0 ? ~key : key | (high);                \
            is_number &= value <= (type)INFINITY;                             \
        }                                                                     \
        return is_number;                                                     \
    }
#define HIGH_8  UINT8_C(0x80)
#define HIGH_16 UINT16_C(0x8000)
#define HIGH_32 UINT32_C(0x80000000)
#define HIGH_64 UINT64_C(0x8000000000000000)
KEY_ROW(U8, uint8_t, uint8_t, HIGH_8, UNSIGNED_KEY)
KEY_ROW(I8, int8_t, uint8_t, HIGH_8, SIGNED_KEY)
KEY_ROW(U16, uint16_t, uint16_t, HIGH_16, UNSIGNED_KEY)
KEY_ROW(I16, int16_t, uint16_t, HIGH_16, SIGNED_KEY)
KEY_ROW(U32, uint32_t, uint32_t, HIGH_32, UNSIGNED_KEY)
KEY_ROW(I32, int32_t, uint32_t, HIGH_32, SIGNED_KEY)
KEY_ROW(U64, uint64_t, uint64_t, HIGH_64, UNSIGNED_KEY)
KEY_ROW(I64, int64_t, uint64_t, HIGH_64, SIGNED_KEY)
REAL_ROW(F32, float, uint32_t, HIGH_32)
REAL_ROW(F64, double, uint64_t, HIGH_64)

halo_status watershed_keys(halo_sample_type type, const void *samples, int64_t count, void *keys)
{
    static bool (*const rows[HALO_SAMPLE_TYPES])(const void *, int64_t,
                                                 void *) = {[HALO_SAMPLE_BIT] = row_of_U8,
#define KEY_ENTRY(code, ...) [HALO_SAMPLE_##code] = row_of_##code,
                                                            HALO_SAMPLE_VALUE_LIST(KEY_ENTRY)
#undef KEY_ENTRY
    };
    return HALO_REQUIRE(rows[type](samples, count, keys), HALO_ARGUMENT,
                        "the image has NaN, which is neither lower nor higher than other samples; "
                        "replace it, or leave it out by a mask");
}

/* ---- samples of keys ------------------------------------------------------------------------- */

#define FLIP(bits, high)                   \
    for (int64_t x = 0; x < count; x++) {  \
        ((bits *)keys)[x] ^= (bits)(high); \
    }
#define UNFOLD(bits, high)                                      \
    for (int64_t x = 0; x < count; x++) {                       \
        bits key = ((bits *)keys)[x];                           \
        ((bits *)keys)[x] = key & (high) ? key ^ (high) : ~key; \
    }

void watershed_samples(halo_sample_type type, int64_t count, void *keys)
{
    switch (type) {
    case HALO_SAMPLE_I8:
        FLIP(uint8_t, HIGH_8)
        break;
    case HALO_SAMPLE_I16:
        FLIP(uint16_t, HIGH_16)
        break;
    case HALO_SAMPLE_I32:
        FLIP(uint32_t, HIGH_32)
        break;
    case HALO_SAMPLE_I64:
        FLIP(uint64_t, HIGH_64)
        break;
    case HALO_SAMPLE_F32:
        UNFOLD(uint32_t, HIGH_32)
        break;
    case HALO_SAMPLE_F64:
        UNFOLD(uint64_t, HIGH_64)
        break;
    default:
        break;
    }
}

/* ---- samples that are larger ----------------------------------------------------------------- */

/* Keys of whole numbers are as far apart as these. */
#define RAISE_WHOLE(bits)                                                                  \
    static void raise_##bits(double height, const void *keys, int64_t count, void *raised) \
    {                                                                                      \
        const uint##bits##_t *from = keys;                                                 \
        uint##bits##_t *to = raised, all = (uint##bits##_t) - 1;                           \
        uint##bits##_t more = height < (double)all ? (uint##bits##_t)height : all;         \
        for (int64_t x = 0; x < count; x++) {                                              \
            uint##bits##_t sum = (uint##bits##_t)(from[x] + more);                         \
            to[x] = sum < more ? all : sum;                                                \
        }                                                                                  \
    }
RAISE_WHOLE(8)
RAISE_WHOLE(16)
RAISE_WHOLE(32)
RAISE_WHOLE(64)

#define RAISE_REAL(name, type, bits, high)                                         \
    static void name(double height, const void *keys, int64_t count, void *raised) \
    {                                                                              \
        const bits *from = keys;                                                   \
        bits *to = raised;                                                         \
        for (int64_t x = 0; x < count; x++) {                                      \
            bits key = (from[x] & (high)) != 0 ? from[x] ^ (high) : ~from[x];      \
            type value;                                                            \
            memcpy(&value, &key, sizeof value);                                    \
            value = (type)((double)value + height) + 0;                            \
            memcpy(&key, &value, sizeof key);                                      \
            to[x] = (key & (high)) != 0 ? ~key : key | (high);                     \
        }                                                                          \
    }
RAISE_REAL(raise_float, float, uint32_t, HIGH_32)
RAISE_REAL(raise_double, double, uint64_t, HIGH_64)

void watershed_raise(halo_sample_type type, double height, const void *keys, int64_t count,
                     void *raised)
{
    if (halo_sample_types[type].real) {
        (type == HALO_SAMPLE_F32 ? raise_float : raise_double)(height, keys, count, raised);
        return;
    }
    switch (watershed_key_bytes(type)) {
    case sizeof(uint8_t):
        raise_8(height, keys, count, raised);
        break;
    case sizeof(uint16_t):
        raise_16(height, keys, count, raised);
        break;
    case sizeof(uint32_t):
        raise_32(height, keys, count, raised);
        break;
    default:
        raise_64(height, keys, count, raised);
    }
}

/* ---- markers --------------------------------------------------------------------------------- */

/* Numbers below 0 are large ones without a sign. */
#define DEFINE_TAKE(code, c_type, wide)                                          \
    static bool take_##code(const void *samples, int64_t count, int32_t *labels) \
    {                                                                            \
        const c_type *from = samples;                                            \
        wide all = 0;                                                            \
        for (int64_t x = 0; x < count; x++) {                                    \
            wide value = (wide)from[x];                                          \
            all = all | value;                                                   \
            labels[x] = (int32_t)value;                                          \
        }                                                                        \
        return all <= INT32_MAX;                                                 \
    }
DEFINE_TAKE(U8, uint8_t, uint32_t)
DEFINE_TAKE(I8, int8_t, uint32_t)
DEFINE_TAKE(U16, uint16_t, uint32_t)
DEFINE_TAKE(I16, int16_t, uint32_t)
DEFINE_TAKE(U32, uint32_t, uint32_t)
DEFINE_TAKE(I32, int32_t, uint32_t)
DEFINE_TAKE(U64, uint64_t, uint64_t)
DEFINE_TAKE(I64, int64_t, uint64_t)

static bool take_reals(halo_sample_type type, const void *samples, int64_t count, int32_t *labels)
{
    bool are = halo_sample_to_whole(type, samples, count, HALO_SAMPLE_I32, labels) == count;
    for (int64_t x = 0; x < count && are; x++) {
        are = labels[x] >= 0;
    }
    return are;
}

bool watershed_take_markers(halo_sample_type type, const void *samples, int64_t count,
                            int32_t *labels)
{
    static bool (*const takes[HALO_SAMPLE_TYPES])(const void *, int64_t,
                                                  int32_t *) = {[HALO_SAMPLE_BIT] = take_U8,
#define TAKE_ENTRY(code, ...) [HALO_SAMPLE_##code] = take_##code,
                                                                HALO_SAMPLE_WHOLE_LIST(TAKE_ENTRY)
#undef TAKE_ENTRY
    };
    return takes[type] != NULL ? takes[type](samples, count, labels)
                               : take_reals(type, samples, count, labels);
}
