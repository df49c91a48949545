#ifndef HALOBEAT_BASE_SAMPLE_H
#define HALOBEAT_BASE_SAMPLE_H

#include "base/number.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Samples of images and volumes: one table of their types, which formats, commands and kernels
 * share. Everything is local. */

/* X(code, type, kind, range, name, NumPy's code, minimum, maximum), of whole numbers and of reals:
 * name as in messages; kind is UNSIGNED, SIGNED or REAL, range GREY or WIDE; extremes of reals are
 * finite. Greys go from black, 0, to a maximum known before any of them is read. Floats of 16 bits
 * become F32 when they are read, which holds them exactly. */
#define HALO_SAMPLE_WHOLE_LIST(X)                                      \
    X(U8, uint8_t, UNSIGNED, GREY, "uint8", "u1", 0, UINT8_MAX)        \
    X(I8, int8_t, SIGNED, WIDE, "int8", "i1", INT8_MIN, INT8_MAX)      \
    X(U16, uint16_t, UNSIGNED, GREY, "uint16", "u2", 0, UINT16_MAX)    \
    X(I16, int16_t, SIGNED, WIDE, "int16", "i2", INT16_MIN, INT16_MAX) \
    X(U32, uint32_t, UNSIGNED, WIDE, "uint32", "u4", 0, UINT32_MAX)    \
    X(I32, int32_t, SIGNED, WIDE, "int32", "i4", INT32_MIN, INT32_MAX) \
    X(U64, uint64_t, UNSIGNED, WIDE, "uint64", "u8", 0, UINT64_MAX)    \
    X(I64, int64_t, SIGNED, WIDE, "int64", "i8", INT64_MIN, INT64_MAX)
#define HALO_SAMPLE_REAL_LIST(X)                                  \
    X(F32, float, REAL, WIDE, "float32", "f4", -FLT_MAX, FLT_MAX) \
    X(F64, double, REAL, WIDE, "float64", "f8", -DBL_MAX, DBL_MAX)
#define HALO_SAMPLE_VALUE_LIST(X) HALO_SAMPLE_WHOLE_LIST(X) HALO_SAMPLE_REAL_LIST(X)

/* All types. Bits are kept as 64-bit words: pixel x is bit x % 64 of word x / 64, bits past the
 * width are 0. */
#define HALO_SAMPLE_TYPE_LIST(X) \
    X(BIT, uint64_t, BIT, GREY, "bit", "b1", 0, 1) HALO_SAMPLE_VALUE_LIST(X)

typedef enum {
#define HALO_SAMPLE_TYPE_ENUM(code, ...) HALO_SAMPLE_##code,
    HALO_SAMPLE_TYPE_LIST(HALO_SAMPLE_TYPE_ENUM)
#undef HALO_SAMPLE_TYPE_ENUM
        HALO_SAMPLE_TYPES
} halo_sample_type;

typedef struct {
    const char *name;
    const char *numpy;        /* NumPy's code, without byte order */
    size_t bytes;             /* per sample; 0: a bit */
    size_t stored;            /* the same in files of arrays, where a bit takes a byte */
    bool real, grey;          /* of kind REAL; of range GREY */
    int64_t key_min, key_max; /* keys of the minimum and the maximum; of reals, of infinities */
} halo_sample_type_entry;

/* By type. A pointer, so that programs do not have the table's size in them: it may get rows. */
extern const halo_sample_type_entry *const halo_sample_types;

/* Finds the type with this name or NumPy code (without byte order). Returns false if there is none.
 */
bool halo_sample_find_type(const char *name, halo_sample_type *type);

/* Converts samples `first` to `first + count - 1` of a row to doubles, which hold whole numbers up
 * to 2^53 exactly. */
void halo_sample_to_doubles(halo_sample_type type, const void *row, int64_t first, int64_t count,
                            double *out);

/* True if the type has this value, which is then written to `out`, [halo_sample_bytes]. Of a float
 * the nearest value is meant. */
bool halo_sample_put(halo_sample_type type, const halo_number *value, void *out);

/* ---- keys ------------------------------------------------------------------------------------ */

/* A key is a 64-bit integer that stands for a value. Keys have the order of the values, for all
 * types, and lose nothing: whole numbers above 2^53 are compared exactly. Those of whole numbers
 * are as far apart as the values. */

/* The value of a key: for integers (of U64 the bits of the unsigned one), and for reals. */
int64_t halo_sample_whole(halo_sample_type type, int64_t key);
double halo_sample_real(halo_sample_type type, int64_t key);

/* The same as a number; and as a sample of the type, written to `out` (of BIT, a byte of 0 or 1).
 */
halo_number halo_sample_number(halo_sample_type type, int64_t key);
void halo_sample_of_key(halo_sample_type type, int64_t key, void *out);

/* The key of the minimum sample of the type that is at least `value`, and of the maximum one that
 * is at most `value`. False for a value outside the type's range in that direction. */
bool halo_sample_key_from(halo_sample_type type, const halo_number *value, int64_t *key);
bool halo_sample_key_to(halo_sample_type type, const halo_number *value, int64_t *key);

/* The key of a real. The bits of negative numbers have the opposite order. Both zeroes are equal,
 * and have one key. */
static inline int64_t halo_sample_key_of_real(double value)
{
    int64_t bits;
    value += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

/* The key of the sample that lies at `at`. */
static inline int64_t halo_sample_key(halo_sample_type type, const void *at)
{
#define HALO_KEY_UNSIGNED(value)                                                         \
    (sizeof(value) == sizeof(int64_t) ? (int64_t)((uint64_t)(value) ^ UINT64_C(1) << 63) \
                                      : (int64_t)(value))
#define HALO_KEY_SIGNED(value) (int64_t)(value)
#define HALO_KEY_REAL(value)   halo_sample_key_of_real((double)(value))
    switch (type) {
#define HALO_KEY_CASE(code, c_type, kind, ...) \
    case HALO_SAMPLE_##code: {                 \
        c_type value;                          \
        memcpy(&value, at, sizeof value);      \
        return HALO_KEY_##kind(value);         \
    }
        HALO_SAMPLE_VALUE_LIST(HALO_KEY_CASE)
#undef HALO_KEY_CASE
    default:
        return 0;
    }
#undef HALO_KEY_UNSIGNED
#undef HALO_KEY_SIGNED
#undef HALO_KEY_REAL
}

/* The key of sample `i` of a row, which may also have bits. */
int64_t halo_sample_key_of(halo_sample_type type, const void *row, int64_t i);

/* Converts samples of a row to whole numbers of another type, or to bits, which are 0 only for 0.
 * Returns the number of the first sample that the type does not have, or `count`. */
int64_t halo_sample_to_whole(halo_sample_type type, const void *row, int64_t count,
                             halo_sample_type to, void *out);

/* ---- extremes -------------------------------------------------------------------------------- */

/* Extremes of samples. Zero-initialise it, except for the type: no samples. */
typedef struct {
    halo_sample_type type;
    int64_t finite, nans; /* number of finite samples, and of NaN */
    int64_t min, max;     /* keys of the finite samples; undefined if there are none */
} halo_sample_extremes;

/* Those of greys, which are known before any of them is read: a type of greys. */
static inline halo_sample_extremes halo_sample_type_extremes(halo_sample_type type)
{
    halo_sample_extremes extremes = {type, 1, 0, 0, halo_sample_types[type].key_max};
    return extremes;
}

/* The key at `percent` of the way from the minimum finite sample to the maximum, which must exist.
 * It is exact where that is a sample of the type and `percent` a whole number; between two samples
 * of the type the larger one, or with `down` the smaller one. */
int64_t halo_sample_key_at(const halo_sample_extremes *extremes, double percent, bool down);

/* How far apart the extremes of whole numbers are. */
static inline uint64_t halo_sample_span(const halo_sample_extremes *extremes)
{
    return (uint64_t)extremes->max - (uint64_t)extremes->min;
}

#endif
