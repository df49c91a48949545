#include "kernels/motion/parts.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* ---- pieces -------------------------------------------------------------------------------- */

/* Draw a cluster's pixels in the window around a tile as bits. */
static void draw(motion_piece *piece, const motion_parts *parts, const uint16_t *labels)
{
    for (int j = 0; j < MOTION_WINDOW; j++) {
        int64_t y = piece->y + j - MOTION_RING;
        uint32_t bits = 0;
        if (y >= 0 && y < parts->rows) {
            const uint16_t *row = labels + y * parts->columns;
            int64_t first = piece->x - MOTION_RING;
            int64_t lo = halo_max(first, 0);
            int64_t hi = halo_min(first + MOTION_WINDOW, parts->columns);
            for (int64_t x = lo; x < hi; x++) {
                bits |= (uint32_t)(row[x] == piece->cluster) << (x - first);
            }
        }
        piece->rows[j] = bits;
    }
}

/* The pieces of a tile, in the order of their first pixels. `seen` is [clusters], the tile each
 * cluster was last seen in. */
static halo_status find_pieces(motion_parts *parts, const uint16_t *labels, int64_t tile,
                               int64_t *seen, halo_buffer *pieces)
{
    int64_t top = tile / parts->tile_columns * MOTION_TILE;
    int64_t left = tile % parts->tile_columns * MOTION_TILE;
    int64_t bottom = halo_min(top + MOTION_TILE, parts->rows);
    int64_t right = halo_min(left + MOTION_TILE, parts->columns);
    for (int64_t y = top; y < bottom; y++) {
        for (int64_t x = left; x < right; x++) {
            int label = labels[y * parts->columns + x];
            if (seen[label] == tile) {
                continue;
            }
            seen[label] = tile;
            motion_piece piece = {.cluster = label, .x = (int32_t)left, .y = (int32_t)top};
            piece.found.cost = MOTION_UNKNOWN;
            draw(&piece, parts, labels);
            HALO_TRY(halo_buffer_append(pieces, &piece, sizeof piece));
        }
    }
    return HALO_OK;
}

static halo_status cut(motion_parts *parts, const uint16_t *labels, int64_t *seen)
{
    halo_buffer pieces = {.data = NULL};
    halo_status status = HALO_OK;
    int64_t tiles = (int64_t)parts->tile_rows * parts->tile_columns;
    for (int k = 0; k < parts->clusters; k++) {
        seen[k] = -1;
    }
    for (int64_t t = 0; t < tiles && status == HALO_OK; t++) {
        parts->tiles[t] = (int64_t)(pieces.size / sizeof(motion_piece));
        status = find_pieces(parts, labels, t, seen, &pieces);
    }
    parts->count = parts->tiles[tiles] = (int64_t)(pieces.size / sizeof(motion_piece));
    parts->pieces = (motion_piece *)(void *)pieces.data;
    return status;
}

static halo_status order_by_cluster(motion_parts *parts, int64_t *next)
{
    HALO_TRY(HALO_ALLOCATE(parts->order, parts->count, "pieces"));
    HALO_TRY(HALO_ALLOCATE(parts->changed, parts->count, "pieces"));
    for (int64_t i = 0; i < parts->count; i++) {
        parts->table[parts->pieces[i].cluster].count++;
    }
    for (int k = 0; k < parts->clusters; k++) {
        next[k] = parts->table[k].first;
        if (k + 1 < parts->clusters) {
            parts->table[k + 1].first = parts->table[k].first + parts->table[k].count;
        }
    }
    for (int64_t i = 0; i < parts->count; i++) {
        parts->order[next[parts->pieces[i].cluster]++] = i;
    }
    return HALO_OK;
}

int motion_piece_pixels(const motion_piece *piece)
{
    const uint32_t tile = ((1U << MOTION_TILE) - 1) << MOTION_RING;
    int pixels = 0;
    for (int j = MOTION_RING; j < MOTION_RING + MOTION_TILE; j++) {
        pixels += __builtin_popcount(piece->rows[j] & tile);
    }
    return pixels;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* Clusters that have pieces in one tile are neighbours, the closer the more tiles they share. */
typedef struct {
    int32_t other;
    int32_t tiles;
} neighbour;

static int by_number(const void *a, const void *b)
{
    const neighbour *one = a, *two = b;
    return (one->other > two->other) - (one->other < two->other);
}

static int by_closeness(const void *a, const void *b)
{
    const neighbour *one = a, *two = b;
    int closer = (one->tiles < two->tiles) - (one->tiles > two->tiles);
    return closer != 0 ? closer : by_number(a, b);
}

static halo_status find_near(motion_parts *parts, int cluster, halo_buffer *list, int32_t *near,
                             int64_t *count)
{
    const motion_cluster *c = &parts->table[cluster];
    list->size = 0;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const motion_piece *piece = &parts->pieces[parts->order[i]];
        int64_t tile =
            (int64_t)(piece->y / MOTION_TILE) * parts->tile_columns + piece->x / MOTION_TILE;
        for (int64_t p = parts->tiles[tile]; p < parts->tiles[tile + 1]; p++) {
            neighbour met = {parts->pieces[p].cluster, 1};
            if (met.other != cluster) {
                HALO_TRY(halo_buffer_append(list, &met, sizeof met));
            }
        }
    }
    neighbour *met = (neighbour *)(void *)list->data;
    size_t all = list->size / sizeof *met, kept = 0;
    if (all > 0) {
        qsort(met, all, sizeof *met, by_number);
        for (size_t i = 0; i < all; i++) {
            if (kept > 0 && met[kept - 1].other == met[i].other) {
                met[kept - 1].tiles++;
            } else {
                met[kept++] = met[i];
            }
        }
        qsort(met, kept, sizeof *met, by_closeness);
    }
    for (*count = 0; *count < (int64_t)kept && *count < MOTION_NEAR; ++*count) {
        near[*count] = met[*count].other;
    }
    return HALO_OK;
}

static halo_status find_neighbours(motion_parts *parts)
{
    halo_buffer list = {.data = NULL};
    halo_status status = HALO_OK;
    int64_t next = 0;
    for (int k = 0; k < parts->clusters && status == HALO_OK; k++) {
        int64_t count = 0;
        parts->near_first[k] = next;
        status = find_near(parts, k, &list, parts->near + next, &count);
        next += count;
    }
    parts->near_first[parts->clusters] = next;
    halo_buffer_free(&list);
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void motion_parts_free(motion_parts *parts)
{
    free(parts->pieces);
    free(parts->tiles);
    free(parts->changed);
    free(parts->order);
    free(parts->table);
    free(parts->near);
    free(parts->near_first);
    *parts = (motion_parts){.pieces = NULL};
}

halo_status motion_parts_create(motion_parts *parts, const uint16_t *labels, int rows, int columns,
                                int clusters)
{
    *parts = (motion_parts){.rows = rows,
                            .columns = columns,
                            .clusters = clusters,
                            .tile_rows = (rows + MOTION_TILE - 1) / MOTION_TILE,
                            .tile_columns = (columns + MOTION_TILE - 1) / MOTION_TILE};
    size_t k = (size_t)clusters;
    size_t tiles = (size_t)parts->tile_rows * (size_t)parts->tile_columns;
    int64_t *work;
    halo_status status = HALO_ALLOCATE(work, k, "numbers of clusters");
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, HALO_ALLOCATE(parts->tiles, tiles + 1, "tiles"));
    HALO_TRY_OR(done, HALO_ALLOCATE(parts->table, k, "clusters"));
    HALO_TRY_OR(done, HALO_ALLOCATE(parts->near, k * MOTION_NEAR, "neighbours of clusters"));
    HALO_TRY_OR(done, HALO_ALLOCATE(parts->near_first, k + 1, "neighbours of clusters"));
    HALO_TRY_OR(done, cut(parts, labels, work));
    HALO_TRY_OR(done, order_by_cluster(parts, work));
    HALO_TRY_OR(done, find_neighbours(parts));
done:
    free(work);
    if (status != HALO_OK) {
        motion_parts_free(parts);
    }
    return status;
}
