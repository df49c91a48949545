#ifndef HALOBEAT_KERNELS_LABEL_LABEL_VALUE_H
#define HALOBEAT_KERNELS_LABEL_LABEL_VALUE_H

#include "base/number.h"
#include "core/field/field.h"

/* Values that decide, in addition to foreground, which pixels are connected: label images,
 * segmentations, greys. */

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
    HALO_LABEL_ALIKE, /* values are ignored: neighbouring foreground pixels are connected */
#define HALO_LABEL_VALUE_ENUM(code, type, kind) HALO_LABEL_VALUE_##code,
    HALO_LABEL_VALUE_LIST(HALO_LABEL_VALUE_ENUM)
#undef HALO_LABEL_VALUE_ENUM
} halo_label_value;

/* Zero-initialised: ALIKE. */
typedef struct {
    halo_label_value type;
    halo_number delta; /* neighbours are connected if their values differ by at most this; for
                        * integers the fraction is ignored */
    /* halo_label_run sets the foreground itself, as halo_foreground_of_values does, row by row
     * while it reads the values, which saves reading them twice. Not with balancing, which counts
     * runs before. */
    bool marks;
    bool has_background; /* with `marks`: pixels of the value `background` are none */
    halo_number background;
} halo_label_near;

/* Local. Bytes of a value; 0 for ALIKE. */
size_t halo_label_value_bytes(halo_label_value type);

/* Local. Sets the owned pixels of `foreground` (cells of 1 bit) to those whose value is neither NaN
 * nor *background; background may be NULL, or a value that the type does not have. `values` has the
 * same pixels and cells of the type. `instructions` as in halo_label_options; if this machine does
 * not have them, the best it has are used. */
void halo_foreground_of_values(const halo_view *values, halo_label_value type,
                               const halo_number *background, const halo_view *foreground,
                               const char *instructions);

/* Values of regions (halo_region.grey_min and grey_max) are stored as keys: 64-bit integers with
 * the order of the values, for all types. Local. Conversions to the value: for integers, of U64 the
 * bits of the unsigned one, and for reals. */
int64_t halo_label_value_whole(halo_label_value type, int64_t key);
double halo_label_value_real(halo_label_value type, int64_t key);
bool halo_label_value_is_real(halo_label_value type);

#endif
