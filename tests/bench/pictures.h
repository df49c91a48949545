#ifndef HALOBEAT_BENCH_PICTURES_H
#define HALOBEAT_BENCH_PICTURES_H

#include <stdint.h>

/* Square grey images for measurements, from a fixed seed: the same pixels on every machine. Grey
 * 128 and above is foreground. */

/* name, generator, argument of the generator */
#define PICTURE_LIST(X)                                                                  \
    X("noise_30", noise, 30) /* percent of foreground pixels */                          \
    X("noise_50", noise, 50)                                                             \
    X("noise_59", noise, 59) /* near the percolation threshold of 4-connected regions */ \
    X("noise_70", noise, 70)                                                             \
    X("blur_1.5", blur, 1.5) /* noise blurred by a Gaussian of this many pixels */       \
    X("blur_6", blur, 6)                                                                 \
    X("blur_24", blur, 24)                                                               \
    X("spiral", spiral, 1) /* one spiral line of this width in pixels */

typedef struct {
    const char *name;
    void (*make)(uint8_t *grey, int64_t size, double argument);
    double argument;
} picture;

extern const picture pictures[];
extern const int picture_count;

/* Local. The picture of that name, or NULL. */
const picture *picture_find(const char *name);

/* Local. The pixels of a grey PNG file of 8 bits; the caller frees them. Failures end the
 * program. */
uint8_t *picture_read(const char *path, int64_t *height, int64_t *width);

#endif
