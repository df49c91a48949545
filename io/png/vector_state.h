#ifndef HALOBEAT_IO_PNG_VECTOR_STATE_H
#define HALOBEAT_IO_PNG_VECTOR_STATE_H

/* ISA-L's assembly returns with the upper halves of the vector registers in use. Until they are
 * cleared, every SSE instruction of the program (in sin and cos of libm, for instance) is up to ten
 * times slower, since it must preserve them. Call this after ISA-L and before anything else. */
#if defined(__x86_64__) && defined(__GNUC__)
static inline void halo_vector_state_clear(void)
{
    if (__builtin_cpu_supports("avx")) {
        /* Inline assembly, so that this file need not be compiled for AVX. */
        __asm__ volatile("vzeroupper" ::
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                               "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                               "xmm15");
    }
}
#else
static inline void halo_vector_state_clear(void)
{
}
#endif

#endif
