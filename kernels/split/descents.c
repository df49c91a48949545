#include "kernels/split/split_internal.h"

#include <string.h>

/* Step 1: each cell points to its deepest neighbour below it. */

static halo_status list_flats(halo_split *s, int64_t cell)
{
    const uint8_t *ways = s->ways + cell;
    for (int64_t x = 0; x < s->columns; x++) {
        const uint8_t *found = memchr(ways + x, SPLIT_FLAT, (size_t)(s->columns - x));
        if (found == NULL) {
            break;
        }
        x = found - ways;
        HALO_TRY(split_add(&s->flats, cell + x));
    }
    return HALO_OK;
}

static halo_status descend_strip(halo_split *s)
{
    int64_t rows = split_row_count(s);
    s->flats.count = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t cell = split_row(s, row);
        if (s->ops->descend[s->width](&s->around, split_key_at(s, cell), s->ways + cell)) {
            HALO_TRY(list_flats(s, cell));
        }
        HALO_TRY(split_watch(s, 1));
    }
    return HALO_OK;
}

halo_status split_descend(halo_split *s)
{
    HALO_TRY(split_exchange(s, s->keys, split_key_bytes(s->width)));
    HALO_TRY(halo_agree(s->world, descend_strip(s)));
    return split_exchange(s, s->ways, sizeof *s->ways);
}
