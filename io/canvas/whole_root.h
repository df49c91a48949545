#ifndef HALOBEAT_IO_CANVAS_WHOLE_ROOT_H
#define HALOBEAT_IO_CANVAS_WHOLE_ROOT_H

#include <math.h>
#include <stdint.h>

/* Local. The square root of 0 to 2^62, rounded down. The C library's root is the first guess and is
 * corrected, so that the result is the same on every machine. */
static inline int64_t halo_whole_root(int64_t square)
{
    int64_t guess = (int64_t)sqrt((double)square);
    while (guess * guess > square) {
        guess--;
    }
    while ((guess + 1) * (guess + 1) <= square) {
        guess++;
    }
    return guess;
}

#endif
