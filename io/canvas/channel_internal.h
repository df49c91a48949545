#ifndef HALOBEAT_IO_CANVAS_CHANNEL_INTERNAL_H
#define HALOBEAT_IO_CANVAS_CHANNEL_INTERNAL_H

#include <math.h>

/* Local, pure. A palette channel, 0 to 255, from a number that is clamped to 0 to 1. */
static inline unsigned char canvas_channel(double value)
{
    return (unsigned char)lrint(255 * fmin(fmax(value, 0), 1));
}

#endif
