#ifndef HALOBEAT_BASE_SCAN_H
#define HALOBEAT_BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* Local. Read a decimal integer at *text, `min` to `max`, without blanks or a plus in front of it;
 * *text is then behind it. False if there is none, and nothing is changed. */
bool halo_scan_integer(const char **text, int64_t min, int64_t max, int64_t *out);

/* Local. The same for a decimal number with or without a fraction and an exponent, such as 3, .5 or
 * 1e-3, and without a sign unless `min` is negative: strtod would also take names of numbers and
 * hexadecimal ones. */
bool halo_scan_number(const char **text, double min, double max, double *out);

#endif
