#ifndef HALOBEAT_BASE_SCAN_H
#define HALOBEAT_BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* Local. Parses a decimal integer at *text, `min` to `max`, without leading blanks or plus sign,
 * and advances *text. False, with nothing changed, if there is none. */
bool halo_scan_integer(const char **text, int64_t min, int64_t max, int64_t *out);

/* Local. As halo_scan_integer for a decimal number, possibly with a fraction and an exponent, such
 * as 3, .5 or 1e-3, with a sign only if `min` is negative. (strtod would also accept names and
 * hexadecimal numbers.) */
bool halo_scan_number(const char **text, double min, double max, double *out);

/* Local. As halo_scan_number for a share, written as .01 or 1%. `min` and `max` are shares. */
bool halo_scan_share(const char **text, double min, double max, double *out);

#endif
