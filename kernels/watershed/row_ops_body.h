/* The loops over rows, compiled once for each ISA (halobeat_isa_body), for keys of all sizes. No
 * include guard on purpose. */

#include "kernels/watershed/row_ops.h"

#include <stddef.h>

#define KEY        uint8_t
#define NAME(name) name##_8
#include "kernels/watershed/row_ops_keys.h"
#undef KEY
#undef NAME
#define KEY        uint16_t
#define NAME(name) name##_16
#include "kernels/watershed/row_ops_keys.h"
#undef KEY
#undef NAME
#define KEY        uint32_t
#define NAME(name) name##_32
#include "kernels/watershed/row_ops_keys.h"
#undef KEY
#undef NAME
#define KEY        uint64_t
#define NAME(name) name##_64
#include "kernels/watershed/row_ops_keys.h"
#undef KEY
#undef NAME

#define OPS(bits)                                                 \
    {                                                             \
        sweep_##bits, falls_##bits, sources_##bits, nears_##bits, \
        {                                                         \
            best8_##bits, best32_##bits                           \
        }                                                         \
    }

const watershed_row_ops HALO_ISA_OPS(watershed_row_ops) = {{OPS(8), OPS(16), OPS(32), OPS(64)}};
