#include "base/memory.h"
#include "kernels/split/split_internal.h"

#include <stdlib.h>
#include <string.h>

/* Step 4: the lowest passes between basins, and the first cells of basins. */

/* The passes that were met last, by numbers of the strip: a border between two basins is met in
 * many cells, and the table is larger than the cache. */
enum { RECENT_BITS = 12, RECENT = 1 << RECENT_BITS };
typedef struct {
    uint8_t *seen;              /* numbers whose first cell is known */
    split_pass entries[RECENT]; /* b = 0: none */
} recent_passes;

static halo_status put_pass(halo_split *s, const split_pass *pass)
{
    int32_t a = s->global[pass->a], b = s->global[pass->b];
    return a == b || a == 0 || b == 0 ? HALO_OK : split_passes_put(&s->passes, a, b, pass->key);
}

static halo_status add_pass(halo_split *s, recent_passes *recent, const split_pass *pass)
{
    const uint32_t mix = UINT32_C(0x9e3779b1), other = UINT32_C(0x85ebca77);
    enum { BITS = 32 };
    uint32_t hash = (uint32_t)pass->a * mix ^ (uint32_t)pass->b * other;
    split_pass *entry = &recent->entries[hash >> (BITS - RECENT_BITS)];
    if (entry->a == pass->a && entry->b == pass->b) {
        entry->key = pass->key < entry->key ? pass->key : entry->key;
        return HALO_OK;
    }
    const split_pass before = *entry;
    *entry = *pass;
    return before.b != 0 ? put_pass(s, &before) : HALO_OK;
}

/* Passes from a cell to its later neighbours. */
static halo_status add_passes(halo_split *s, int64_t cell, recent_passes *recent)
{
    int32_t own = s->numbers[cell];
    uint64_t key = split_key(s, cell);
    for (int k = s->around.count / 2; k < s->around.count; k++) {
        int64_t at = cell + s->around.step[k];
        int32_t other = s->numbers[at];
        if (other != own && other != 0) {
            uint64_t beside = split_key(s, at);
            bool swaps = other < own;
            const split_pass pass = {beside > key ? beside : key, swaps ? other : own,
                                     swaps ? own : other};
            HALO_TRY(add_pass(s, recent, &pass));
        }
    }
    return HALO_OK;
}

/* Among all cells of the domain, in raster order. */
static uint64_t place_of(const halo_split *s, int64_t row, int64_t x)
{
    return (uint64_t)((s->lo * s->layer_rows + row) * s->columns + x);
}

static halo_status take_flag(halo_split *s, int64_t row, int64_t x, recent_passes *recent)
{
    int64_t cell = split_row(s, row) + x;
    int32_t number = s->numbers[cell];
    if ((s->flags[x] & SPLIT_BEGINS) != 0 && !recent->seen[number]) {
        recent->seen[number] = 1;
        HALO_TRY(split_passes_put(&s->passes, 0, s->global[number], place_of(s, row, x)));
    }
    return (s->flags[x] & SPLIT_DIFFERS) != 0 ? add_passes(s, cell, recent) : HALO_OK;
}

/* Takes the flags of a row's cells; eight at a time are looked at. */
static halo_status take_flags(halo_split *s, int64_t row, recent_passes *recent)
{
    enum { TOGETHER = 8 };
    for (int64_t first = 0; first < s->columns; first += TOGETHER) {
        uint64_t any;
        memcpy(&any, s->flags + first, sizeof any);
        for (int64_t x = first; any != 0 && x < first + TOGETHER; x++) {
            if (s->flags[x] != 0) {
                HALO_TRY(take_flag(s, row, x, recent));
            }
        }
    }
    return HALO_OK;
}

static halo_status scan(halo_split *s, recent_passes *recent)
{
    for (int64_t row = 0; row < split_row_count(s); row++) {
        if (s->ops->borders(&s->around, s->numbers + split_row(s, row), s->flags)) {
            HALO_TRY(take_flags(s, row, recent));
        }
        HALO_TRY(split_watch(s, 2));
    }
    for (int i = 0; i < RECENT; i++) {
        HALO_TRY(recent->entries[i].b != 0 ? put_pass(s, &recent->entries[i]) : HALO_OK);
    }
    return HALO_OK;
}

halo_status split_find_passes(halo_split *s)
{
    static const char what[] = "first pixels and passes of basins";
    recent_passes *recent;
    HALO_TRY(HALO_ALLOCATE(recent, 1, what));
    halo_status status = HALO_ALLOCATE_LARGE(recent->seen, s->minima + 1 + 2 * s->layer, what);
    HALO_IF_OK(status, scan(s, recent));
    halo_memory_free(recent->seen);
    free(recent);
    return status;
}
