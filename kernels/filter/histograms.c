#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/histogram_ops.h"
#include "kernels/filter/rank.h"

#include <stdlib.h>
#include <string.h>

/* Ranks of samples of 8 bits by histograms of columns: in images the time of a sample does not
 * depend on the window. Rows are computed in pieces whose histograms fit into the cache; of images
 * they are kept from tile to tile. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_histogram_ops, AVX512);

enum { PIECE = 768 };

typedef struct {
    const filter_rank_window *what;
    const filter_histogram_ops *ops;
    int64_t planes, rows, columns; /* of the window */
    int64_t length;                /* outputs of a piece */
    int64_t next;     /* row of an image, of whose window the histograms have all but the last row;
                       * -1: of none */
    bool wide;        /* counts of a window need 32 bits */
    bool keeps;       /* tiles are rows that follow each other */
    size_t counts;    /* of a piece */
    uint16_t *memory; /* [pieces][counts] */
    const uint8_t **in, **gone; /* [planes] */
} histograms;

static filter_histograms piece_from(const histograms *h, int64_t x, int64_t width)
{
    filter_histograms piece = {.columns = h->columns,
                               .planes = h->planes,
                               .width = halo_min(h->length, width - x),
                               .rank = (uint32_t)h->what->rank};
    piece.group = h->memory + (size_t)(x / h->length) * h->counts;
    piece.value = piece.group + (piece.width + h->columns - 1) * FILTER_GROUPS;
    return piece;
}

/* Row `i` of each plane that a tile reads, from sample x of the window of sample x on. */
static const uint8_t *const *find_rows(const histograms *h, const filter_tile *tile, int64_t i,
                                       int64_t x, const uint8_t **rows)
{
    for (int64_t k = 0; k < h->planes; k++) {
        rows[k] = (const uint8_t *)tile->in[k * tile->in_pitch + i] + x - h->what->window.before[2];
    }
    return rows;
}

static void make_piece(const histograms *h, const filter_tile *tile, int64_t x)
{
    const filter_histograms piece = piece_from(h, x, tile->width);
    if (!h->keeps || tile->row != h->next) {
        memset(piece.group, 0, h->counts * sizeof *h->memory);
        for (int64_t i = 0; i < h->rows - 1; i++) {
            h->ops->move(&piece, find_rows(h, tile, i, x, h->in), NULL);
        }
    }
    for (int64_t i = 0; i < tile->rows; i++) {
        h->ops->move(&piece, find_rows(h, tile, i + h->rows - 1, x, h->in),
                     i > 0 ? find_rows(h, tile, i - 1, x, h->gone) : NULL);
        h->ops->make[h->wide](&piece, piece.width, (uint8_t *)tile->out[i] + x);
        if (filter_tile_ends(tile, h->planes * piece.width)) {
            return;
        }
    }
    if (h->keeps) {
        h->ops->move(&piece, NULL, find_rows(h, tile, tile->rows - 1, x, h->gone));
    }
}

void filter_histogram_rows(const filter_tile *tile)
{
    histograms *h = tile->state;
    for (int64_t x = 0; x < tile->width && !filter_tile_ends(tile, 0); x += h->length) {
        make_piece(h, tile, x);
    }
    h->next = tile->row + tile->rows;
}

/* ---- the state of a rank --------------------------------------------------------------------- */

bool filter_histogram_fits(const filter_rank_window *window)
{
    return filter_window_size(&window->window, 0) * filter_window_size(&window->window, 1) <=
           UINT16_MAX;
}

halo_status filter_histogram_create(void **state, const filter_step *step, const filter_part *part,
                                    const char *instructions)
{
    static const char what[] = "counts of samples";
    const halo_isa_variant *variant;
    histograms *h;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    HALO_TRY(HALO_ALLOCATE(h, 1, "a filter"));
    *state = h;
    h->ops = variant->ops;
    h->what = part->own;
    h->planes = filter_window_size(&h->what->window, 0);
    h->rows = filter_window_size(&h->what->window, 1);
    h->columns = filter_window_size(&h->what->window, 2);
    h->length = halo_min(halo_max(PIECE, h->columns), step->n[2]);
    h->next = -1;
    h->wide = h->planes * h->rows * h->columns > UINT16_MAX;
    h->keeps = step->axes < HALO_AXES;
    h->counts = (size_t)((h->length + h->columns - 1) * FILTER_GROUPS * (1 + FILTER_VALUES));
    int64_t pieces = (step->n[2] + h->length - 1) / h->length;
    HALO_TRY(HALO_ALLOCATE_LARGE(h->memory, (size_t)pieces * h->counts, what));
    HALO_TRY(HALO_ALLOCATE(h->in, h->planes, what));
    return HALO_ALLOCATE(h->gone, h->planes, what);
}

void filter_histogram_destroy(void *state)
{
    histograms *h = state;
    if (h != NULL) {
        halo_memory_free(h->memory);
        free((void *)h->in);
        free((void *)h->gone);
        free(h);
    }
}
