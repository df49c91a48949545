#ifndef HALOBEAT_TESTS_SNAKE_CASE_H
#define HALOBEAT_TESTS_SNAKE_CASE_H

#include "kernels/snake/snake.h"
#include "kernels/snake/snake_field.h"

#include <stdbool.h>

/* A simple reference for active contours, pixel by pixel and point by point, on one rank; and
 * images to draw contours on. Ends the program if there is no memory. */

typedef struct {
    int64_t rows, columns;
    int bits;         /* 8 or 16 */
    uint16_t *pixels; /* [rows * columns] whatever the bits */
    uint8_t *truth;   /* [rows * columns] 1 inside the object; NULL if there is none */
} snake_picture;

typedef enum { SNAKE_DISK, SNAKE_STAR } snake_shape;

/* A shape of grey .8 on .2 in the middle of a square image of 8 bits, with normal noise of this
 * standard deviation (1 is white). The radius of the star varies five times around between 90 and
 * 190 (of 512). */
snake_picture snake_picture_shape(snake_shape shape, int64_t side, double noise, uint64_t seed);

/* Blobs with noise. */
snake_picture snake_picture_any(uint64_t *random, int64_t rows, int64_t columns, int bits);

void snake_picture_free(snake_picture *picture);

/* Collective. The kernel's gradient of an image whose rows are cut by `cuts`. */
halo_status snake_gradient(halo_field **out, const snake_picture *picture, const int64_t *cuts,
                           double sigma, const char *instructions);

/* The reference gradient of the whole image, [rows * columns]; the caller frees it. */
uint16_t *snake_naive_gradient(const snake_picture *picture, double sigma);

/* Points on a circle, rounded to pixels and clipped to the image: row and column of each. */
void snake_circle(const snake_picture *picture, double row, double column, double radius,
                  int64_t count, int32_t *points);

/* One beat of all contours, in place; counts the points that moved. */
int64_t snake_naive_beat(const snake_picture *picture, const uint16_t *gradient,
                         const halo_snake_options *options, const int64_t *first, int64_t contours,
                         int32_t *points);

/* The Dice coefficient of the inside of a ring of points and the truth: twice the pixels in both,
 * divided by the sum of the pixels in each. */
double snake_dice(const snake_picture *picture, const int32_t *points, int64_t count);

#endif
