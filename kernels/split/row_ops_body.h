/* The loops over rows, compiled once for each ISA (halobeat_isa_body). No include guard on purpose.
 */

#include "kernels/split/row_ops.h"

#include <stddef.h>
#include <string.h>

#define ALWAYS   inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 8")

/* Cells of a row at a time. */
enum { PIECE = 512 };

#define KEY        uint32_t
#define NAME(name) name##_32
#include "kernels/split/row_ops_keys.h"
#undef KEY
#undef NAME
#define KEY        uint64_t
#define NAME(name) name##_64
#include "kernels/split/row_ops_keys.h"
#undef KEY
#undef NAME

/* ---- following ------------------------------------------------------------------------------- */

/* A way without SPLIT_LATER; of other cells it is no neighbour's number. */
#define PLAIN(way) ((uint8_t)((way) & (uint8_t)~SPLIT_LATER))

/* Cells that point to one of `together` neighbours, a constant where this is called, from number
 * `k` on. */
static ALWAYS void take(const int32_t *numbers, const int64_t *steps, int together, int k,
                        int64_t count, const int32_t *way, int32_t *own)
{
    for (int64_t x = 0; x < count; x++) {
        int32_t number = own[x];
        UNROLLED for (int i = 0; i < together; i++)
        {
            int32_t other = numbers[x + steps[k + i]];
            number = way[x] == k + i ? other : number;
        }
        own[x] = number;
    }
}

/* Cells that point to other rows. Returns true if one of them, or one that points to no cell before
 * or after it, as this pass goes, has no number; cells that point to number `beside` do not count.
 */
static bool follow_rows(const split_span *span, const uint8_t *ways, int32_t *numbers, int begin,
                        int end, int beside)
{
    int32_t left = 0;
    for (int64_t first = 0; first < span->width; first += PIECE) {
        int64_t count = span->width - first < PIECE ? span->width - first : PIECE;
        int32_t own[PIECE], way[PIECE];
        for (int64_t x = 0; x < count; x++) {
            own[x] = numbers[first + x];
            way[x] = PLAIN(ways[first + x]);
        }
        int k = begin;
        for (; k + 3 <= end; k += 3) {
            take(numbers + first, span->step, 3, k, count, way, own);
        }
        for (; k < end; k++) {
            take(numbers + first, span->step, 1, k, count, way, own);
        }
        for (int64_t x = 0; x < count; x++) {
            left |= (own[x] == 0) & (way[x] != SPLIT_OUTSIDE) & (way[x] != beside) ? 1 : 0;
        }
        memcpy(numbers + first, own, (size_t)count * sizeof *own);
    }
    return left != 0;
}

/* Cells that point to the one beside them, number `k`: eight at a time are looked at. */
static bool follow_row(int64_t width, const uint8_t *ways, int32_t *numbers, int k, bool back)
{
    enum { TOGETHER = 8 };
    int64_t step = back ? 1 : -1, pieces = (width + PIECE - 1) / PIECE;
    bool left = false;
    for (int64_t i = 0; i < pieces; i++) {
        int64_t first = PIECE * (back ? pieces - 1 - i : i);
        int64_t count = width - first < PIECE ? width - first : PIECE;
        int64_t groups = (count + TOGETHER - 1) / TOGETHER;
        uint8_t points[PIECE];
        for (int64_t x = 0; x < count; x++) {
            points[x] = PLAIN(ways[first + x]) == k;
        }
        memset(points + count, 0, (size_t)(TOGETHER * groups - count));
        for (int64_t n = 0; n < groups; n++) {
            int64_t x = TOGETHER * (back ? groups - 1 - n : n);
            uint64_t any;
            memcpy(&any, points + x, sizeof any);
            for (int64_t at = back ? TOGETHER - 1 : 0; any != 0 && at >= 0 && at < TOGETHER;
                 at -= step) {
                if (points[x + at] != 0) {
                    int32_t *number = numbers + first + x + at;
                    *number = number[step];
                    left |= *number == 0;
                }
            }
        }
    }
    return left;
}

static bool follow(const split_span *span, const uint8_t *ways, int32_t *numbers, bool back)
{
    int half = span->count / 2, beside = back ? half : half - 1;
    bool left = follow_rows(span, ways, numbers, back ? half + 1 : 0, back ? span->count : half - 1,
                            beside);
    return follow_row(span->width, ways, numbers, beside, back) || left;
}

static bool unnumbered(int64_t width, const uint8_t *ways, const int32_t *numbers, uint8_t *flags)
{
    uint8_t any = 0;
    for (int64_t x = 0; x < width; x++) {
        flags[x] = numbers[x] == 0;
    }
    for (int64_t x = 0; x < width; x++) {
        flags[x] &= ways[x] != SPLIT_OUTSIDE;
        any |= flags[x];
    }
    return any != 0;
}

/* ---- borders of basins ----------------------------------------------------------------------- */

/* Looks at `together` neighbours, a constant where this is called, from number `k` on. */
static ALWAYS void differ(const int32_t *own, const int64_t *steps, int together, int k,
                          int64_t count, int32_t *found)
{
    for (int64_t x = 0; x < count; x++) {
        int32_t flags = found[x];
        UNROLLED for (int i = 0; i < together; i++)
        {
            int32_t other = own[x + steps[k + i]];
            flags |= (other != own[x]) & (other != 0) ? SPLIT_DIFFERS : 0;
        }
        found[x] = flags;
    }
}

static bool borders(const split_span *span, const int32_t *numbers, uint8_t *flags)
{
    int32_t any = 0;
    for (int64_t first = 0; first < span->width; first += PIECE) {
        int64_t count = span->width - first < PIECE ? span->width - first : PIECE;
        const int32_t *own = numbers + first;
        int32_t found[PIECE];
        int k = span->count / 2;
        for (int64_t x = 0; x < count; x++) {
            found[x] = own[x] != own[x - 1] ? SPLIT_BEGINS : 0;
        }
        for (; k + 4 <= span->count; k += 4) {
            differ(own, span->step, 4, k, count, found);
        }
        for (; k < span->count; k++) {
            differ(own, span->step, 1, k, count, found);
        }
        for (int64_t x = 0; x < count; x++) {
            found[x] = own[x] != 0 ? found[x] : 0;
            any |= found[x];
        }
        for (int64_t x = 0; x < count; x++) {
            flags[first + x] = (uint8_t)found[x];
        }
    }
    return any != 0;
}

const split_row_ops HALO_ISA_OPS(split_row_ops) = {.descend = {descend_32, descend_64},
                                                   .follow = follow,
                                                   .unnumbered = unnumbered,
                                                   .borders = borders};
