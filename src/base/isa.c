#include "base/isa.h"

#if defined(__x86_64__)

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

static bool has_avx512_bits(void)
{
    return has_avx512() && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}

bool halo_instructions_run(halo_instructions set)
{
    static bool (*const has[])(void) = {[HALO_INSTRUCTIONS_AVX2] = has_avx2,
                                        [HALO_INSTRUCTIONS_AVX512] = has_avx512,
                                        [HALO_INSTRUCTIONS_AVX512_BITS] = has_avx512_bits};
    return set == HALO_INSTRUCTIONS_PLAIN || has[set]();
}

#else

bool halo_instructions_run(halo_instructions set)
{
    return set == HALO_INSTRUCTIONS_PLAIN;
}

#endif
