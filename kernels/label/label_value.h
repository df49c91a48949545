#ifndef HALOBEAT_KERNELS_LABEL_LABEL_VALUE_H
#define HALOBEAT_KERNELS_LABEL_LABEL_VALUE_H

#include "core/field/field.h"

/* Values that decide which pixels belong together, beside which pixels are foreground: label
 * images, segmentations, greys. */

/* X(code, type, kind): kind is UNSIGNED, SIGNED or REAL. */
#define HALO_LABEL_VALUE_LIST(X) \
    X(U8, uint8_t, UNSIGNED)     \
    X(I8, int8_t, SIGNED)        \
    X(U16, uint16_t, UNSIGNED)   \
    X(I16, int16_t, SIGNED)      \
    X(U32, uint32_t, UNSIGNED)   \
    X(I32, int32_t, SIGNED)      \
    X(U64, uint64_t, UNSIGNED)   \
    X(I64, int64_t, SIGNED)      \
    X(F32, float, REAL)          \
    X(F64, double, REAL)

typedef enum {
    HALO_LABEL_ALIKE, /* no values: neighbours that are foreground belong together */
#define HALO_LABEL_VALUE_ENUM(code, type, kind) HALO_LABEL_VALUE_##code,
    HALO_LABEL_VALUE_LIST(HALO_LABEL_VALUE_ENUM)
#undef HALO_LABEL_VALUE_ENUM
} halo_label_value;

/* Zero-initialisable: ALIKE. */
typedef struct {
    halo_label_value type;
    double delta; /* neighbours belong together if their values differ by at most this; of whole
                   * numbers its fraction does not count */
} halo_label_near;

/* Local. Bytes of a value; 0 of ALIKE. */
size_t halo_label_value_bytes(halo_label_value type);

/* Local. The owned pixels of `foreground` (cells of 1 bit) become those whose value is not NaN and
 * not that of the background; NULL, or a value that the type has not: there is none. `values` has
 * the same pixels and cells of the type. `instructions` as in halo_label_options; the best ones
 * serve where this machine lacks them. */
void halo_foreground_of_values(const halo_view *values, halo_label_value type,
                               const double *background, const halo_view *foreground,
                               const char *instructions);

/* What a region knows of its values (halo_region.grey_min and grey_max) is a key: a number of 64
 * bits that has the order of the values, whatever their type. Local. Back to the value, of whole
 * numbers or of reals. */
int64_t halo_label_value_whole(halo_label_value type, int64_t key);
double halo_label_value_real(halo_label_value type, int64_t key);
bool halo_label_value_is_real(halo_label_value type);

#endif
