#ifndef HALOBEAT_CLUSTER_LAB_H
#define HALOBEAT_CLUSTER_LAB_H

#include "base/status.h"

#include <stdint.h>

/* Conversion of sRGB colours (IEC 61966-2-1) to CIE 1976 L*, a*, b* with the white of D65, in which
 * equal distances look about equally different. Everything here is local.
 *
 * Values are int16 in steps of 1 / HALO_LAB_STEPS of a unit: L from 0 to 6400, a from -5518 to
 * 6287, b from -6903 to 6046, so that differences fit int16 too. One step of 8-bit sRGB is about 20
 * of these steps. A value is the nearest step, to within .03 of a step where two are equally near;
 * a grey has a = b = 0. Values are the same on every machine: the tables are computed by operations
 * that IEEE 754 rounds correctly, not by the mathematical library. */

enum { HALO_LAB_STEPS = 64 };

typedef struct halo_lab halo_lab;

/* Creates tables for samples of `bits` (8 or 16), of 28 or 283 KiB; the caller destroys them.
 * HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_lab_create(halo_lab **out, int bits);

/* Frees the tables and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_lab_destroy(halo_lab **lab);

/* Converts [pixels] of red, green and blue (bytes or native uint16_t, as created) to L, a and b in
 * `out` [3 * pixels]. The two must not overlap. */
void halo_lab_row(const halo_lab *lab, const void *rgb, int64_t pixels, int16_t *out);

#endif
