/* Tiles compute every cell once a beat, and never before what it reads or after it is gone. */

#include "partition/tiles.h"
#include "support/unit_check.h"

enum { MARGIN = 12, MAX = 22 + 2 * MARGIN, BEATS = 6 };

/* Which beat's value each copy of a cell holds: two copies, as in a superstep. */
typedef struct {
    const halo_tiles *tiles;
    int axes;
    int64_t n[HALO_AXES];
    signed char held[2][MAX][MAX][MAX];
    int64_t wrong, computed[BEATS];
    int64_t passed; /* layers of axis 0 told of */
} field;

static field *fresh(const halo_tiles *tiles, int axes)
{
    field *f = calloc(1, sizeof *f);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    memset(f->held[1], -1, sizeof f->held[1]);
    f->tiles = tiles;
    f->axes = axes;
    return f;
}

static signed char *cell(field *f, int copy, int64_t z, int64_t y, int64_t x)
{
    int64_t margin[] = {MARGIN, f->axes > 1 ? MARGIN : 0, f->axes > 2 ? MARGIN : 0};
    return &f->held[copy][z + margin[0]][y + margin[1]][x + margin[2]];
}

static bool inside(const halo_box *box, const int64_t at[HALO_AXES])
{
    bool in = true;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        in = in && at[axis] >= box->lo[axis] && at[axis] < box->lo[axis] + box->n[axis];
    }
    return in;
}

/* Everything that a cell reads must be of this beat. */
static void read_around(field *f, int beat, const int64_t at[HALO_AXES])
{
    int d[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        d[axis] = axis < f->axes ? f->tiles->depth : 0;
    }
    for (int64_t z = -d[0]; z <= d[0]; z++) {
        for (int64_t y = -d[1]; y <= d[1]; y++) {
            for (int64_t x = -d[2]; x <= d[2]; x++) {
                int64_t there[] = {at[0] + z, at[1] + y, at[2] + x};
                bool known = beat == 0 || inside(&f->tiles->boxes[beat - 1], there);
                int held = *cell(f, beat % 2, there[0], there[1], there[2]);
                f->wrong += known && held != beat;
            }
        }
    }
}

static void compute(void *context, int beat, const halo_box *box)
{
    field *f = context;
    f->wrong += halo_box_cells(box) <= 0;
    for (int64_t i = 0; i < halo_box_cells(box); i++) {
        int64_t at[] = {box->lo[0] + i / (box->n[1] * box->n[2]),
                        box->lo[1] + i / box->n[2] % box->n[1], box->lo[2] + i % box->n[2]};
        f->wrong += !inside(&f->tiles->boxes[beat], at);
        read_around(f, beat, at);
        signed char *out = cell(f, (beat + 1) % 2, at[0], at[1], at[2]);
        f->wrong += *out == beat + 1; /* twice */
        f->computed[beat]++;
    }
    for (int64_t i = 0; i < halo_box_cells(box); i++) {
        int64_t z = box->lo[0] + i / (box->n[1] * box->n[2]);
        int64_t y = box->lo[1] + i / box->n[2] % box->n[1], x = box->lo[2] + i % box->n[2];
        *cell(f, (beat + 1) % 2, z, y, x) = (signed char)(beat + 1);
    }
}

static void pass(void *context, int64_t lo, int64_t hi)
{
    field *f = context;
    f->passed += hi - lo;
    f->wrong += hi <= lo;
}

/* Boxes that shrink on some sides and stay on others, as those of a superstep do. */
static void make_boxes(const int64_t n[HALO_AXES], int axes, int beats, int depth, int sides,
                       halo_box boxes[BEATS])
{
    for (int beat = 0; beat < beats; beat++) {
        boxes[beat] = (halo_box){.lo = {0}, .n = {n[0], n[1], n[2]}};
        for (int axis = 0; axis < axes; axis++) {
            int low = sides >> (2 * axis) & 1, high = sides >> (2 * axis + 1) & 1;
            int64_t less = (int64_t)beat * depth;
            boxes[beat].lo[axis] += low ? less : 0;
            boxes[beat].n[axis] -= less * (low + high);
        }
    }
}

static void walk(int axes, const int64_t n[HALO_AXES], int beats, int depth, int sides,
                 const int64_t size[HALO_AXES])
{
    halo_box boxes[BEATS];
    make_boxes(n, axes, beats, depth, sides, boxes);
    halo_tiles tiles = {.beats = beats, .depth = depth, .boxes = boxes};
    memcpy(tiles.size, size, sizeof tiles.size);
    field *f = fresh(&tiles, axes);
    halo_tile_visitor visitor = {.compute = compute, .pass = pass, .context = f};
    halo_tiles_walk(&tiles, &visitor);
    CU_ASSERT_EQUAL(f->wrong, 0);
    for (int beat = 0; beat < beats; beat++) {
        bool any = boxes[beat].n[0] > 0 && boxes[beat].n[1] > 0 && boxes[beat].n[2] > 0;
        CU_ASSERT_EQUAL(f->computed[beat], any ? halo_box_cells(&boxes[beat]) : 0);
    }
    CU_ASSERT(f->passed >= boxes[0].n[0]);
    free(f);
}

TEST("every cell once, in order")
{
    static const int64_t sizes[][HALO_AXES] = {{0, 0, 0}, {1, 0, 0},  {3, 0, 0}, {4, 5, 0},
                                               {2, 1, 0}, {50, 3, 0}, {3, 4, 5}, {1, 1, 1}};
    static const int64_t extents[][HALO_AXES] = {{19, 1, 1}, {17, 22, 1}, {9, 11, 13}};
    for (int axes = 1; axes <= HALO_AXES; axes++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            int64_t size[HALO_AXES] = {0};
            memcpy(size, sizes[s], (size_t)axes * sizeof size[0]);
            for (int sides = 0; sides < 1 << (2 * axes); sides += axes == 3 ? 5 : 1) {
                walk(axes, extents[axes - 1], 1 + (sides + (int)s) % BEATS, 1 + (int)s % 2, sides,
                     size);
            }
        }
    }
}

/* A tile's cells of both copies must fit into the cache, if tiles may be made small enough. */
static void check_size(int axes, const int64_t n[HALO_AXES], int beats, size_t cache)
{
    enum { CELL = 16 };
    bool whole[HALO_AXES] = {false};
    halo_box cells = {.n = {n[0], n[1], n[2]}};
    halo_tiles tiles = {.beats = beats, .depth = 1, .boxes = &cells};
    halo_tiles_choose(&tiles, &cells, axes, CELL, cache, whole);
    double held = CELL;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        double beside = tiles.size[axis] > 0 ? beats + 1 : 0;
        double own = tiles.size[axis] > 0 ? (double)tiles.size[axis] : (double)n[axis];
        held *= own + beside;
    }
    CU_ASSERT(tiles.size[0] > 0 && held <= (double)cache);
}

TEST("sizes that fit")
{
    check_size(2, (int64_t[]){8192, 8192, 1}, 8, 1 << 20);
    check_size(2, (int64_t[]){8192, 300, 1}, 8, 1 << 20);
    check_size(2, (int64_t[]){100, 1000000, 1}, 16, 1 << 20);
    check_size(3, (int64_t[]){512, 512, 512}, 2, 1 << 20);
    check_size(3, (int64_t[]){64, 64, 64}, 4, 1 << 20);
    check_size(1, (int64_t[]){1000000, 1, 1}, 32, 1 << 16);
}

/* A single beat reads nothing again; what wraps must be there whole. */
TEST("what is not tiled")
{
    bool whole[HALO_AXES] = {false, true, true};
    halo_box cells = {.n = {8192, 100000, 1}};
    halo_tiles tiles = {.beats = 1, .depth = 1, .boxes = &cells};
    halo_tiles_choose(&tiles, &cells, 2, 16, 1 << 20, whole);
    CU_ASSERT_EQUAL(tiles.size[0], 0);
    tiles.beats = 4;
    halo_tiles_choose(&tiles, &cells, 2, 16, 1 << 20, whole);
    CU_ASSERT(tiles.size[0] > 0 && tiles.size[1] == 0 && tiles.size[2] == 0);
}
