/* The loops over rows, compiled once for each ISA (halobeat_isa_body), for keys of all sizes. No
 * include guard on purpose. */

#include "kernels/watershed/row_ops.h"

#include <stddef.h>
#include <string.h>

#define ALWAYS   inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 4")

/* Cells of a row, and neighbours, at a time; and cells of which few may have a state that counts.
 */
enum { PIECE = 512, TOGETHER = 4, STATES = 128 };

#define KEY        uint8_t
#define WIDE       uint32_t
#define NAME(name) name##_8
#include "kernels/watershed/row_ops_keys.h"
#undef KEY
#undef WIDE
#undef NAME
#define KEY        uint16_t
#define WIDE       uint32_t
#define NAME(name) name##_16
#include "kernels/watershed/row_ops_keys.h"
#undef KEY
#undef WIDE
#undef NAME
#define KEY        uint32_t
#define WIDE       uint32_t
#define NAME(name) name##_32
#include "kernels/watershed/row_ops_keys.h"
#undef KEY
#undef WIDE
#undef NAME
#define KEY        uint64_t
#define WIDE       uint64_t
#define NAME(name) name##_64
#include "kernels/watershed/row_ops_keys.h"
#undef KEY
#undef WIDE
#undef NAME

#define OPS(bits)                                                                                \
    {                                                                                            \
        sweep_##bits, falls_##bits, sources_##bits, nears_##bits, {best8_##bits, best32_##bits}, \
            compare_##bits, leaves_##bits                                                        \
    }

const watershed_row_ops HALO_ISA_OPS(watershed_row_ops) = {{OPS(8), OPS(16), OPS(32), OPS(64)}};
