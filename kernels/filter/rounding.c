#include "kernels/filter/rounding.h"

#include <math.h>

#define TO_UNSIGNED(c_type, value, low, high) TO_SIGNED(c_type, value, low, high)
#define TO_SIGNED(c_type, value, low, high)           \
    (!(rint(value) > (double)(low))  ? (c_type)(low)  \
     : rint(value) >= (double)(high) ? (c_type)(high) \
                                     : (c_type)rint(value))
#define TO_REAL(c_type, value, low, high) ((c_type)(value))

void filter_round(halo_sample_type type, const double *values, int64_t count, void *out)
{
    switch (type) {
#define ROUND_CASE(code, c_type, kind, range, name, numpy, low, high)     \
    case HALO_SAMPLE_##code:                                              \
        for (int64_t i = 0; i < count; i++) {                             \
            ((c_type *)out)[i] = TO_##kind(c_type, values[i], low, high); \
        }                                                                 \
        break;
        HALO_SAMPLE_VALUE_LIST(ROUND_CASE)
#undef ROUND_CASE
    default:
        break;
    }
}

double filter_white(halo_sample_type type)
{
    return halo_sample_types[type].real ? 1
           : type == HALO_SAMPLE_U64    ? (double)UINT64_MAX
                                        : (double)halo_sample_types[type].key_max;
}
