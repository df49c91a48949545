#ifndef HALOBEAT_IO_IMAGE_HALVES_H
#define HALOBEAT_IO_IMAGE_HALVES_H

#include <stdbool.h>
#include <stdint.h>

/* Floating-point numbers of 16 bits (IEEE 754 binary16), which are read as such of 32. All
 * functions are local and pure. */

/* The bits of the number of 32 bits that has the same value. */
uint32_t halo_half_widen(uint16_t half);

/* The nearest number of 16 bits; infinite beyond 65504. */
uint16_t halo_half_round(double number);

/* Widens `count` numbers at `from`, of any alignment; `swapped`: in the byte order opposite to this
 * machine's. */
void halo_halves_widen(int64_t count, const unsigned char *from, bool swapped, float *out);

#endif
