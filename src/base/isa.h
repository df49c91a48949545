#ifndef HALOBEAT_BASE_ISA_H
#define HALOBEAT_BASE_ISA_H

#include "base/status.h"

#include <stdbool.h>

/* Instruction set architectures (ISAs) that kernels have variants of their inner loops for, and the
 * choice between variants.
 *
 * Each ISA includes those before it. Which features of the processor it consists of stands in
 * cmake/isa.cmake: the compiler's flags for a variant and what is asked of the processor before it
 * runs both come from there. X(code, name): AVX-512 of more or fewer features is one name to
 * users. */
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

/* A kernel's operations as compiled for an ISA: `ops` points to its table of functions. */
typedef struct {
    halo_isa isa;
    const void *ops;
} halo_isa_variant;

/* Initialises an array of halo_isa_variant, best first, the plain one last, as everywhere:
 * OPS_avx512, OPS_avx2 and OPS_plain, of which the first needs `avx512` (AVX512 or AVX512_BITS). */
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

/* Local. As users write it. */
const char *halo_isa_name(halo_isa isa);

/* Local. Has this machine all features of it? */
bool halo_isa_supported(halo_isa isa);

/* Local. The variant behind this one; NULL behind the plain one. */
const halo_isa_variant *halo_isa_next(const halo_isa_variant *variant);

/* Local. Of `variants`, best first, up to the plain one: the first that this machine runs, or that
 * it runs and whose ISA is called `name` (NULL means best). NULL if there is none. */
const halo_isa_variant *halo_isa_find(const halo_isa_variant *variants, const char *name);

/* Local. The same; HALO_ARGUMENT, with the names that there are on this machine, if there is
 * none. */
halo_status halo_isa_pick(const halo_isa_variant **out, const halo_isa_variant *variants,
                          const char *name);

#endif
