#include "kernels/label/measure/outlines.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <string.h>

enum { WORD = 64 };

/* Three rows: the one that is looked at, and those above and below it; NULL beyond the image. */
typedef struct {
    const label_numbered *image;
    int64_t *rows[3];
    const int64_t *above, *row, *below;
} outline_search;

static void set_bits(const outline_search *s, uint64_t *bits)
{
    const int64_t *row = s->row, width = s->image->n[2];
    for (int64_t x = 0; x < width; x++) {
        int64_t number = row[x];
        bool edge = (x > 0 && row[x - 1] != number) || (x + 1 < width && row[x + 1] != number) ||
                    (s->above != NULL && s->above[x] != number) ||
                    (s->below != NULL && s->below[x] != number);
        bits[x / WORD] |= (uint64_t)(number != 0 && edge) << x % WORD;
    }
}

/* Collective. The first row of the next rank that has any, and the last one of the rank before. */
static halo_status fetch_rows(const outline_search *s, int64_t *above, int64_t *below)
{
    const label_numbered *image = s->image;
    const int64_t *mine = image->cuts + halo_world_rank(image->world);
    bool owns = mine[0] < mine[1];
    int before = owns ? label_numbered_rank(image, -1) : -1;
    int behind = owns ? label_numbered_rank(image, 1) : -1;
    size_t bytes = (size_t)image->n[2] * sizeof *above;
    halo_status status = owns ? label_numbered_row(image, mine[0], s->rows[0]) : HALO_OK;
    HALO_IF_OK(status, owns ? label_numbered_row(image, mine[1] - 1, s->rows[1]) : HALO_OK);
    HALO_TRY(halo_agree(image->world, status));
    halo_message out[2], in[2];
    int count = 0;
    if (before >= 0) {
        out[count] = (halo_message){.rank = before, .data = s->rows[0], .bytes = bytes};
        in[count++] = (halo_message){.rank = before, .data = above, .bytes = bytes};
    }
    if (behind >= 0) {
        out[count] = (halo_message){.rank = behind, .data = s->rows[1], .bytes = bytes};
        in[count++] = (halo_message){.rank = behind, .data = below, .bytes = bytes};
    }
    return halo_agree(image->world, halo_sendrecv(image->world, out, count, in, count));
}

/* True if the row has another one of its plane below it, or above with `step` -1. */
static bool has_row(const label_numbered *image, int64_t row, int step)
{
    int64_t lines = image->n[1], line = row % lines;
    return step < 0 ? line > 0 : line + 1 < lines;
}

/* Reads row `row` to one of three buffers. */
static halo_status read_row(outline_search *s, int64_t row, const int64_t **out)
{
    *out = s->rows[row % 3];
    return label_numbered_row(s->image, row, s->rows[row % 3]);
}

static halo_status scan(outline_search *s, const int64_t *above, const int64_t *below,
                        uint64_t *bits)
{
    const label_numbered *image = s->image;
    const int64_t *mine = image->cuts + halo_world_rank(image->world);
    int64_t words = (image->n[2] + WORD - 1) / WORD;
    const int64_t *kept = above, *next = NULL;
    if (mine[0] < mine[1]) {
        HALO_TRY(read_row(s, mine[0], &next));
    }
    for (int64_t row = mine[0]; row < mine[1]; row++) {
        s->row = next;
        next = below;
        if (row + 1 < mine[1]) {
            HALO_TRY(read_row(s, row + 1, &next));
        }
        s->above = has_row(image, row, -1) ? kept : NULL;
        s->below = has_row(image, row, 1) ? next : NULL;
        set_bits(s, bits + (row - mine[0]) * words);
        kept = s->row;
    }
    return HALO_OK;
}

static halo_status create(outline_search *s, int64_t **above, int64_t **below, uint64_t **out)
{
    static const char what[] = "rows of labels";
    const int64_t *mine = s->image->cuts + halo_world_rank(s->image->world);
    int64_t width = s->image->n[2], words = (width + WORD - 1) / WORD;
    for (int i = 0; i < 3; i++) {
        HALO_TRY(HALO_ALLOCATE_LARGE(s->rows[i], width + 1, what));
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(*above, width + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(*below, width + 1, what));
    return HALO_ALLOCATE_LARGE(*out, (mine[1] - mine[0]) * words + 1, "edges of regions");
}

halo_status label_outlines(const label_numbered *image, uint64_t **out)
{
    outline_search s = {.image = image};
    int64_t *above = NULL, *below = NULL;
    *out = NULL;
    halo_status status = halo_agree(image->world, create(&s, &above, &below, out));
    HALO_IF_OK(status, fetch_rows(&s, above, below));
    HALO_IF_OK(status, halo_agree(image->world, scan(&s, above, below, *out)));
    for (int i = 0; i < 3; i++) {
        halo_memory_free(s.rows[i]);
    }
    halo_memory_free(above);
    halo_memory_free(below);
    if (status != HALO_OK) {
        halo_memory_free(*out);
        *out = NULL;
    }
    return status;
}
