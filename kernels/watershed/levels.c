#include "kernels/watershed/levels.h"

#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/watershed/watershed_internal.h"

#include <math.h>
#include <string.h>

/* Levels without labels. */

enum { WORD = 64 };

/* ---- rows ------------------------------------------------------------------------------------ */

/* The key of a real becomes that of its negative: of zeroes there is one. */
#define POSITIVE_ZERO(key, keys, count)                    \
    for (int64_t x = 0; x < (count); x++) {                \
        const key zero = (key)1 << (8 * sizeof(key) - 1);  \
        key own = ((key *)(keys))[x];                      \
        ((key *)(keys))[x] = own == zero - 1 ? zero : own; \
    }

static void invert(const halo_watershed *w, void *keys)
{
    unsigned char *at = keys;
    for (int64_t i = 0; i < w->columns * w->bytes; i++) {
        at[i] = (unsigned char)~at[i];
    }
    if (!halo_sample_types[w->options.type].real) {
        return;
    }
    if (w->bytes == sizeof(uint32_t)) {
        POSITIVE_ZERO(uint32_t, keys, w->columns)
    } else {
        POSITIVE_ZERO(uint64_t, keys, w->columns)
    }
}

static halo_status put(halo_watershed *w, void *to, const void *samples, bool high)
{
    HALO_TRY(watershed_keys(w->options.type, samples, w->columns, to));
    if (high) {
        invert(w, to);
    }
    return HALO_OK;
}

halo_status watershed_levels_put_image(halo_watershed *w, int64_t row, const void *samples,
                                       bool high)
{
    watershed_clear(w);
    return put(w, watershed_key(w, w->image, watershed_row(w, row)), samples, high);
}

/* Loops over keys are written once for all sizes of them. */
#define BY_SIZE(w, WHAT, ...)       \
    switch ((w)->bytes) {           \
    case sizeof(uint8_t):           \
        WHAT(uint8_t, __VA_ARGS__)  \
        break;                      \
    case sizeof(uint16_t):          \
        WHAT(uint16_t, __VA_ARGS__) \
        break;                      \
    case sizeof(uint32_t):          \
        WHAT(uint32_t, __VA_ARGS__) \
        break;                      \
    default:                        \
        WHAT(uint64_t, __VA_ARGS__) \
    }

/* Levels outside are the largest, too; their memory is not touched before there are any. */
static void clear_levels(halo_watershed *w)
{
    if (!w->levels_cleared) {
        memset(w->level, -1, (size_t)(w->cells * w->bytes));
    }
    w->levels_cleared = true;
}

#define CUT(key, level, image, count)                                     \
    for (int64_t x = 0; x < (count); x++) {                               \
        key own = ((key *)(level))[x], least = ((const key *)(image))[x]; \
        ((key *)(level))[x] = own < least ? least : own;                  \
    }

halo_status watershed_levels_put(halo_watershed *w, int64_t row, const void *samples, bool high)
{
    int64_t cell = watershed_row(w, row);
    void *level = watershed_key(w, w->level, cell);
    const void *image = watershed_key(w, w->image, cell);
    clear_levels(w);
    HALO_TRY(put(w, level, samples, high));
    BY_SIZE(w, CUT, level, image, w->columns)
    return HALO_OK;
}

/* ---- heights --------------------------------------------------------------------------------- */

/* The next key is the next sample: heights that the type cannot add are so large. The key of
 * infinity stays. */
#define STEP(key, level, image, count)                                                 \
    for (int64_t x = 0; x < (count); x++) {                                            \
        key own = ((key *)(level))[x];                                                 \
        ((key *)(level))[x] = (key)(own + (own == ((const key *)(image))[x] ? 1 : 0)); \
    }

static void raise_cells(const halo_watershed *w, int64_t cell, int64_t count, double height,
                        void *raised)
{
    const void *image = watershed_key(w, w->image, cell);
    watershed_raise(w->options.type, height, image, count, raised);
    if (halo_sample_types[w->options.type].real) {
        BY_SIZE(w, STEP, raised, image, count)
    }
}

void watershed_levels_raise(halo_watershed *w, double height)
{
    clear_levels(w);
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        int64_t cell = watershed_row(w, row);
        raise_cells(w, cell, w->columns, height, watershed_key(w, w->level, cell));
    }
}

halo_status watershed_levels_settle(halo_watershed *w)
{
    return watershed_settle_levels(w);
}

#define RANGE(key, image, count, low, high)       \
    for (int64_t x = 0; x < (count); x++) {       \
        uint64_t own = ((const key *)(image))[x]; \
        *(low) = own < *(low) ? own : *(low);     \
        *(high) = own > *(high) ? own : *(high);  \
    }

/* The sample of a key as a double. */
static double real_of(const halo_watershed *w, uint64_t key)
{
    float narrow;
    double value;
    if (w->bytes == sizeof(uint32_t)) {
        uint32_t bits = (uint32_t)key;
        bits = bits >> 31 != 0 ? bits ^ UINT32_C(1) << 31 : ~bits;
        memcpy(&narrow, &bits, sizeof narrow);
        return narrow;
    }
    key = key >> 63 != 0 ? key ^ UINT64_C(1) << 63 : ~key;
    memcpy(&value, &key, sizeof value);
    return value;
}

halo_status watershed_levels_compare_spread(halo_watershed *w, double height, int *spread)
{
    const double beyond = 18446744073709551616.0; /* 2^64 */
    uint64_t low = UINT64_MAX, high = 0;
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        const void *image = watershed_key(w, w->image, watershed_row(w, row));
        BY_SIZE(w, RANGE, image, w->columns, &low, &high)
    }
    int64_t ends[2]; /* as signed numbers in the same order */
    ends[0] = (int64_t)(~low ^ UINT64_C(1) << 63);
    ends[1] = (int64_t)(high ^ UINT64_C(1) << 63);
    HALO_TRY(halo_allreduce_max(w->world, ends, 2));
    low = ~((uint64_t)ends[0] ^ UINT64_C(1) << 63);
    high = (uint64_t)ends[1] ^ UINT64_C(1) << 63;
    if (halo_sample_types[w->options.type].real) {
        double range = real_of(w, high) - real_of(w, low);
        *spread = range > height ? 1 : range == height ? 0 : -1; /* NaN of infinities: less */
        return HALO_OK;
    }
    uint64_t range = high - low, whole = height < beyond ? (uint64_t)height : UINT64_MAX;
    bool rest = height >= beyond || (double)whole < height;
    *spread = range > whole ? 1 : range == whole && !rest ? 0 : -1;
    return HALO_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

halo_status watershed_levels_find_minima(halo_watershed *w, bool levels, bool borders, int axes)
{
    return watershed_find_regional(w, levels ? w->level : w->image, borders, axes);
}

/* Bits of `count` bytes, of which bit `place` is taken; bytes up to a multiple of 8 are read. A
 * product gathers the bits of 8 of them. */
static void pack(const uint8_t *bytes, int64_t count, int place, uint64_t *bits)
{
    enum { TOGETHER = 8 };
    memset(bits, 0, (size_t)((count + WORD - 1) / WORD) * sizeof *bits);
    for (int64_t x = 0; x < count; x += TOGETHER) {
        uint64_t some, left = (uint64_t)halo_min(TOGETHER, count - x);
        memcpy(&some, bytes + x, sizeof some);
        some = (some >> place & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
        bits[x / WORD] |= (some & ((UINT64_C(1) << left) - 1)) << x % WORD;
    }
}

void watershed_levels_minima_row(const halo_watershed *w, int64_t row, uint64_t *bits)
{
    enum { PLACE = 1 }; /* of WATERSHED_MINIMUM; behind a row there are other cells */
    pack(w->states + watershed_row(w, row), w->columns, PLACE, bits);
}

/* A level that cannot be raised so far begins lower, and is none. */
#define UNMOVED(key, image, level, raised, least, count, stays)                  \
    for (int64_t x = 0; x < (count); x++) {                                      \
        key up = ((const key *)(raised))[x];                                     \
        key rise = (key)(up - ((const key *)(image))[x]);                        \
        (stays)[x] = (((const key *)(level))[x] == up) & (rise >= (key)(least)); \
    }

void watershed_levels_unmoved_row(const halo_watershed *w, int64_t row, double height,
                                  uint64_t *bits)
{
    enum { PIECE = 8 * WORD };
    uint64_t raised[PIECE];
    uint8_t stays[PIECE];
    uint64_t least = halo_sample_types[w->options.type].real ? 0 : (uint64_t)height;
    for (int64_t first = 0; first < w->columns; first += PIECE) {
        int64_t count = halo_min(PIECE, w->columns - first), cell = watershed_row(w, row) + first;
        const void *image = watershed_key(w, w->image, cell);
        const void *level = watershed_key(w, w->level, cell);
        raise_cells(w, cell, count, height, raised);
        BY_SIZE(w, UNMOVED, image, level, raised, least, count, stays)
        pack(stays, count, 0, bits + first / WORD);
    }
}

void watershed_levels_row(const halo_watershed *w, int64_t row, bool high, void *samples)
{
    memcpy(samples, watershed_key(w, w->level, watershed_row(w, row)),
           (size_t)(w->columns * w->bytes));
    if (high) {
        invert(w, samples);
    }
    watershed_samples(w->options.type, w->columns, samples);
}
