#include "kernels/label/measure/shape_border.h"

#include "base/memory.h"

#include <string.h>

enum { NUMBER_ROWS = 2 * SHAPE_REACH + 1, EDGE_ROWS = 3, WORD = 8 };

/* Bytes of a row of edges, which are looked at a word at a time. */
static int64_t edge_pitch(const shape_rows *rows)
{
    return rows->width + 2 * WORD;
}

halo_status shape_rows_create(shape_rows *rows, int64_t width, bool around)
{
    *rows = (shape_rows){.width = width, .around = around};
    HALO_TRY(HALO_ALLOCATE_LARGE(rows->numbers, NUMBER_ROWS * (width + 2), "rows of labels"));
    return HALO_ALLOCATE_LARGE(rows->edge, EDGE_ROWS * edge_pitch(rows), "rows of borders");
}

void shape_rows_free(shape_rows *rows)
{
    halo_memory_free(rows->numbers);
    halo_memory_free(rows->edge);
    *rows = (shape_rows){0};
}

int64_t *shape_rows_at(const shape_rows *rows, int64_t i)
{
    return rows->numbers + i % NUMBER_ROWS * (rows->width + 2) + 1;
}

void shape_rows_done(const shape_rows *rows, int64_t i)
{
    int64_t *row = shape_rows_at(rows, i), width = rows->width;
    row[-1] = rows->around ? row[width - 1] : 0;
    row[width] = rows->around ? row[0] : 0;
}

static uint8_t *edge_at(const shape_rows *rows, int64_t i)
{
    return rows->edge + i % EDGE_ROWS * edge_pitch(rows) + WORD;
}

void shape_rows_find(const shape_rows *rows, int64_t i)
{
    const int64_t *row = shape_rows_at(rows, i), *above = shape_rows_at(rows, i - 1);
    const int64_t *below = shape_rows_at(rows, i + 1);
    uint8_t *edge = edge_at(rows, i);
    int64_t width = rows->width;
    for (int64_t x = 0; x < width; x++) {
        int64_t differs = (row[x] ^ row[x - 1]) | (row[x] ^ row[x + 1]) | (row[x] ^ above[x]) |
                          (row[x] ^ below[x]);
        edge[x] = (row[x] != 0) & (differs != 0);
    }
    edge[-1] = rows->around ? edge[width - 1] : 0;
    edge[width] = rows->around ? edge[0] : 0;
}

/* The length that a border pixel counts for, by the border pixels of its region diagonally from it
 * and beside it: 1, sqrt(2), the mean, which are border[0], [1] and [2]; nothing (-1). */
static const int8_t kinds[5][5] = {
    {-1, -1, 0, 0, -1},  {-1, 2, 0, 0, -1},    {1, 2, 0, 0, -1},
    {-1, 1, -1, -1, -1}, {-1, -1, -1, -1, -1},
};

halo_status shape_rows_count(const shape_rows *rows, int64_t i, label_by_number *table)
{
    const int64_t *n[EDGE_ROWS];
    const uint8_t *e[EDGE_ROWS];
    for (int k = 0; k < EDGE_ROWS; k++) {
        n[k] = shape_rows_at(rows, i - 1 + k);
        e[k] = edge_at(rows, i - 1 + k);
    }
    for (int64_t x = 0; x < rows->width; x++) {
        uint64_t eight;
        memcpy(&eight, e[1] + x, sizeof eight); /* there are as many behind the last one */
        if (eight == 0) {
            x += WORD - 1;
            continue;
        }
        x += __builtin_ctzll(eight) / WORD;
        if (x >= rows->width) {
            break; /* the first pixel once more */
        }
        int64_t number = n[1][x];
        int beside = (e[1][x - 1] & (n[1][x - 1] == number)) +
                     (e[1][x + 1] & (n[1][x + 1] == number)) + (e[0][x] & (n[0][x] == number)) +
                     (e[2][x] & (n[2][x] == number));
        int diagonal =
            (e[0][x - 1] & (n[0][x - 1] == number)) + (e[0][x + 1] & (n[0][x + 1] == number)) +
            (e[2][x - 1] & (n[2][x - 1] == number)) + (e[2][x + 1] & (n[2][x + 1] == number));
        int kind = kinds[diagonal][beside];
        if (kind >= 0) {
            shape_sums *sums = label_by_number_find(table, number);
            if (sums == NULL) {
                return table->failure;
            }
            sums->border[kind]++;
        }
    }
    return HALO_OK;
}
