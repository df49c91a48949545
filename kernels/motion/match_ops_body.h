/* The loops over squares of pixels, compiled once for each ISA (halobeat_isa_body); compilers
 * vectorise them. No include guard on purpose. */

#include "kernels/motion/match_ops.h"

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t part_of(const motion_square *s, int side, int lo, int hi, int top, int bottom)
{
    uint32_t sum = 0;
    for (int y = top; y < bottom; y++) {
        const uint16_t *one = s->one + y * s->one_pitch, *other = s->other + y * s->other_pitch;
        const uint16_t *inside = s->inside + (ptrdiff_t)y * side;
        const uint16_t *own = s->own + (ptrdiff_t)y * side;
        for (int x = lo; x < hi; x++) {
            uint16_t more = one[x] > other[x] ? one[x] : other[x];
            uint16_t less = one[x] > other[x] ? other[x] : one[x];
            uint16_t difference = (uint16_t)(more - less);
            sum += (uint32_t)(difference & inside[x]) + 2 * (uint32_t)(difference & own[x]);
        }
    }
    return sum;
}

static uint32_t tile(const motion_square *square)
{
    return part_of(square, MOTION_TILE, 0, MOTION_TILE, 0, MOTION_TILE);
}

static uint32_t window(const motion_square *square)
{
    return part_of(square, MOTION_WINDOW, 0, MOTION_WINDOW, 0, MOTION_WINDOW);
}

static uint32_t part(const motion_square *square, int side, int lo, int hi, int top, int bottom)
{
    return part_of(square, side, lo, hi, top, bottom);
}

/* Sums of one row: 32 bits are enough for 8-bit frames. */
#define DEFINE_SLOPE_ROW(name, type)                                                        \
    INLINE void name(const motion_slope_square *at, int y, motion_slopes *sums)             \
    {                                                                                       \
        const motion_square *s = &at->square;                                               \
        const uint16_t *one = s->one + y * s->one_pitch, *above = one - s->one_pitch;       \
        const uint16_t *below = one + s->one_pitch, *other = s->other + y * s->other_pitch; \
        const uint16_t *next = other + s->other_pitch;                                      \
        const uint16_t *inside = s->inside + (ptrdiff_t)y * at->side;                       \
        const uint16_t *own = s->own + (ptrdiff_t)y * at->side;                             \
        uint32_t right = (uint32_t)at->right, left = 256 - right;                           \
        uint32_t down = (uint32_t)at->down, up = 256 - down;                                \
        type xx = 0, xy = 0, yy = 0, xd = 0, yd = 0, off = 0, weight = 0;                   \
        for (int x = at->lo; x < at->hi; x++) {                                             \
            uint32_t there = (other[x] * left + other[x + 1] * right) * up +                \
                             (next[x] * left + next[x + 1] * right) * down;                 \
            int32_t d = ((int32_t)(there >> 8) - ((int32_t)one[x] << 8)) >> at->drop;       \
            type gx = one[x + 1] - one[x - 1], gy = below[x] - above[x];                    \
            type w = (inside[x] & 1) + (own[x] & 2);                                        \
            xx += w * gx * gx;                                                              \
            xy += w * gx * gy;                                                              \
            yy += w * gy * gy;                                                              \
            xd += w * gx * d;                                                               \
            yd += w * gy * d;                                                               \
            off += w * (d < 0 ? -d : d);                                                    \
            weight += w;                                                                    \
        }                                                                                   \
        sums->xx += xx;                                                                     \
        sums->xy += xy;                                                                     \
        sums->yy += yy;                                                                     \
        sums->xd += xd;                                                                     \
        sums->yd += yd;                                                                     \
        sums->off += off;                                                                   \
        sums->weight += weight;                                                             \
    }
DEFINE_SLOPE_ROW(slope_row_32, int32_t)
DEFINE_SLOPE_ROW(slope_row_64, int64_t)
#undef DEFINE_SLOPE_ROW

static void slope(const motion_slope_square *at, motion_slopes *sums)
{
    for (int y = at->top; y < at->bottom; y++) {
        if (at->drop == 0) {
            slope_row_32(at, y, sums);
        } else {
            slope_row_64(at, y, sums);
        }
    }
}

INLINE void spread_rows(const uint32_t *rows, int side, int skip, uint16_t *mask)
{
    for (int j = 0; j < side; j++) {
        uint32_t bits = rows[j] >> skip;
        uint16_t low = (uint16_t)bits, high = (uint16_t)(bits >> MOTION_TILE);
        for (int i = 0; i < side; i++) {
            uint16_t bit = (uint16_t)(1U << i % MOTION_TILE);
            uint16_t half = i < MOTION_TILE ? low : high;
            mask[j * side + i] = (half & bit) == bit ? UINT16_MAX : 0;
        }
    }
}

static void spread(const uint32_t *rows, int side, int skip, uint16_t *mask)
{
    if (side == MOTION_TILE) {
        spread_rows(rows, MOTION_TILE, skip, mask);
    } else {
        spread_rows(rows, MOTION_WINDOW, skip, mask);
    }
}

static void slide(const uint16_t *cells, uint32_t value, uint32_t weight, int64_t count,
                  uint32_t *sums)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t more = cells[i] > value ? cells[i] : value;
        uint32_t less = cells[i] > value ? value : cells[i];
        sums[i] += weight * (more - less);
    }
}

const motion_match_ops HALO_ISA_OPS(motion_match_ops) = {tile, window, part, slope, spread, slide};
