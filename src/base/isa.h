#ifndef HALOBEAT_BASE_ISA_H
#define HALOBEAT_BASE_ISA_H

#include <stdbool.h>

/* Sets of instructions that kernels have code for besides what every processor of its kind runs.
 * Each includes those before it, so that a table of code, best first, can be searched for the first
 * that this machine runs. */
typedef enum {
    HALO_INSTRUCTIONS_PLAIN,
    HALO_INSTRUCTIONS_AVX2,       /* AVX2, BMI 1 and 2, POPCNT */
    HALO_INSTRUCTIONS_AVX512,     /* AVX-512 F, BW, DQ and VL besides */
    HALO_INSTRUCTIONS_AVX512_BITS /* VBMI, VBMI2, BITALG and VPOPCNTDQ besides */
} halo_instructions;

/* Local. Does this machine run them? */
bool halo_instructions_run(halo_instructions set);

#endif
