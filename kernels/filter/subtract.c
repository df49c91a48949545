#include "kernels/filter/subtract.h"

#include "kernels/filter/bits.h"

/* Differences of rows. */

#define SUBTRACT(code, c_type)                                                          \
    static void subtract_##code(const void *a, const void *b, int64_t width, void *out) \
    {                                                                                   \
        const c_type *from = a, *less = b;                                              \
        c_type *to = out;                                                               \
        for (int64_t i = 0; i < width; i++) {                                           \
            to[i] = (c_type)(from[i] - less[i]);                                        \
        }                                                                               \
    }
SUBTRACT(U8, uint8_t)
SUBTRACT(U16, uint16_t)
SUBTRACT(U32, uint32_t)
SUBTRACT(U64, uint64_t)
SUBTRACT(F32, float)
SUBTRACT(F64, double)

static void subtract_bits(const void *a, const void *b, int64_t width, void *out)
{
    const uint64_t *from = a, *less = b;
    uint64_t *to = out;
    for (int64_t i = 0; i < (width + FILTER_WORD - 1) / FILTER_WORD; i++) {
        to[i] = from[i] & ~less[i];
    }
    to[width / FILTER_WORD - (width % FILTER_WORD == 0)] &= filter_last_bits(width);
}

/* Differences of signed numbers have the bits of those of unsigned ones. */
void filter_subtract_row(halo_sample_type type, const void *a, const void *b, int64_t width,
                         void *out)
{
    static void (*const by_type[HALO_SAMPLE_TYPES])(const void *, const void *, int64_t, void *) = {
        [HALO_SAMPLE_BIT] = subtract_bits, [HALO_SAMPLE_U8] = subtract_U8,
        [HALO_SAMPLE_I8] = subtract_U8,    [HALO_SAMPLE_U16] = subtract_U16,
        [HALO_SAMPLE_I16] = subtract_U16,  [HALO_SAMPLE_U32] = subtract_U32,
        [HALO_SAMPLE_I32] = subtract_U32,  [HALO_SAMPLE_U64] = subtract_U64,
        [HALO_SAMPLE_I64] = subtract_U64,  [HALO_SAMPLE_F32] = subtract_F32,
        [HALO_SAMPLE_F64] = subtract_F64};
    by_type[type](a, b, width, out);
}
