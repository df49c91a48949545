#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/distance/distance.h"
#include "kernels/split/split_internal.h"

#include <string.h>

/* Keys of cells, from distances or from samples. */

void split_clear_range(halo_split *s, int64_t from, int64_t to)
{
    memset(s->ways + from, SPLIT_OUTSIDE, (size_t)(to - from));
    memset(split_key_at(s, from), -1, (size_t)(to - from) * split_key_bytes(s->width));
}

/* ---- how many bits keys have ----------------------------------------------------------------- */

/* Samples have room for a key beyond all. */
static split_width width_of_samples(halo_sample_type type)
{
    size_t bytes = halo_sample_types[type].bytes;
    return type == HALO_SAMPLE_BIT || bytes < sizeof(uint16_t) ? SPLIT_16
           : bytes == sizeof(uint16_t)                         ? SPLIT_32
                                                               : SPLIT_64;
}

split_width split_first_width(const halo_split_options *options)
{
    return options->by == HALO_SPLIT_DISTANCE ? SPLIT_16 : width_of_samples(options->type);
}

/* Squares of distances have 32 bits where no two pixels are farther apart. */
split_width split_widest(const halo_domain *domain, const halo_split_options *options)
{
    if (options->by == HALO_SPLIT_INTENSITY) {
        return width_of_samples(options->type);
    }
    double square = 0;
    for (int axis = 0; axis < domain->axes; axis++) {
        square += (double)domain->n[axis] * (double)domain->n[axis];
    }
    return square >= UINT32_MAX ? SPLIT_64 : SPLIT_32;
}

/* From the last cell on, as each takes more room than before. */
#define WIDEN(key, limit)                                                          \
    for (int64_t i = s->cells - 1; i >= 0; i--) {                                  \
        ((key *)s->keys)[i] = (limit)-UINT16_MAX + ((const uint16_t *)s->keys)[i]; \
    }

static void widen(halo_split *s)
{
    if (s->width != SPLIT_16) {
        return;
    }
    s->width = s->widest;
    if (s->width == SPLIT_32) {
        WIDEN(uint32_t, UINT32_MAX)
    } else {
        WIDEN(uint64_t, UINT64_MAX)
    }
}

/* ---- distances ------------------------------------------------------------------------------- */

/* Squares of one type as keys; the largest one of U32 and U64 stands for infinity. */
#define PUT(key, type, limit)                               \
    for (int64_t x = 0; x < row->count; x++) {              \
        type square = ((const type *)row->squares)[x];      \
        ((key *)keys)[x] = (key)((limit)-square);           \
        ways[x] = square == 0 ? SPLIT_OUTSIDE : SPLIT_FLAT; \
    }

static halo_status take_distances(void *context, const halo_distance_row *row)
{
    halo_split *s = context;
    if (row->type != HALO_SAMPLE_U16) {
        widen(s);
    }
    int64_t cell = split_row(s, row->row - s->lo * s->layer_rows);
    void *keys = split_key_at(s, cell);
    uint8_t *ways = s->ways + cell;
    if (s->width == SPLIT_16) {
        PUT(uint16_t, uint16_t, UINT16_MAX)
    } else if (row->type == HALO_SAMPLE_U16 && s->width == SPLIT_32) {
        PUT(uint32_t, uint16_t, UINT32_MAX)
    } else if (row->type == HALO_SAMPLE_U32 && s->width == SPLIT_32) {
        PUT(uint32_t, uint32_t, UINT32_MAX)
    } else if (row->type == HALO_SAMPLE_U32) {
        PUT(uint64_t, uint32_t, UINT64_MAX)
    } else if (row->type == HALO_SAMPLE_U16) {
        PUT(uint64_t, uint16_t, UINT64_MAX)
    } else {
        PUT(uint64_t, uint64_t, UINT64_MAX)
    }
    return HALO_OK;
}

/* Ranks exchange keys of one size. */
static halo_status agree_on_width(halo_split *s)
{
    int64_t width = s->width;
    HALO_TRY(halo_allreduce_max(s->world, &width, 1));
    if (width != SPLIT_16) {
        widen(s);
    }
    return HALO_OK;
}

halo_status halo_split_put_distances(halo_split *s, const halo_view *bits)
{
    const halo_distance_options options = {.instructions = s->options.instructions};
    halo_distance_report report;
    HALO_TRY(halo_distance_run(s->world, &s->domain, bits, &options, take_distances, s, &report));
    s->report.foreground = report.foreground;
    return agree_on_width(s);
}

/* ---- samples --------------------------------------------------------------------------------- */

enum { WORD = 64 };

static inline bool is_inside(const uint64_t *bits, int64_t x)
{
    return (bits[x / WORD] >> x % WORD & 1) != 0;
}

/* Keys of samples of up to 16 bits, below that of cells outside. */
#define NARROW_ROW(code, type, key)                                                           \
    static void narrow_row_of_##code(const void *samples, int64_t count, bool dark, void *to) \
    {                                                                                         \
        const int32_t middle = INT32_C(1) << (8 * sizeof(key) - 2);                           \
        const type *from = samples;                                                           \
        key *keys = to;                                                                       \
        for (int64_t x = 0; x < count; x++) {                                                 \
            int32_t value = from[x];                                                          \
            keys[x] = (key)(dark ? middle + value : middle - value);                          \
        }                                                                                     \
    }
NARROW_ROW(U8, uint8_t, uint16_t)
NARROW_ROW(I8, int8_t, uint16_t)
NARROW_ROW(U16, uint16_t, uint32_t)
NARROW_ROW(I16, int16_t, uint32_t)

static void narrow_row_of_BIT(const void *samples, int64_t count, bool dark, void *to)
{
    uint16_t *keys = to;
    for (int64_t x = 0; x < count; x++) {
        keys[x] = is_inside(samples, x) == dark;
    }
}

static void put_narrow(const halo_split *s, int64_t cell, const void *samples)
{
    static void (*const rows[HALO_SAMPLE_TYPES])(const void *, int64_t, bool,
                                                 void *) = {[HALO_SAMPLE_BIT] = narrow_row_of_BIT,
                                                            [HALO_SAMPLE_U8] = narrow_row_of_U8,
                                                            [HALO_SAMPLE_I8] = narrow_row_of_I8,
                                                            [HALO_SAMPLE_U16] = narrow_row_of_U16,
                                                            [HALO_SAMPLE_I16] = narrow_row_of_I16};
    rows[s->options.type](samples, s->columns, s->options.dark, split_key_at(s, cell));
}

/* The same of other samples. Returns false for NaN in the foreground. */
static bool put_wide(const halo_split *s, int64_t cell, const void *samples, const uint64_t *bits)
{
    const halo_sample_type type = s->options.type;
    const halo_sample_type_entry *of = &halo_sample_types[type];
    uint64_t *keys = (uint64_t *)s->keys + cell;
    bool are = true;
    for (int64_t x = 0; x < s->columns; x++) {
        int64_t own = halo_sample_key_of(type, samples, x);
        uint64_t key = (uint64_t)own ^ UINT64_C(1) << 63;
        keys[x] = s->options.dark ? key : ~key;
        are &= !of->real || !is_inside(bits, x) || (own >= of->key_min && own <= of->key_max);
    }
    return are;
}

/* Cells of a row that are outside. */
static void cover(halo_split *s, int64_t cell, const uint64_t *bits)
{
    for (int64_t first = 0; first < s->columns; first += WORD) {
        int64_t end = halo_min(first + WORD, s->columns);
        uint64_t word = bits[first / WORD];
        memset(s->ways + cell + first, SPLIT_FLAT, (size_t)(end - first));
        s->report.foreground += __builtin_popcountll(word);
        for (int64_t x = first; x < end && ~word != 0; x++) {
            if (!is_inside(bits, x)) {
                split_clear_range(s, cell + x, cell + x + 1);
            }
        }
    }
}

halo_status halo_split_put_row(halo_split *s, int64_t row, const void *samples,
                               const uint64_t *bits)
{
    int64_t cell = split_row(s, row);
    bool are = true;
    if (s->width == SPLIT_64) {
        are = put_wide(s, cell, samples, bits);
    } else {
        put_narrow(s, cell, samples);
    }
    cover(s, cell, bits);
    return HALO_REQUIRE(are, HALO_ARGUMENT,
                        "the foreground has NaN, which is neither higher nor lower than other "
                        "samples; leave it out of the foreground");
}
