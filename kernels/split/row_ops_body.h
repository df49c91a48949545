/* The loops over rows, compiled once for each ISA (halobeat_isa_body). No include guard on purpose.
 */

#include "kernels/split/row_ops.h"

#include <stddef.h>
#include <string.h>

#define ALWAYS   inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 8")
#define ALIGNED  _Alignas(64)
/* Loops over groups of neighbours call a function, so that the compiler does not join them: loops
 * over cells would not become vectors then. */
#define APART static __attribute__((noinline))

/* Cells of a row at a time. Their number is a constant in all loops but those of narrow rows, so
 * that there is nothing left over; the last piece of a row begins in the one before it, whose
 * results it finds once more. */
enum { PIECE = 128 };

/* The first cell of the piece that would begin at cell `i` of a row of at least one piece; with
 * `back`, as many cells before its end. */
static ALWAYS int64_t piece_at(int64_t width, int64_t i, bool back)
{
    int64_t last = width - PIECE, first = i < last ? i : last;
    return back ? last - first : first;
}

#define KEY        uint16_t
#define NAME(name) name##_16
#include "kernels/split/row_ops_keys.h"
#undef KEY
#undef NAME
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
static ALWAYS void take(const int32_t *restrict numbers, const int64_t *steps, int together, int k,
                        int64_t count, const int32_t *restrict way, int32_t *restrict own)
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

APART void take_three(const int32_t *restrict numbers, const int64_t *steps, int k,
                      const int32_t *restrict way, int32_t *restrict own)
{
    take(numbers, steps, 3, k, PIECE, way, own);
}

/* Cells that point to other rows. Returns true if one of them, or one that points to no cell before
 * or after it, as this pass goes, has no number; cells that point to number `beside` do not count.
 */
static ALWAYS bool follow_rows(const split_span *span, const uint8_t *ways, int32_t *numbers,
                               int64_t count, bool back)
{
    ALIGNED int32_t own[PIECE], way[PIECE];
    int half = span->count / 2, beside = back ? half : half - 1;
    int k = back ? half + 1 : 0, end = back ? span->count : half - 1;
    int32_t left = 0;
    for (int64_t x = 0; x < count; x++) {
        own[x] = numbers[x];
        way[x] = PLAIN(ways[x]);
    }
    for (; count == PIECE && k + 3 <= end; k += 3) {
        take_three(numbers, span->step, k, way, own);
    }
    for (; k < end; k++) {
        take(numbers, span->step, 1, k, count, way, own);
    }
    for (int64_t x = 0; x < count; x++) {
        left |= ((own[x] == 0) & (way[x] != SPLIT_OUTSIDE) & (way[x] != beside)) != 0 ? 1 : 0;
    }
    memcpy(numbers, own, (size_t)count * sizeof *own);
    return left != 0;
}

/* Cells that point to the one beside them, number `k`: eight at a time are looked at. */
static ALWAYS bool follow_row(const uint8_t *ways, int32_t *numbers, int64_t count, int k,
                              bool back)
{
    enum { TOGETHER = 8 };
    int64_t step = back ? 1 : -1, groups = (count + TOGETHER - 1) / TOGETHER;
    bool left = false;
    ALIGNED uint8_t points[PIECE] = {0};
    for (int64_t x = 0; x < count; x++) {
        points[x] = PLAIN(ways[x]) == k;
    }
    for (int64_t n = 0; n < groups; n++) {
        int64_t x = TOGETHER * (back ? groups - 1 - n : n);
        uint64_t any;
        memcpy(&any, points + x, sizeof any);
        for (int64_t at = back ? TOGETHER - 1 : 0; any != 0 && at >= 0 && at < TOGETHER;
             at -= step) {
            if (points[x + at] != 0) {
                int32_t *number = numbers + x + at;
                *number = number[step];
                left |= *number == 0;
            }
        }
    }
    return left;
}

static ALWAYS bool follow_piece(const split_span *span, const uint8_t *ways, int32_t *numbers,
                                int64_t count, bool back)
{
    int half = span->count / 2;
    bool left = follow_rows(span, ways, numbers, count, back);
    return follow_row(ways, numbers, count, back ? half : half - 1, back) || left;
}

static bool follow(const split_span *span, const uint8_t *ways, int32_t *numbers, bool back)
{
    bool left = false;
    if (span->width < PIECE) {
        return follow_piece(span, ways, numbers, span->width, back);
    }
    for (int64_t i = 0; i < span->width; i += PIECE) {
        int64_t first = piece_at(span->width, i, back);
        left |= follow_piece(span, ways + first, numbers + first, PIECE, back);
    }
    return left;
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
static ALWAYS void differ(const int32_t *restrict own, const int64_t *steps, int together, int k,
                          int64_t count, int32_t *restrict found)
{
    for (int64_t x = 0; x < count; x++) {
        int32_t flags = found[x];
        UNROLLED for (int i = 0; i < together; i++)
        {
            int32_t other = own[x + steps[k + i]];
            flags |= ((other != own[x]) & (other != 0)) != 0 ? SPLIT_DIFFERS : 0;
        }
        found[x] = flags;
    }
}

APART void differ_four(const int32_t *restrict own, const int64_t *steps, int k,
                       int32_t *restrict found)
{
    differ(own, steps, 4, k, PIECE, found);
}

static ALWAYS int32_t borders_piece(const split_span *span, const int32_t *own, uint8_t *flags,
                                    int64_t count)
{
    ALIGNED int32_t found[PIECE];
    int k = span->count / 2;
    int32_t any = 0;
    for (int64_t x = 0; x < count; x++) {
        found[x] = own[x] != own[x - 1] ? SPLIT_BEGINS : 0;
    }
    for (; count == PIECE && k + 4 <= span->count; k += 4) {
        differ_four(own, span->step, k, found);
    }
    for (; k < span->count; k++) {
        differ(own, span->step, 1, k, count, found);
    }
    for (int64_t x = 0; x < count; x++) {
        found[x] = own[x] != 0 ? found[x] : 0;
        any |= found[x];
    }
    for (int64_t x = 0; x < count; x++) {
        flags[x] = (uint8_t)found[x];
    }
    return any;
}

static bool borders(const split_span *span, const int32_t *numbers, uint8_t *flags)
{
    int32_t any = 0;
    if (span->width < PIECE) {
        return borders_piece(span, numbers, flags, span->width) != 0;
    }
    for (int64_t i = 0; i < span->width; i += PIECE) {
        int64_t first = piece_at(span->width, i, false);
        any |= borders_piece(span, numbers + first, flags + first, PIECE);
    }
    return any != 0;
}

const split_row_ops HALO_ISA_OPS(split_row_ops) = {.descend = {descend_16, descend_32, descend_64},
                                                   .follow = follow,
                                                   .unnumbered = unnumbered,
                                                   .borders = borders};
