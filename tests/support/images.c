#include "support/images.h"

#include "support/need.h"

#include <stdlib.h>

uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int64_t random_below(uint64_t *state, int64_t n)
{
    return (int64_t)(random_next(state) % (uint64_t)n);
}

void random_cuts(uint64_t *state, int64_t n, int parts, int64_t min, int64_t *cuts)
{
    int64_t unit = min > 0 ? min : 1, units = n / unit;
    cuts[0] = 0;
    for (int p = 1; p < parts; p++) {
        int64_t left = units - cuts[p - 1] / unit;
        bool nothing = random_below(state, 4) == 0;
        int64_t taken = nothing ? 0 : random_below(state, 2 * left / (parts - p + 1) + 2);
        cuts[p] = cuts[p - 1] + (taken < left ? taken : left) * unit;
    }
    cuts[parts] = n;
    /* A remainder smaller than `min` is no part of its own: move it to the last owner. */
    for (int p = parts - 1; p > 0 && n - cuts[p] < unit; p--) {
        cuts[p] = n;
    }
}

/* Is (y, x) on a spiral whose line and gaps are `thick` pixels wide? The walk goes round as rings
 * of thickness `thick`; each ring opens at its start and steps to the next one. */
static bool on_spiral(int64_t width, int64_t height, int64_t y, int64_t x, int64_t thick)
{
    int64_t left = x, right = width - 1 - x, top = y, bottom = height - 1 - y;
    int64_t across = left < right ? left : right, down = top < bottom ? top : bottom;
    int64_t ring = (across < down ? across : down) / thick;
    int64_t corner =
        (ring / 2) * 2 * thick; /* the foreground ring this pixel is in or just inside */
    bool gate = left >= corner && left < corner + thick && top >= corner + thick &&
                top < corner + 2 * thick;
    bool bridge = left >= corner + thick && left < corner + 2 * thick &&
                  top >= corner + 2 * thick && top < corner + 3 * thick;
    return ring % 2 == 0 ? !gate : bridge;
}

/* A coarse grid of random heights, smoothly interpolated and cut at its middle. */
static bool in_blob(int64_t y, int64_t x, uint64_t seed)
{
    enum { CELL = 8 };
    int64_t sum = 0;
    for (int64_t corner = 0; corner < 4; corner++) {
        int64_t cy = y / CELL + corner / 2, cx = x / CELL + corner % 2;
        uint64_t state = seed ^ (uint64_t)(cy * 1000003 + cx);
        int64_t wy = corner / 2 ? y % CELL : CELL - y % CELL;
        int64_t wx = corner % 2 ? x % CELL : CELL - x % CELL;
        sum += random_below(&state, 256) * wy * wx;
    }
    return sum >= (int64_t)128 * CELL * CELL;
}

static bool in_noise(int64_t y, int64_t x, uint64_t seed, int64_t tenths)
{
    uint64_t state = seed + (uint64_t)y * UINT64_C(0x100000001b3) + (uint64_t)x;
    return random_below(&state, 10) < tenths;
}

static bool in_snake(int64_t width, int64_t y, int64_t x)
{
    return y % 2 == 0 || x == (y % 4 == 1 ? width - 1 : 0);
}

static bool in_rings(const image *made, int64_t y, int64_t x)
{
    int64_t right = made->width - 1 - x, bottom = made->height - 1 - y;
    int64_t across = x < right ? x : right, down = y < bottom ? y : bottom;
    return (across < down ? across : down) % 2 == 0;
}

/* One question per shape: is pixel (y, x) foreground? */
#define SHAPE(name, answer)                                                             \
    static bool foreground_##name(const image *in, int64_t y, int64_t x, uint64_t seed) \
    {                                                                                   \
        (void)in, (void)y, (void)x, (void)seed;                                         \
        return answer;                                                                  \
    }
SHAPE(clear, false)
SHAPE(full, true)
SHAPE(spiral, on_spiral(in->width, in->height, y, x, 1))
SHAPE(wide_spiral, on_spiral(in->width, in->height, y, x, 2))
SHAPE(checkerboard, (y + x) % 2 == 0)
SHAPE(comb_down, y == 0 || x % 2 == 0)
SHAPE(comb_up, y == in->height - 1 || x % 2 == 0)
SHAPE(comb_across, x == 0 || y % 2 == 0)
SHAPE(snake, in_snake(in->width, y, x))
SHAPE(stairs, (y + x) % 3 == 0)
SHAPE(rings, in_rings(in, y, x))
SHAPE(dots, y % 2 == 0 && x % 2 == 0)
SHAPE(noise_10, in_noise(y, x, seed, 1))
SHAPE(noise_30, in_noise(y, x, seed, 3))
SHAPE(noise_50, in_noise(y, x, seed, 5))
SHAPE(noise_60, in_noise(y, x, seed, 6))
SHAPE(noise_70, in_noise(y, x, seed, 7))
SHAPE(noise_90, in_noise(y, x, seed, 9))
SHAPE(blobs, in_blob(y, x, seed))
SHAPE(lines, in_noise((y + x / 256) / 3, x, seed, 5))
#undef SHAPE

static const struct {
    const char *name;
    bool (*foreground)(const image *in, int64_t y, int64_t x, uint64_t seed);
} shapes[] = {
#define IMAGE_SHAPE_ENTRY(name, text) {#name, foreground_##name},
    IMAGE_SHAPE_LIST(IMAGE_SHAPE_ENTRY)
#undef IMAGE_SHAPE_ENTRY
};

const char *image_shape_name(image_shape shape)
{
    return shapes[shape].name;
}

image image_make(image_shape shape, int64_t width, int64_t height, uint64_t seed)
{
    image made = {width, height, need(malloc((size_t)(width * height)))};
    for (int64_t y = 0; y < height; y++) {
        for (int64_t x = 0; x < width; x++) {
            made.foreground[y * width + x] = shapes[shape].foreground(&made, y, x, seed);
        }
    }
    return made;
}

void image_free(image *made)
{
    free(made->foreground);
    *made = (image){0};
}
