#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/keys.h"
#include "kernels/filter/rank.h"

#include <stdlib.h>
#include <string.h>

/* Ranks by counting, for windows of any size: a window moves along a row, and samples that come in
 * and go are counted (Huang, Yang and Tang 1979). Counts are kept for samples, for groups of 64 of
 * them, and so on, so that a rank is found in few steps. Keys of more than 16 bits are first
 * replaced by their ordinals among those of the rows that are read together. */

enum { BITS = 6, FAN = 1 << BITS, LEVELS = 6, TOGETHER = 32, DIGIT = 8, DIGITS = 1 << DIGIT };

typedef struct {
    int64_t key;
    int64_t place;
} entry;

typedef struct {
    const filter_rank_window *what;
    halo_sample_type type;
    int64_t planes, rows, columns; /* of the window */
    int64_t together;              /* rows that are computed from the same ordinals */
    int64_t length;                /* samples of a row and those at its sides */
    uint32_t *ordinal;             /* [planes][together + rows - 1][length] */
    int64_t *key;                  /* by ordinal; NULL: ordinals are keys */
    entry *entry, *sorted;         /* samples while they are sorted */
    int64_t *begin;                /* [DIGITS + 1] */
    int levels;
    uint32_t *count[LEVELS]; /* of ordinals, and of groups of FAN of those of the level below */
} counted;

/* ---- ordinals -------------------------------------------------------------------------------- */

static uint32_t *ordinals_of(const counted *c, int64_t plane, int64_t row)
{
    return c->ordinal + (plane * (c->together + c->rows - 1) + row) * c->length;
}

/* Sorts entries by 8 bits after 8 bits of their keys. */
static void sort_entries(counted *c, int64_t count)
{
    int digits = (int)halo_sample_types[c->type].bytes * 8 / DIGIT;
    for (int digit = 0; digit < digits; digit++) {
        int shift = DIGIT * digit;
        uint64_t flip = digit + 1 == digits ? (uint64_t)DIGITS / 2 : 0;
        memset(c->begin, 0, (DIGITS + 1) * sizeof *c->begin);
        for (int64_t i = 0; i < count; i++) {
            c->begin[(((uint64_t)c->entry[i].key >> shift & (DIGITS - 1)) ^ flip) + 1]++;
        }
        for (int i = 0; i < DIGITS; i++) {
            c->begin[i + 1] += c->begin[i];
        }
        for (int64_t i = 0; i < count; i++) {
            uint64_t value = ((uint64_t)c->entry[i].key >> shift & (DIGITS - 1)) ^ flip;
            c->sorted[c->begin[value]++] = c->entry[i];
        }
        entry *other = c->entry;
        c->entry = c->sorted;
        c->sorted = other;
    }
}

static void number_entries(counted *c, int64_t count)
{
    uint32_t number = 0;
    sort_entries(c, count);
    for (int64_t i = 0; i < count; i++) {
        number += i > 0 && c->entry[i].key != c->entry[i - 1].key ? 1 : 0;
        c->key[number] = c->entry[i].key;
        c->ordinal[c->entry[i].place] = number;
    }
}

/* Takes over a row of keys: those of 8 and 16 bits are ordinals, others become entries. */
static void read_row(counted *c, const void *row, uint32_t *ordinal, int64_t *entries)
{
    const int64_t first = -c->what->window.before[2];
    switch (c->type) {
    case HALO_SAMPLE_U8:
        for (int64_t x = 0; x < c->length; x++) {
            ordinal[x] = ((const uint8_t *)row)[first + x];
        }
        break;
    case HALO_SAMPLE_U16:
        for (int64_t x = 0; x < c->length; x++) {
            ordinal[x] = ((const uint16_t *)row)[first + x];
        }
        break;
    default:
        for (int64_t x = 0; x < c->length; x++) {
            int64_t key = c->type == HALO_SAMPLE_I32 ? ((const int32_t *)row)[first + x]
                                                     : ((const int64_t *)row)[first + x];
            c->entry[(*entries)++] = (entry){key, ordinal - c->ordinal + x};
        }
    }
}

/* Ordinals of the samples that `count` rows from `y` on need. */
static void read_rows(counted *c, const filter_tile *tile, int64_t y, int64_t count)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < c->planes; k++) {
        for (int64_t i = 0; i < count + c->rows - 1; i++) {
            read_row(c, tile->in[k * tile->in_pitch + y + i], ordinals_of(c, k, i), &entries);
        }
    }
    if (c->key != NULL) {
        number_entries(c, entries);
    }
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Counts the samples of column `x` of the window of row `i`, or with -1 no longer. */
static void count_column(const counted *c, int64_t i, int64_t x, uint32_t by)
{
    for (int64_t k = 0; k < c->planes; k++) {
        const uint32_t *at = ordinals_of(c, k, i) + x;
        for (int64_t j = 0; j < c->rows; j++, at += c->length) {
            uint32_t ordinal = *at;
            for (int level = 0; level < c->levels; level++, ordinal >>= BITS) {
                c->count[level][ordinal] += by;
            }
        }
    }
}

static uint32_t find_rank(const counted *c)
{
    uint32_t at = 0, rank = (uint32_t)c->what->rank;
    for (int level = c->levels - 1; level >= 0; level--) {
        at <<= BITS;
        while (rank >= c->count[level][at]) {
            rank -= c->count[level][at++];
        }
    }
    return at;
}

static void put(const counted *c, uint32_t ordinal, int64_t x, void *out)
{
    switch (c->type) {
    case HALO_SAMPLE_U8:
        ((uint8_t *)out)[x] = (uint8_t)ordinal;
        break;
    case HALO_SAMPLE_U16:
        ((uint16_t *)out)[x] = (uint16_t)ordinal;
        break;
    case HALO_SAMPLE_I32:
        ((int32_t *)out)[x] = (int32_t)c->key[ordinal];
        break;
    default:
        ((int64_t *)out)[x] = c->key[ordinal];
    }
}

static void make_row(const counted *c, int64_t i, int64_t width, void *out)
{
    const uint32_t less = (uint32_t)-1;
    for (int64_t x = 0; x < c->columns; x++) {
        count_column(c, i, x, 1);
    }
    for (int64_t x = 0; x < width; x++) {
        put(c, find_rank(c), x, out);
        count_column(c, i, x, less);
        if (x + 1 < width) {
            count_column(c, i, x + c->columns, 1);
        }
    }
    for (int64_t x = width; x < c->length; x++) {
        count_column(c, i, x, less);
    }
}

void filter_counted_rows(const filter_tile *tile)
{
    counted *c = tile->state;
    for (int64_t y = 0; y < tile->rows; y += c->together) {
        int64_t count = halo_min(c->together, tile->rows - y);
        read_rows(c, tile, y, count);
        for (int64_t i = 0; i < count; i++) {
            make_row(c, i, tile->width, tile->out[y + i]);
            if (filter_tile_ends(tile, c->planes * c->rows * tile->width)) {
                return;
            }
        }
    }
}

/* ---- the state of a rank --------------------------------------------------------------------- */

static halo_status create(counted *c, const filter_step *step)
{
    static const char what[] = "counts of samples";
    c->planes = filter_window_size(&c->what->window, 0);
    c->rows = filter_window_size(&c->what->window, 1);
    c->columns = filter_window_size(&c->what->window, 2);
    c->together = halo_min(TOGETHER, step->axes == 1 ? 1 : step->n[1]);
    c->length = step->n[2] + c->columns - 1;
    int64_t samples = c->planes * (c->together + c->rows - 1) * c->length;
    HALO_TRY(HALO_ALLOCATE_LARGE(c->ordinal, samples, what));
    bool direct = c->type == HALO_SAMPLE_U8 || c->type == HALO_SAMPLE_U16;
    if (!direct) {
        HALO_TRY(HALO_ALLOCATE_LARGE(c->key, samples, what));
        HALO_TRY(HALO_ALLOCATE_LARGE(c->entry, samples, what));
        HALO_TRY(HALO_ALLOCATE_LARGE(c->sorted, samples, what));
        HALO_TRY(HALO_ALLOCATE(c->begin, DIGITS + 1, what));
    }
    int64_t values = c->type == HALO_SAMPLE_U8 ? UINT8_MAX + 1 : direct ? UINT16_MAX + 1 : samples;
    do {
        HALO_TRY(HALO_ALLOCATE_LARGE(c->count[c->levels], values + 1, what));
        c->levels++;
        values = (values + FAN - 1) / FAN;
    } while (values > 1 && c->levels < LEVELS);
    return HALO_OK;
}

halo_status filter_counted_create(void **state, const filter_step *step, const filter_part *part,
                                  const char *instructions)
{
    counted *c;
    (void)instructions; /* there is one way */
    HALO_TRY(HALO_ALLOCATE(c, 1, "a filter"));
    *state = c;
    c->what = part->own;
    c->type = part->in;
    return create(c, step);
}

void filter_counted_destroy(void *state)
{
    counted *c = state;
    if (c == NULL) {
        return;
    }
    for (int level = 0; level < c->levels; level++) {
        halo_memory_free(c->count[level]);
    }
    halo_memory_free(c->ordinal);
    halo_memory_free(c->key);
    halo_memory_free(c->entry);
    halo_memory_free(c->sorted);
    free(c->begin);
    free(c);
}
