#include "kernels/life/sides.h"

#include "kernels/life/engine.h"

#include <string.h>

enum { WORD = 64 };

/* Compiled for each instruction set by a function that it is inlined into. */
#define FOR_EACH_SET static inline __attribute__((always_inline))

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

/* ---- gathering and scattering bits ----------------------------------------------------------- */

/* Bits 0 and on of `bits` go where the pattern has ones. */
static uint64_t scatter_plain(uint64_t bits, uint64_t pattern)
{
    uint64_t scattered = 0;
    for (; pattern != 0; pattern &= pattern - 1, bits >>= 1) {
        scattered |= (bits & 1) != 0 ? pattern & (~pattern + 1) : 0;
    }
    return scattered;
}

/* The reverse. */
static uint64_t gather_plain(uint64_t bits, uint64_t pattern)
{
    uint64_t gathered = 0;
    for (int i = 0; pattern != 0; pattern &= pattern - 1, i++) {
        gathered |= (uint64_t)((bits & pattern & (~pattern + 1)) != 0) << i;
    }
    return gathered;
}

typedef uint64_t bits_function(uint64_t bits, uint64_t pattern);

FOR_EACH_SET uint64_t read_window(const life_window *window, const uint64_t *words,
                                  bits_function *scatter)
{
    uint64_t cells = 0;
    for (int i = 0; i < window->parts; i++) {
        const life_window_part *part = &window->part[i];
        cells |= scatter(words[part->word] >> part->shift, part->pattern);
    }
    return cells;
}

FOR_EACH_SET void write_window(const life_window *window, uint64_t *words, uint64_t cells,
                               bits_function *gather)
{
    for (int i = 0; i < window->parts; i++) {
        const life_window_part *part = &window->part[i];
        uint64_t kept = words[part->word] & ~part->mask;
        words[part->word] = kept | gather(cells, part->pattern) << part->shift;
    }
}

#ifdef HALOBEAT_X86
#define FAST __attribute__((target("bmi2")))

FAST static inline uint64_t scatter_fast(uint64_t bits, uint64_t pattern)
{
    return __builtin_ia32_pdep_di(bits, pattern);
}

FAST static inline uint64_t gather_fast(uint64_t bits, uint64_t pattern)
{
    return __builtin_ia32_pext_di(bits, pattern);
}

FAST static uint64_t read_fast(const life_window *window, const uint64_t *words)
{
    return read_window(window, words, scatter_fast);
}

FAST static void write_fast(const life_window *window, uint64_t *words, uint64_t cells)
{
    write_window(window, words, cells, gather_fast);
}

bool life_sides_has_fast(void)
{
    return __builtin_cpu_supports("bmi2");
}
#else
static uint64_t read_fast(const life_window *window, const uint64_t *words)
{
    return read_window(window, words, scatter_plain);
}

static void write_fast(const life_window *window, uint64_t *words, uint64_t cells)
{
    write_window(window, words, cells, gather_plain);
}

bool life_sides_has_fast(void)
{
    return false;
}
#endif

uint64_t life_window_read(const life_window *window, const void *plane, bool fast)
{
    return fast ? read_fast(window, plane) : read_window(window, plane, scatter_plain);
}

void life_window_write(const life_window *window, void *plane, uint64_t cells, bool fast)
{
    if (fast) {
        write_fast(window, plane, cells);
    } else {
        write_window(window, plane, cells, gather_plain);
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
            uint64_t cells = life_window_read(window, plane, engine->fast_sides);
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
            life_window_write(window, plane, cells, engine->fast_sides);
        }
        engine->path->ghosts(life_engine_row(view, y), view->stride[0], 1, &engine->ends);
    }
}

const halo_sides life_engine_sides = {.bytes = bytes_of_row, .take = take, .give = give};
