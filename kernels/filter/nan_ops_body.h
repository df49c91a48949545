/* The loops of nan_ops.h, for the ISA that halobeat_isa_body chooses. */

#include "kernels/filter/nan_ops.h"

/* There seldom are any: rows are read, and only written where there are. Numbers that have no sign
 * bit are compared as signed ones. */
#define SETTLE(name, type, sign, infinity, nan)                           \
    static void name(void *row, int64_t count)                            \
    {                                                                     \
        type *bits = row;                                                 \
        type any = 0;                                                     \
        for (int64_t i = 0; i < count; i++) {                             \
            any |= (type)(bits[i] & ~(sign)) > (infinity) ? 1 : 0;        \
        }                                                                 \
        for (int64_t i = 0; i < count && any != 0; i++) {                 \
            bits[i] = (bits[i] & ~(sign)) > (infinity) ? (nan) : bits[i]; \
        }                                                                 \
    }
SETTLE(settle_F32, int32_t, INT32_MIN, INT32_C(0x7f800000), INT32_C(0x7fc00000))
SETTLE(settle_F64, int64_t, INT64_MIN, INT64_C(0x7ff0000000000000), INT64_C(0x7ff8000000000000))

const filter_nan_ops HALO_ISA_OPS(filter_nan_ops) = {{settle_F32, settle_F64}};
