#include "kernels/label/measure/grey_run.h"

#include <string.h>

static void take_none(const void *row, int64_t begin, int64_t end, halo_region *part)
{
    (void)row, (void)begin, (void)end, (void)part;
}

static void take_bits(const void *row, int64_t begin, int64_t end, halo_region *part)
{
    const uint64_t *words = row;
    int64_t sum = 0, count = end - begin;
    while (begin < end) {
        int64_t stop = (begin / 64 + 1) * 64;
        uint64_t word = words[begin / 64] >> (begin % 64);
        if (stop > end) {
            word &= (UINT64_C(1) << (end - begin)) - 1;
        }
        sum += __builtin_popcountll(word);
        begin = stop;
    }
    part->grey_sum = sum;
    part->grey_min = sum == count;
    part->grey_max = sum > 0;
}

/* Eight bytes at a time, as four pairs of 16 bits whose sum the multiplication brings to the top.
 */
static int64_t sum_bytes(const uint8_t *grey, int64_t count)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    int64_t sum = 0, x = 0;
    for (; x + 8 <= count; x += 8) {
        uint64_t eight;
        memcpy(&eight, grey + x, sizeof eight);
        uint64_t pairs = (eight & even) + (eight >> 8 & even);
        sum += (int64_t)(pairs * UINT64_C(0x0001000100010001) >> 48);
    }
    for (; x < count; x++) {
        sum += grey[x];
    }
    return sum;
}

static void take_bytes(const void *row, int64_t begin, int64_t end, halo_region *part)
{
    const uint8_t *grey = (const uint8_t *)row + begin;
    uint8_t least = UINT8_MAX, most = 0;
    for (int64_t x = 0; x < end - begin; x++) {
        least = grey[x] < least ? grey[x] : least;
        most = grey[x] > most ? grey[x] : most;
    }
    part->grey_sum = sum_bytes(grey, end - begin);
    part->grey_min = least;
    part->grey_max = most;
}

static void take_shorts(const void *row, int64_t begin, int64_t end, halo_region *part)
{
    const uint16_t *grey = row;
    uint16_t least = UINT16_MAX, most = 0;
    int64_t sum = 0;
    for (int64_t x = begin; x < end; x++) {
        sum += grey[x];
        least = grey[x] < least ? grey[x] : least;
        most = grey[x] > most ? grey[x] : most;
    }
    part->grey_sum = sum;
    part->grey_min = least;
    part->grey_max = most;
}

label_grey_run *label_grey_run_of(const halo_view *grey)
{
    if (grey == NULL) {
        return take_none;
    }
    return grey->cell_bits == 1 ? take_bits : grey->cell_bits == 8 ? take_bytes : take_shorts;
}

#define TAKE_VALUES(code, type, kind, ...)                                                  \
    static void take_##code(const void *row, int64_t begin, int64_t end, halo_region *part) \
    {                                                                                       \
        const type *values = row;                                                           \
        type least = values[begin], most = values[begin];                                   \
        for (int64_t x = begin + 1; x < end; x++) {                                         \
            least = values[x] < least ? values[x] : least;                                  \
            most = values[x] > most ? values[x] : most;                                     \
        }                                                                                   \
        part->grey_min = halo_sample_key(HALO_SAMPLE_##code, &least);                       \
        part->grey_max = halo_sample_key(HALO_SAMPLE_##code, &most);                        \
    }
HALO_SAMPLE_VALUE_LIST(TAKE_VALUES)
#undef TAKE_VALUES

label_grey_run *label_value_run_of(halo_sample_type type)
{
    static label_grey_run *const runs[] = {[HALO_LABEL_NONE] = take_none,
#define RUN_ENTRY(code, ...) [HALO_SAMPLE_##code] = take_##code,
                                           HALO_SAMPLE_VALUE_LIST(RUN_ENTRY)
#undef RUN_ENTRY
    };
    return runs[type];
}
