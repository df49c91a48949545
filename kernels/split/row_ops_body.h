/* The loops over rows, compiled once for each ISA (halobeat_isa_body). No include guard on purpose.
 */

#include "kernels/split/row_ops.h"

#include <stddef.h>
#include <string.h>

/* Cells of a row, and neighbours, at a time. */
enum { PIECE = 512, TOGETHER = 2 };

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

static bool follow(int64_t width, const int64_t *steps, const uint8_t *ways, int32_t *numbers,
                   bool back)
{
    bool left = false;
    if (back) {
        for (int64_t x = width - 1; x >= 0; x--) {
            numbers[x] = numbers[x + steps[ways[x]]];
        }
    } else {
        for (int64_t x = 0; x < width; x++) {
            numbers[x] = numbers[x + steps[ways[x]]];
        }
    }
    for (int64_t x = 0; x < width; x++) {
        left |= numbers[x] == 0 && ways[x] != SPLIT_OUTSIDE;
    }
    return left;
}

static bool differ(const split_span *span, const int32_t *numbers, uint8_t *flags)
{
    uint8_t any = 0;
    memset(flags, 0, (size_t)span->width);
    for (int k = span->count / 2; k < span->count; k++) {
        const int32_t *other = numbers + span->step[k];
        for (int64_t x = 0; x < span->width; x++) {
            flags[x] |= (numbers[x] != other[x]) & (numbers[x] != 0) & (other[x] != 0);
        }
    }
    for (int64_t x = 0; x < span->width; x++) {
        any |= flags[x];
    }
    return any != 0;
}

static bool begin(int64_t width, const int32_t *numbers, uint8_t *flags)
{
    uint8_t any = 0;
    for (int64_t x = 0; x < width; x++) {
        flags[x] = (numbers[x] != numbers[x - 1]) & (numbers[x] != 0);
        any |= flags[x];
    }
    return any != 0;
}

const split_row_ops HALO_ISA_OPS(split_row_ops) = {
    .descend = {descend_32, descend_64}, .follow = follow, .differ = differ, .begin = begin};
