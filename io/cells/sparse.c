#include "io/cells/cells_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Live cells in the order in which they come, as bytes: a cell to the right of the one before, as
 * most are, is the distance; any other is 0 and then how many rows and columns further it lies.
 * Numbers have 7 bits a byte, the lowest first. A cell of a pattern takes a byte or two, and one
 * far from others a few more; a place would be 16. */

enum { DIGIT_BITS = 7, DIGIT = 1 << DIGIT_BITS, NUMBER_MAX = 10, KEY_BITS = 64 };

typedef struct {
    int64_t y, x;
} place;

/* Goes through the cells. */
typedef struct {
    const unsigned char *next, *end;
    place at;
} walk;

typedef struct {
    halo_buffer steps;
    int64_t count;
    place last;      /* the cell that came last */
    place low, high; /* corners of the box with all cells */
    bool disordered; /* a cell does not lie behind the one before, by rows */
    bool ended;      /* no cell is left to be handed out */
    walk walk;       /* at the first one that is not handed out */
    uint64_t *keys;  /* [count]: disordered cells in order, as places in the box; or NULL */
    int64_t next_key;
} sparse;

/* ---- cells as bytes -------------------------------------------------------------------------- */

static void put_number(halo_buffer *out, uint64_t number)
{
    while (number >= DIGIT) {
        out->data[out->size++] = (unsigned char)(number % DIGIT + DIGIT);
        number /= DIGIT;
    }
    out->data[out->size++] = (unsigned char)number;
}

static uint64_t take_number(walk *w)
{
    uint64_t number = 0;
    for (int bits = 0; w->next < w->end; bits += DIGIT_BITS) {
        unsigned byte = *w->next++;
        number |= (uint64_t)(byte % DIGIT) << bits;
        if (byte < DIGIT) {
            break;
        }
    }
    return number;
}

/* Numbers of either sign as such of none: 0, -1, 1, -2, ... */
static uint64_t fold(int64_t number)
{
    return number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1;
}

static int64_t unfold(uint64_t number)
{
    return (int64_t)(number % 2 != 0 ? ~(number >> 1) : number >> 1);
}

static void step(walk *w)
{
    uint64_t right = take_number(w);
    if (right > 0) {
        w->at.x += (int64_t)right;
    } else {
        w->at.y += unfold(take_number(w));
        w->at.x += unfold(take_number(w));
    }
}

static void include(sparse *cells, place at)
{
    bool first = cells->count == 0;
    cells->low.y = first || at.y < cells->low.y ? at.y : cells->low.y;
    cells->low.x = first || at.x < cells->low.x ? at.x : cells->low.x;
    cells->high.y = first || at.y > cells->high.y ? at.y : cells->high.y;
    cells->high.x = first || at.x > cells->high.x ? at.x : cells->high.x;
}

halo_status halo_cells_sparse_add(halo_cells_reader *reader, int64_t x, int64_t y)
{
    sparse *cells = reader->state;
    if (cells == NULL) {
        HALO_TRY(HALO_ALLOCATE(cells, 1, "a reader of cells"));
        reader->state = cells;
    }
    int64_t down = y - cells->last.y, right = x - cells->last.x;
    if (halo_buffer_reserve(&cells->steps, 2 * NUMBER_MAX + 1) != HALO_OK) {
        return halo_fail(HALO_MEMORY,
                         "%s: out of memory: its live cells take more than %zu bytes; save the "
                         "pattern as RLE",
                         reader->source.name, cells->steps.size);
    }
    bool behind = down == 0 && right > 0 && cells->count > 0;
    if (behind) {
        put_number(&cells->steps, (uint64_t)right);
    } else {
        put_number(&cells->steps, 0);
        put_number(&cells->steps, fold(down));
        put_number(&cells->steps, fold(right));
        cells->disordered = cells->disordered || (cells->count > 0 && down <= 0);
    }
    cells->last = (place){y, x};
    include(cells, cells->last);
    cells->count++;
    return HALO_OK;
}

static walk begin_walk(const sparse *cells)
{
    return (walk){.next = cells->steps.data, .end = cells->steps.data + cells->steps.size};
}

/* ---- cells that come in another order -------------------------------------------------------- */

/* In place, bit by bit from the highest one that differs: those with 0 go before those with 1. */
static void sort(uint64_t *keys, int64_t count, int bit)
{
    for (; count > 1 && bit >= 0; bit--) {
        int64_t lo = 0, hi = count;
        while (lo < hi) {
            uint64_t key = keys[lo];
            if ((key >> bit & 1) == 0) {
                lo++;
            } else {
                keys[lo] = keys[--hi];
                keys[hi] = key;
            }
        }
        sort(keys, lo, bit - 1);
        keys += lo;
        count -= lo;
    }
}

static halo_status put_in_order(halo_cells_reader *reader)
{
    sparse *cells = reader->state;
    uint64_t width = (uint64_t)reader->info.width, height = (uint64_t)reader->info.height;
    if (height > UINT64_MAX / width) {
        return halo_fail(HALO_FORMAT,
                         "%s: live cells in no order lie too far apart: %" PRIu64 " columns and "
                         "%" PRIu64 " rows; write them row by row",
                         reader->source.name, width, height);
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(cells->keys, cells->count, "live cells in no order"));
    walk w = begin_walk(cells);
    for (int64_t i = 0; i < cells->count; i++) {
        step(&w);
        cells->keys[i] =
            (uint64_t)(w.at.y - cells->low.y) * width + (uint64_t)(w.at.x - cells->low.x);
    }
    halo_buffer_free(&cells->steps);
    sort(cells->keys, cells->count, KEY_BITS - 1 - __builtin_clzll(width * height));
    return HALO_OK;
}

/* The next cell to be handed out. */
static void advance(sparse *cells, int64_t width)
{
    if (cells->keys == NULL) {
        cells->ended = cells->walk.next == cells->walk.end;
        if (!cells->ended) {
            step(&cells->walk);
        }
        return;
    }
    cells->ended = cells->next_key == cells->count;
    if (!cells->ended) {
        uint64_t key = cells->keys[cells->next_key++];
        cells->walk.at = (place){cells->low.y + (int64_t)(key / (uint64_t)width),
                                 cells->low.x + (int64_t)(key % (uint64_t)width)};
    }
}

/* ---- as a reader ----------------------------------------------------------------------------- */

halo_status halo_cells_sparse_settle(halo_cells_reader *reader)
{
    halo_cells_info *info = &reader->info;
    sparse *cells = reader->state;
    if (cells == NULL) {
        info->placed = false;
        return HALO_OK;
    }
    info->width = cells->high.x - cells->low.x + 1;
    info->height = cells->high.y - cells->low.y + 1;
    if (info->width > HALO_CELLS_AXIS_LIMIT || info->height > HALO_CELLS_AXIS_LIMIT) {
        return halo_fail(HALO_FORMAT,
                         "%s: live cells lie too far apart: %lld columns and %lld rows; 2^40 of "
                         "each are allowed",
                         reader->source.name, (long long)info->width, (long long)info->height);
    }
    info->x = info->placed ? cells->low.x : 0;
    info->y = info->placed ? cells->low.y : 0;
    HALO_TRY(cells->disordered ? put_in_order(reader) : HALO_OK);
    if (cells->keys == NULL) {
        cells->walk = begin_walk(cells);
    }
    advance(cells, info->width);
    return HALO_OK;
}

halo_status halo_cells_sparse_rows(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    sparse *cells = reader->state;
    int64_t width = reader->info.width;
    size_t bytes = halo_cells_row_bytes(width, 1);
    for (int64_t i = 0; i < rows; i++) {
        uint64_t *row = (uint64_t *)(void *)((unsigned char *)out + (size_t)i * pitch);
        memset(row, 0, bytes);
        int64_t y = cells->low.y + reader->row + i;
        for (; !cells->ended && cells->walk.at.y == y; advance(cells, width)) {
            int64_t x = cells->walk.at.x - cells->low.x;
            row[x / 64] |= (uint64_t)1 << (x % 64);
        }
    }
    return HALO_OK;
}

void halo_cells_sparse_close(halo_cells_reader *reader)
{
    sparse *cells = reader->state;
    if (cells != NULL) {
        halo_buffer_free(&cells->steps);
        halo_memory_free(cells->keys);
    }
}
