#include "io/cells/cells_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t y, x;
} place;

typedef struct {
    halo_buffer places; /* of place */
    size_t next;        /* the first one not handed out */
    int64_t left, top;
} sparse;

halo_status halo_cells_sparse_add(halo_cells_reader *reader, int64_t x, int64_t y)
{
    sparse *cells = reader->state;
    if (cells == NULL) {
        HALO_TRY(HALO_ALLOCATE(cells, 1, "a reader of cells"));
        reader->state = cells;
    }
    place added = {y, x};
    if (halo_buffer_append(&cells->places, &added, sizeof added) != HALO_OK) {
        return halo_fail(
            HALO_MEMORY,
            "%s: out of memory: each live cell needs %zu bytes; save the pattern as RLE",
            reader->source.name, sizeof added);
    }
    return HALO_OK;
}

static int compare(const void *one, const void *other)
{
    const place *a = one, *b = other;
    if (a->y != b->y) {
        return a->y < b->y ? -1 : 1;
    }
    return (a->x > b->x) - (a->x < b->x);
}

/* Files are often written in order. */
static void sort(place *places, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (compare(&places[i - 1], &places[i]) > 0) {
            qsort(places, count, sizeof *places, compare);
            return;
        }
    }
}

halo_status halo_cells_sparse_settle(halo_cells_reader *reader)
{
    halo_cells_info *info = &reader->info;
    sparse *cells = reader->state;
    if (cells == NULL) {
        info->placed = false;
        return HALO_OK;
    }
    place *places = (place *)(void *)cells->places.data;
    size_t count = cells->places.size / sizeof *places;
    sort(places, count);
    int64_t right = places[0].x;
    cells->left = right;
    for (size_t i = 0; i < count; i++) {
        cells->left = places[i].x < cells->left ? places[i].x : cells->left;
        right = places[i].x > right ? places[i].x : right;
    }
    cells->top = places[0].y;
    info->width = right - cells->left + 1;
    info->height = places[count - 1].y - cells->top + 1;
    if (info->width > HALO_CELLS_AXIS_LIMIT || info->height > HALO_CELLS_AXIS_LIMIT) {
        return halo_fail(HALO_FORMAT,
                         "%s: live cells lie too far apart: %lld columns and %lld rows; 2^40 of "
                         "each are allowed",
                         reader->source.name, (long long)info->width, (long long)info->height);
    }
    info->x = info->placed ? cells->left : 0;
    info->y = info->placed ? cells->top : 0;
    return HALO_OK;
}

halo_status halo_cells_sparse_rows(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    sparse *cells = reader->state;
    const place *places = (const place *)(const void *)cells->places.data;
    size_t count = cells->places.size / sizeof *places;
    size_t bytes = halo_cells_row_bytes(reader->info.width, 1);
    for (int64_t i = 0; i < rows; i++) {
        uint64_t *row = (uint64_t *)(void *)((unsigned char *)out + (size_t)i * pitch);
        memset(row, 0, bytes);
        int64_t y = cells->top + reader->row + i;
        for (; cells->next < count && places[cells->next].y == y; cells->next++) {
            int64_t x = places[cells->next].x - cells->left;
            row[x / 64] |= (uint64_t)1 << (x % 64);
        }
    }
    return HALO_OK;
}

void halo_cells_sparse_close(halo_cells_reader *reader)
{
    sparse *cells = reader->state;
    if (cells != NULL) {
        halo_buffer_free(&cells->places);
    }
}
