#ifndef HALOBEAT_IO_CANVAS_CHANNEL_INTERNAL_H
#define HALOBEAT_IO_CANVAS_CHANNEL_INTERNAL_H

#include <math.h>

/* Local, pure. A channel of a palette from 0 to 255, of a number that is cut to 0 to 1. */
static inline unsigned char canvas_channel(double value)
{
    return (unsigned char)lrint(255 * fmin(fmax(value, 0), 1));
}

#endif
