#include "io/image/pixels.h"

#include <string.h>

/* Copies pixels of a size that the compiler knows. */
#define FOR_PIXEL_BYTES(X) X(1) X(2) X(3) X(4) X(6) X(8)

#define DEFINE_PIXELS(BYTES)                                                           \
    static void reverse_##BYTES(unsigned char *row, int64_t width)                     \
    {                                                                                  \
        unsigned char kept[BYTES];                                                     \
        unsigned char *from = row, *to = row + (width - 1) * (BYTES);                  \
        for (; from < to; from += (BYTES), to -= (BYTES)) {                            \
            memcpy(kept, from, BYTES);                                                 \
            memcpy(from, to, BYTES);                                                   \
            memcpy(to, kept, BYTES);                                                   \
        }                                                                              \
    }                                                                                  \
    static void column_##BYTES(const unsigned char *from, size_t pitch, int64_t count, \
                               unsigned char *to, ptrdiff_t step)                      \
    {                                                                                  \
        for (int64_t i = 0; i < count; i++, from += pitch, to += step * (BYTES)) {     \
            memcpy(to, from, BYTES);                                                   \
        }                                                                              \
    }
FOR_PIXEL_BYTES(DEFINE_PIXELS)

const halo_pixel_kind halo_pixel_kinds[HALO_PIXEL_BYTES + 1] = {
#define KIND_ENTRY(BYTES) [BYTES] = {reverse_##BYTES, column_##BYTES},
    FOR_PIXEL_BYTES(KIND_ENTRY)
#undef KIND_ENTRY
};
