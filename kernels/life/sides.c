#include "kernels/life/sides.h"

#include "kernels/life/engine.h"

#include <string.h>

enum { WORD = 64 };

/* Cells of a column follow each other in its lanes, and in the row as far apart as there are
 * columns. */
static void make_window(life_window *window, const life_lanes *lanes, int64_t at)
{
    uint64_t made = 0;
    window->parts = 0;
    for (int first = 0; first < LIFE_GHOSTS; first++) {
        if ((made >> first & 1) != 0) {
            continue;
        }
        life_window_part *part = &window->part[window->parts++];
        *part = (life_window_part){0};
        part->word = life_lanes_place(lanes->columns, at + first, &part->shift);
        int bit = part->shift;
        for (int64_t i = first; i < LIFE_GHOSTS && bit < WORD; i += lanes->columns, bit++) {
            part->pattern |= (uint64_t)1 << i;
            part->mask |= (uint64_t)1 << bit;
        }
        made |= part->pattern;
    }
}

void life_sides_make(life_sides *sides, const life_lanes *lanes, int64_t first, int64_t owned)
{
    int64_t end = first + owned;
    make_window(&sides->own[0], lanes, first);
    make_window(&sides->own[1], lanes, end - LIFE_GHOSTS);
    if (first >= LIFE_GHOSTS) {
        make_window(&sides->ghosts[0], lanes, first - LIFE_GHOSTS);
    }
    if (end + LIFE_GHOSTS <= lanes->width) {
        make_window(&sides->ghosts[1], lanes, end);
    }
}

/* ---- as the exchange asks for them ----------------------------------------------------------- */

static size_t bytes_of_row(const void *state, int field)
{
    (void)field;
    const life_engine *engine = state;
    return (size_t)engine->lanes.planes * sizeof(uint64_t);
}

static void take(const void *state, const halo_view *view, int field, int side, int64_t lo,
                 int64_t rows, void *out)
{
    (void)field;
    const life_engine *engine = state;
    const life_window *window = &engine->sides.own[side];
    char *next = out;
    for (int64_t y = lo; y < lo + rows; y++) {
        const char *plane = life_engine_row(view, y);
        for (int i = 0; i < engine->lanes.planes; i++, plane += engine->lanes.plane_bytes) {
            uint64_t cells = engine->ops->read_window(window, plane);
            memcpy(next, &cells, sizeof cells);
            next += sizeof cells;
        }
    }
}

static void give(void *state, const halo_view *view, int field, int side, int64_t lo, int64_t rows,
                 const void *in)
{
    (void)field;
    const life_engine *engine = state;
    const life_window *window = &engine->sides.ghosts[side];
    const char *next = in;
    for (int64_t y = lo; y < lo + rows; y++) {
        char *plane = life_engine_row(view, y);
        for (int i = 0; i < engine->lanes.planes; i++, plane += engine->lanes.plane_bytes) {
            uint64_t cells;
            memcpy(&cells, next, sizeof cells);
            next += sizeof cells;
            engine->ops->write_window(window, plane, cells);
        }
        engine->ops->ghosts(life_engine_row(view, y), view->stride[0], 1, &engine->ends);
    }
}

const halo_side_halo life_engine_side_halo = {.bytes = bytes_of_row, .take = take, .give = give};
