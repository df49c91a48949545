/* The loops over a row of values, compiled once for each ISA (halobeat_isa_body). They are plain C
 * that the compiler turns into vectors. No include guard on purpose. */

#include "kernels/label/value_ops.h"

#include <math.h>

/* Eight bytes that are 0 or 1 become eight bits; the multiplication brings byte i to bit 56 + i. */
static inline uint64_t pack_bytes(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight = 0;
        for (int j = 0; j < 8; j++) {
            eight |= (uint64_t)bytes[i + j] << 8 * j;
        }
        word |= (eight * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return word;
}

/* bits[x] = `condition`, which may use x. */
#define TO_BITS(width, bits, condition)                          \
    for (int64_t at = 0; at < (width); at += 64) {               \
        int64_t count = (width)-at < 64 ? (width)-at : 64;       \
        uint8_t flags[64] = {0};                                 \
        if (count == 64) { /* a count that the compiler knows */ \
            for (int64_t i = 0; i < 64; i++) {                   \
                int64_t x = at + i;                              \
                flags[i] = (condition);                          \
            }                                                    \
        } else {                                                 \
            for (int64_t i = 0; i < count; i++) {                \
                int64_t x = at + i;                              \
                flags[i] = (condition);                          \
            }                                                    \
        }                                                        \
        (bits)[at / 64] = pack_bytes(flags);                     \
    }

#define LIT_UNSIGNED(value) ((value) != 0)
#define LIT_SIGNED(value)   ((value) != 0)
#define LIT_REAL(value)     ((value) < 0 || (value) > 0)

/* Whole numbers are subtracted as unsigned ones of 64 bits, which is exact for the difference of a
 * greater one and a smaller one, also of signed ones. */
#define CLOSE_UNSIGNED(a, b, delta) \
    (((a) > (b) ? (uint64_t)(a) - (uint64_t)(b) : (uint64_t)(b) - (uint64_t)(a)) <= (delta)->whole)
#define CLOSE_SIGNED(a, b, delta) CLOSE_UNSIGNED(a, b, delta)
#define CLOSE_REAL(a, b, delta)   (fabs((double)(a) - (double)(b)) <= (delta)->real)

#define VALUE_LOOPS(code, type, kind)                                            \
    static void lit_##code(const void *values, int64_t width, uint64_t *bits)    \
    {                                                                            \
        const type *v = values;                                                  \
        TO_BITS(width, bits, LIT_##kind(v[x]))                                   \
    }                                                                            \
    static void close_##code(const void *a, const void *b, int64_t width,        \
                             const label_delta *delta, uint64_t *bits)           \
    {                                                                            \
        const label_delta limit = *delta;                                        \
        const type *first = a, *second = b;                                      \
        TO_BITS(width, bits, CLOSE_##kind(first[x], second[x], &limit))          \
    }                                                                            \
    static void equal_##code(const void *a, const void *b, int64_t width,        \
                             const label_delta *delta, uint64_t *bits)           \
    {                                                                            \
        (void)delta;                                                             \
        const type *first = a, *second = b;                                      \
        TO_BITS(width, bits, !(first[x] < second[x]) && !(first[x] > second[x])) \
    }
HALO_LABEL_VALUE_LIST(VALUE_LOOPS)
#undef VALUE_LOOPS

/* `value` follows the run that we are in. */
#define FILL(name, type)                                                          \
    static void name(const uint64_t *bits, const uint64_t *begins, int64_t width, \
                     const type *values, type *out)                               \
    {                                                                             \
        const type *value = values - 1;                                           \
        for (int64_t x = 0; x < width; x += 64) {                                 \
            uint64_t word = bits[x / 64], begun = begins[x / 64];                 \
            int64_t n = width - x < 64 ? width - x : 64;                          \
            if (begun == 0 && (word == 0 || word == UINT64_MAX)) {                \
                type same = (type)(word == 0 ? 0 : *value);                       \
                for (int64_t i = 0; i < n; i++) {                                 \
                    out[x + i] = same;                                            \
                }                                                                 \
                continue;                                                         \
            }                                                                     \
            for (int64_t i = 0; i < n; i++) {                                     \
                value += begun >> i & 1;                                          \
                out[x + i] = (type)(*value & (type) - (type)(word >> i & 1));     \
            }                                                                     \
        }                                                                         \
    }
FILL(fill8, uint8_t)
FILL(fill16, uint16_t)
FILL(fill32, int32_t)
FILL(fill64, int64_t)
#undef FILL

const label_value_ops HALO_ISA_OPS(label_value_ops) = {
#define LIT_ENTRY(code, type, kind)   [HALO_LABEL_VALUE_##code] = lit_##code,
#define CLOSE_ENTRY(code, type, kind) [HALO_LABEL_VALUE_##code] = close_##code,
#define EQUAL_ENTRY(code, type, kind) [HALO_LABEL_VALUE_##code] = equal_##code,
    .lit = {HALO_LABEL_VALUE_LIST(LIT_ENTRY)},
    .close = {HALO_LABEL_VALUE_LIST(CLOSE_ENTRY)},
    .equal = {HALO_LABEL_VALUE_LIST(EQUAL_ENTRY)},
#undef LIT_ENTRY
#undef CLOSE_ENTRY
#undef EQUAL_ENTRY
    .fill8 = fill8,
    .fill16 = fill16,
    .fill32 = fill32,
    .fill64 = fill64};
