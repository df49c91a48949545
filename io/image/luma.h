#ifndef HALOBEAT_IO_IMAGE_LUMA_H
#define HALOBEAT_IO_IMAGE_LUMA_H

#include <stdbool.h>
#include <stdint.h>

/* Conversion of colours to grey, the same for all formats. */

/* Rec. 709 in 16-bit fixed point. The weights add up to 65536, so that white stays white; 16-bit
 * samples just fit 32 bits. */
static inline uint32_t halo_luma(uint32_t red, uint32_t green, uint32_t blue)
{
    return (13933 * red + 46871 * green + 4732 * blue + 32768) >> 16;
}

/* Background of transparent pixels: a grey sample, or a percentage of the maximum.
 * Zero-initialised: black. */
typedef struct {
    double value;
    bool percent;
} halo_image_ground;

static inline uint32_t halo_ground_grey(const halo_image_ground *ground, uint32_t maximum)
{
    double grey = ground->percent ? ground->value * maximum / 100 : ground->value;
    return grey >= maximum ? maximum : (uint32_t)(grey + 0.5);
}

/* Blends a sample with a grey by its alpha. 16-bit samples just fit. */
static inline uint32_t halo_over(uint32_t value, uint32_t alpha, uint32_t maximum, uint32_t ground)
{
    return (value * alpha + ground * (maximum - alpha) + maximum / 2) / maximum;
}

#endif
