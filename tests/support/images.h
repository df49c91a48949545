#ifndef HALOBEAT_TESTS_IMAGES_H
#define HALOBEAT_TESTS_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Binary images that are difficult for region labelling, from a shape, a size and a seed. */
typedef struct {
    int64_t width, height;
    uint8_t *foreground; /* [height * width] in row order, 0 or 1 */
} image;

/* name, what is foreground */
#define IMAGE_SHAPE_LIST(X)                                                       \
    X(clear, "nothing")                                                           \
    X(full, "everything")                                                         \
    X(spiral, "a line one pixel wide winding to the middle, gaps one pixel wide") \
    X(wide_spiral, "the same with line and gaps two pixels wide")                 \
    X(checkerboard, "every second pixel: 8-connected, never 4-connected")         \
    X(comb_down, "the top row and every second column")                           \
    X(comb_up, "the bottom row and every second column")                          \
    X(comb_across, "the left column and every second row")                        \
    X(snake, "every second row, joined at alternating ends")                      \
    X(stairs, "diagonal lines: 8-connected, never 4-connected")                   \
    X(rings, "nested rectangles")                                                 \
    X(dots, "pixels that touch nothing")                                          \
    X(noise_10, "a tenth of the pixels at random")                                \
    X(noise_30, "3 in 10")                                                        \
    X(noise_50, "5 in 10")                                                        \
    X(noise_60, "6 in 10: the longest paths with 4 neighbours")                   \
    X(noise_70, "7 in 10")                                                        \
    X(noise_90, "9 in 10")                                                        \
    X(blobs, "smooth random blobs")                                               \
    X(lines, "3 equal rows of noise and 3 others, by turns in each 256 columns")

typedef enum {
#define IMAGE_SHAPE_ENUM(name, text) IMAGE_##name,
    IMAGE_SHAPE_LIST(IMAGE_SHAPE_ENUM)
#undef IMAGE_SHAPE_ENUM
        IMAGE_SHAPES
} image_shape;

/* The name of a shape. */
const char *image_shape_name(image_shape shape);

/* Makes an image; `seed` is used for noise and blobs only. The same on every machine. Exits the
 * program if there is no memory. The caller frees it with image_free. */
image image_make(image_shape shape, int64_t width, int64_t height, uint64_t seed);

/* Accepts a zeroed image. */
void image_free(image *made);

/* The next number of a splitmix64 generator (Steele, Lea and Flood 2014). */
uint64_t random_next(uint64_t *state);

/* 0 to n - 1. */
int64_t random_below(uint64_t *state, int64_t n);

/* Random cuts of n cells in `parts` parts ([parts + 1]); parts have at least `min` cells or,
 * frequently, none. At least one part has cells; if n < min it has all of them. */
void random_cuts(uint64_t *state, int64_t n, int parts, int64_t min, int64_t *cuts);

#endif
