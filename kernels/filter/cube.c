#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/cube_ops.h"
#include "kernels/filter/rank.h"

#include <stdlib.h>

/* Medians of 3 x 3 x 3 samples: rows of the window are sorted once for the three windows that have
 * them, and two of them are merged once for both windows that have both. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_cube_ops, AVX512);

enum { WINDOW = 3, RANK = 13, LINE = 64, BLOCK = 768 /* bytes of a row that are taken together */ };

typedef struct {
    const filter_cube_ops *ops;
    halo_sample_type type;
    int64_t block; /* samples */
    size_t pitch;  /* of a list */
    char *memory;  /* [FILTER_CUBE_ROWS][FILTER_CUBE_LIST][pitch] a ring of sorted rows */
} cube;

bool filter_cube_fits(const filter_rank_window *window)
{
    bool fits = window->rank == RANK;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        fits = fits && filter_window_size(&window->window, axis) == WINDOW;
    }
    return fits;
}

static char *list_of(const cube *c, int64_t row)
{
    return c->memory + (size_t)(row % FILTER_CUBE_ROWS * FILTER_CUBE_LIST) * c->pitch;
}

/* Sorts row `i` of the tile's input. */
static void sort_row(const cube *c, const filter_tile *tile, int64_t i, int64_t x, int64_t count)
{
    const int64_t bytes = (int64_t)halo_sample_types[c->type].bytes;
    const void *rows[WINDOW];
    for (int k = 0; k < WINDOW; k++) {
        rows[k] = (const char *)tile->in[k * tile->in_pitch + i] + x * bytes;
    }
    c->ops->sort[c->type](rows, count, list_of(c, i), c->pitch);
}

static void make_block(const cube *c, const filter_tile *tile, int64_t x, int64_t count)
{
    const int64_t bytes = (int64_t)halo_sample_types[c->type].bytes;
    int64_t next = 0, rows = tile->rows + WINDOW - 1;
    for (int64_t y = 0; y < tile->rows; y += 2) {
        const char *lists[FILTER_CUBE_ROWS];
        void *out[2] = {(char *)tile->out[y] + x * bytes, NULL};
        for (; next < halo_min(y + FILTER_CUBE_ROWS, rows); next++) {
            sort_row(c, tile, next, x, count);
        }
        for (int i = 0; i < FILTER_CUBE_ROWS; i++) {
            lists[i] = list_of(c, y + i);
        }
        if (y + 1 < tile->rows) {
            out[1] = (char *)tile->out[y + 1] + x * bytes;
        }
        c->ops->median[c->type](lists, c->pitch, count, out);
    }
}

void filter_cube_rows(const filter_tile *tile)
{
    const cube *c = tile->state;
    for (int64_t x = 0; x < tile->width; x += c->block) {
        int64_t count = halo_min(c->block, tile->width - x);
        make_block(c, tile, x, count);
        if (filter_tile_ends(tile, 2 * tile->rows * count)) {
            return;
        }
    }
}

halo_status filter_cube_create(void **state, const filter_step *step, const filter_part *part,
                               const char *instructions)
{
    const halo_isa_variant *variant;
    cube *c;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    HALO_TRY(HALO_ALLOCATE(c, 1, "a filter"));
    *state = c;
    c->ops = variant->ops;
    c->type = part->in;
    int64_t bytes = (int64_t)halo_sample_types[c->type].bytes;
    c->block = halo_min(BLOCK / bytes, step->n[2]);
    c->pitch = (size_t)((c->block * bytes + LINE - 1) / LINE * LINE);
    return HALO_ALLOCATE_LARGE(c->memory, FILTER_CUBE_ROWS * FILTER_CUBE_LIST * c->pitch,
                               "sorted rows");
}

void filter_cube_destroy(void *state)
{
    cube *c = state;
    if (c != NULL) {
        halo_memory_free(c->memory);
        free(c);
    }
}
