#include "base/memory.h"
#include "kernels/walk/walk_internal.h"

/* Which cells around each are fluid: a word a cell, read once for the two or three steps that
 * follow. That the bits of all cells within reach are different ones follows from the turns, which
 * were found by trying. */

enum { WORD = 32, CENTRE = WORD - 1, MOST = 32 /* cells within reach, of two axes and of three */ };

static const int reach_of[] = {[2] = WALK_FLAT_REACH, [3] = WALK_DEEP_REACH};
static const int share_of[] = {[2] = WALK_FLAT_SHARE, [3] = WALK_DEEP_SHARE};
static const int turn_of[][HALO_WALK_AXES] = {[2] = {1, 7, 0}, [3] = {1, 5, 9}};

typedef struct {
    int64_t offset; /* in the padded cells */
    int bit;
} near_cell;

static int magnitude(int i)
{
    return i < 0 ? -i : i;
}

static int list_near(int axes, const walk_padded *padded, near_cell near[MOST])
{
    int reach = reach_of[axes], deep = axes == 3 ? reach : 0, count = 0;
    int last = (1 << share_of[axes]) - 1;
    const int *turn = turn_of[axes];
    for (int z = -deep; z <= deep; z++) {
        for (int y = -reach; y <= reach; y++) {
            for (int x = -reach; x <= reach + last; x++) {
                int beside = x < 0 ? -x : x > last ? x - last : 0;
                if (beside + magnitude(y) + magnitude(z) <= reach) {
                    near[count++] = (near_cell){
                        .offset = x + y * padded->stride[1] + z * padded->stride[2],
                        .bit =
                            (CENTRE + 2 * WORD + x * turn[0] + y * turn[1] + z * turn[2]) % WORD};
                }
            }
        }
    }
    return count;
}

static void make_row(const unsigned char *cells, const near_cell *near, int count, int share,
                     int64_t n, uint32_t *restrict words)
{
    for (int i = 0; i < count; i++) {
        const unsigned char *at = cells + near[i].offset;
        const int bit = near[i].bit;
        for (int64_t x = 0; x < n; x++) {
            words[x] |= (uint32_t)(at[x << share] == WALK_FLUID) << bit;
        }
    }
}

/* For every outcome of a step, set the rotation of the word and the change of place. */
static void set_steps(walk_table *table)
{
    int sides = 2 * table->axes;
    for (int i = 0; i < WALK_LOOK_UP; i++) {
        int side = table->axes == 2 ? i % sides : i % WALK_OUTCOMES % sides;
        int turn = turn_of[table->axes][side / 2];
        table->turn[i] = (uint32_t)(side % 2 == 0 ? turn : WORD - turn);
        table->hop[i] = side % 2 == 0 ? table->stride[side / 2] : -table->stride[side / 2];
    }
}

halo_status walk_make_walls(halo_walk *walk, const walk_padded *padded)
{
    walk_table *table = &walk->table;
    near_cell near[MOST];
    const int share = share_of[table->axes], *beyond = padded->beyond;
    int count = list_near(table->axes, padded, near);
    int64_t count_words = walk_count_places(table, padded) >> share;
    int64_t words_row = table->stride[1] >> share;
    HALO_TRY(HALO_ALLOCATE_LARGE(walk->around, count_words, "a medium's walls"));
    uint32_t *words = walk->around;
    for (int64_t z = beyond[2]; z < padded->n[2] - beyond[2]; z++) {
        for (int64_t y = beyond[1]; y < padded->n[1] - beyond[1]; y++, words += words_row) {
            const unsigned char *cells =
                padded->cells + beyond[0] + y * padded->stride[1] + z * padded->stride[2];
            make_row(cells, near, count, share, words_row, words);
        }
    }
    table->around = walk->around;
    walk->facts.table_bytes = count_words * (int64_t)sizeof *walk->around;
    set_steps(table);
    return HALO_OK;
}
