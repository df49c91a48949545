#include "base/memory.h"
#include "core/world/watch.h"
#include "kernels/split/split_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Step 3: minima, and the basins that lead to them. */

/* ---- minima ---------------------------------------------------------------------------------- */

/* Gives all cells of a minimum in the strip its number. */
static halo_status fill(halo_split *s, int64_t cell, int32_t number, split_list *list)
{
    int64_t since = 0;
    s->numbers[cell] = number;
    HALO_TRY(split_add(list, cell));
    while (list->count > 0) {
        HALO_TRY(halo_watch_piece(s->world, &since, 1));
        cell = list->cells[--list->count];
        for (int k = 0; k < s->around.count; k++) {
            int64_t other = cell + s->around.step[k];
            if (s->ways[other] == SPLIT_FLAT && s->numbers[other] == SPLIT_FAR &&
                split_is_own(s, other)) {
                s->numbers[other] = number;
                HALO_TRY(split_add(list, other));
            }
        }
    }
    return HALO_OK;
}

static halo_status number_flats(halo_split *s, split_list *list)
{
    const split_list *flats = &s->flats;
    int64_t room = 0;
    for (int64_t i = 0; i < flats->count; i++) {
        int64_t cell = flats->cells[i];
        if (s->ways[cell] == SPLIT_FLAT && s->numbers[cell] == SPLIT_FAR) {
            HALO_FAIL_IF(s->minima + 2 * s->layer >= INT32_MAX - 2, HALO_ARGUMENT,
                         "the strip of a rank has 2^31 peaks or more; use more ranks");
            if (s->minima == room) {
                HALO_TRY(halo_grow(&s->bottoms, &room, s->minima, sizeof *s->bottoms, "peaks"));
            }
            s->bottoms[s->minima++] = split_key(s, cell);
            HALO_TRY(fill(s, cell, (int32_t)s->minima, list));
        }
        HALO_TRY(halo_watch_entry(s->world, i));
    }
    return HALO_OK;
}

/* Cells of the halo get the numbers behind those of minima. */
static halo_status number_halo(halo_split *s)
{
    for (int64_t i = 0; i < 2 * s->layer; i++) {
        int64_t cell = split_halo_cell(s, i);
        bool inside = s->ways[cell] != SPLIT_OUTSIDE;
        s->numbers[cell] = inside ? (int32_t)(s->minima + 1 + i) : 0;
    }
    return HALO_OK;
}

halo_status split_number_minima(halo_split *s)
{
    split_list list = {.cells = NULL};
    halo_status status = number_flats(s, &list);
    free(list.cells);
    HALO_TRY(halo_agree(s->world, status));
    return split_is_alone(s) ? HALO_OK : number_halo(s);
}

/* ---- basins ---------------------------------------------------------------------------------- */

/* One pass over all rows. */
static halo_status pass(halo_split *s, bool back, bool *left)
{
    int64_t rows = split_row_count(s);
    *left = false;
    for (int64_t i = 0; i < rows; i++) {
        int64_t cell = split_row(s, back ? rows - 1 - i : i);
        *left |= s->ops->follow(&s->around, s->ways + cell, s->numbers + cell, back);
        HALO_TRY(split_watch(s, 1));
    }
    return HALO_OK;
}

/* Cells whose pointers turn more often. */
static void chase(halo_split *s, int64_t start)
{
    int64_t cell = start;
    while (s->numbers[cell] == 0) {
        cell += s->around.step[s->ways[cell] % SPLIT_LATER];
    }
    int32_t number = s->numbers[cell];
    for (cell = start; s->numbers[cell] == 0;) {
        s->numbers[cell] = number;
        cell += s->around.step[s->ways[cell] % SPLIT_LATER];
    }
}

/* Cells of a row that have no number; eight at a time are looked at. */
static void chase_row(halo_split *s, int64_t cell)
{
    enum { TOGETHER = 8 };
    if (!s->ops->unnumbered(s->columns, s->ways + cell, s->numbers + cell, s->flags)) {
        return;
    }
    for (int64_t first = 0; first < s->columns; first += TOGETHER) {
        uint64_t any;
        memcpy(&any, s->flags + first, sizeof any);
        for (int64_t x = first; any != 0 && x < first + TOGETHER; x++) {
            if (s->flags[x] != 0) {
                chase(s, cell + x);
            }
        }
    }
}

static halo_status follow(halo_split *s)
{
    bool left;
    HALO_TRY(pass(s, false, &left));
    HALO_TRY(left ? pass(s, true, &left) : HALO_OK);
    for (int64_t row = 0; row < split_row_count(s) && left; row++) {
        chase_row(s, split_row(s, row));
        HALO_TRY(split_watch(s, 1));
    }
    return HALO_OK;
}

halo_status split_follow(halo_split *s)
{
    return halo_agree(s->world, follow(s));
}
