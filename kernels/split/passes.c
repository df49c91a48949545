#include "base/memory.h"
#include "kernels/split/split_internal.h"

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

static halo_status add_firsts(halo_split *s, int64_t row, uint8_t *seen)
{
    int64_t cell = split_row(s, row);
    if (!s->ops->begin(s->columns, s->numbers + cell, s->flags)) {
        return HALO_OK;
    }
    for (int64_t x = 0; x < s->columns; x++) {
        int32_t number = s->numbers[cell + x];
        if (s->flags[x] != 0 && !seen[number]) {
            seen[number] = 1;
            HALO_TRY(split_passes_put(&s->passes, 0, s->global[number], place_of(s, row, x)));
        }
    }
    return HALO_OK;
}

static halo_status scan(halo_split *s, uint8_t *seen)
{
    split_pass last = {.a = 0};
    for (int64_t row = 0; row < split_row_count(s); row++) {
        int64_t cell = split_row(s, row);
        HALO_TRY(add_firsts(s, row, seen));
        if (s->ops->differ(&s->around, s->numbers + cell, s->flags)) {
            for (int64_t x = 0; x < s->columns; x++) {
                if (s->flags[x] != 0) {
                    HALO_TRY(add_passes(s, cell + x, &last));
                }
            }
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
