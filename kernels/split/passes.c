#include "base/memory.h"
#include "kernels/split/split_internal.h"

#include <string.h>

/* Step 4: the lowest passes between basins, and the first cells of basins. */

/* Passes from a cell to its later neighbours. The last one of the cell before is often the same. */
static halo_status add_passes(halo_split *s, int64_t cell, split_pass *last)
{
    int32_t own = s->global[s->numbers[cell]];
    uint64_t key = split_key(s, cell);
    for (int k = s->around.count / 2; k < s->around.count; k++) {
        int64_t at = cell + s->around.step[k];
        int32_t other = s->global[s->numbers[at]];
        if (other == own || other == 0) {
            continue;
        }
        uint64_t beside = split_key(s, at), pass = beside > key ? beside : key;
        if (last->a == own && last->b == other && last->key <= pass) {
            continue;
        }
        *last = (split_pass){pass, own, other};
        HALO_TRY(split_passes_put(&s->passes, own, other, pass));
    }
    return HALO_OK;
}

/* Among all cells of the domain, in raster order. */
static uint64_t place_of(const halo_split *s, int64_t row, int64_t x)
{
    return (uint64_t)((s->lo * s->layer_rows + row) * s->columns + x);
}

static halo_status take_flag(halo_split *s, int64_t row, int64_t x, uint8_t *seen, split_pass *last)
{
    int64_t cell = split_row(s, row) + x;
    int32_t number = s->numbers[cell];
    if ((s->flags[x] & SPLIT_BEGINS) != 0 && !seen[number]) {
        seen[number] = 1;
        HALO_TRY(split_passes_put(&s->passes, 0, s->global[number], place_of(s, row, x)));
    }
    return (s->flags[x] & SPLIT_DIFFERS) != 0 ? add_passes(s, cell, last) : HALO_OK;
}

/* Takes the flags of a row's cells; eight at a time are looked at. */
static halo_status take_flags(halo_split *s, int64_t row, uint8_t *seen, split_pass *last)
{
    enum { TOGETHER = 8 };
    for (int64_t first = 0; first < s->columns; first += TOGETHER) {
        uint64_t any;
        memcpy(&any, s->flags + first, sizeof any);
        for (int64_t x = first; any != 0 && x < first + TOGETHER; x++) {
            if (s->flags[x] != 0) {
                HALO_TRY(take_flag(s, row, x, seen, last));
            }
        }
    }
    return HALO_OK;
}

static halo_status scan(halo_split *s, uint8_t *seen)
{
    split_pass last = {.a = 0};
    for (int64_t row = 0; row < split_row_count(s); row++) {
        if (s->ops->borders(&s->around, s->numbers + split_row(s, row), s->flags)) {
            HALO_TRY(take_flags(s, row, seen, &last));
        }
        HALO_TRY(split_watch(s, 2));
    }
    return HALO_OK;
}

halo_status split_find_passes(halo_split *s)
{
    uint8_t *seen;
    HALO_TRY(HALO_ALLOCATE_LARGE(seen, s->minima + 1 + 2 * s->layer, "first pixels of basins"));
    halo_status status = scan(s, seen);
    halo_memory_free(seen);
    return status;
}
