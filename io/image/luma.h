#ifndef HALOBEAT_IO_IMAGE_LUMA_H
#define HALOBEAT_IO_IMAGE_LUMA_H

#include <stdint.h>

/* How colours become grey, the same for every format. */

/* Rec. 709 in 16-bit fixed point; the weights add up to 65536, so white stays white, and 16-bit
 * samples just fit into 32 bits. */
static inline uint32_t halo_luma(uint32_t red, uint32_t green, uint32_t blue)
{
    return (13933 * red + 46871 * green + 4732 * blue + 32768) >> 16;
}

/* A sample laid over black by its alpha. */
static inline uint32_t halo_over_black(uint32_t value, uint32_t alpha, uint32_t maximum)
{
    return (value * alpha + maximum / 2) / maximum;
}

#endif
