#ifndef HALOBEAT_BASE_ISA_H
#define HALOBEAT_BASE_ISA_H

#include "base/status.h"

#include <stdbool.h>

/* Instruction set architectures (ISAs) for which kernels have variants of their inner loops, and
 * the choice between variants.
 *
 * Each ISA includes those before it. cmake/isa.cmake lists the processor features of each; both the
 * compiler's flags for a variant and the test of the processor follow from that list. X(code,
 * name): AVX-512 with more or fewer features has one name for users. */
#define HALO_ISA_LIST(X) \
    X(PLAIN, "plain")    \
    X(SSE2, "sse2")      \
    X(AVX2, "avx2")      \
    X(AVX512, "avx512")  \
    X(AVX512_BITS, "avx512")

typedef enum {
#define HALO_ISA_ENUM(code, name) HALO_ISA_##code,
    HALO_ISA_LIST(HALO_ISA_ENUM)
#undef HALO_ISA_ENUM
} halo_isa;

/* A kernel's operations compiled for an ISA: `ops` points to its table of functions. */
typedef struct {
    halo_isa isa;
    const void *ops;
} halo_isa_variant;

/* Initialises an array of halo_isa_variant, best first and plain last: OPS_avx512, OPS_avx2 and
 * OPS_plain, of which the first needs `avx512` (AVX512 or AVX512_BITS). */
#ifdef HALOBEAT_X86
#define HALO_ISA_VARIANTS(ops, avx512)                                    \
    {                                                                     \
        {HALO_ISA_##avx512, &ops##_avx512}, {HALO_ISA_AVX2, &ops##_avx2}, \
        {                                                                 \
            HALO_ISA_PLAIN, &ops##_plain                                  \
        }                                                                 \
    }
#else
#define HALO_ISA_VARIANTS(ops, avx512)   \
    {                                    \
        {                                \
            HALO_ISA_PLAIN, &ops##_plain \
        }                                \
    }
#endif

/* Local. The name for users. */
const char *halo_isa_name(halo_isa isa);

/* Local. True if this machine has all its features. */
bool halo_isa_supported(halo_isa isa);

/* Local. The next variant of the array; NULL after the plain one. */
const halo_isa_variant *halo_isa_next(const halo_isa_variant *variant);

/* Local. The first of `variants` (best first, ending with the plain one) that this machine can run
 * and whose ISA has the name `name` (NULL: any). NULL if there is none. */
const halo_isa_variant *halo_isa_find(const halo_isa_variant *variants, const char *name);

/* Local. As halo_isa_find, with HALO_ARGUMENT and the names available on this machine if there is
 * none. */
halo_status halo_isa_pick(const halo_isa_variant **out, const halo_isa_variant *variants,
                          const char *name);

#endif
