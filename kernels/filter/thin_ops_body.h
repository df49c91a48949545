/* The loop of thin_ops.h, for the ISA that halobeat_isa_body chooses: the templates of Palagyi and
 * Kuba as logic on bits, of some words at a time. */

#include "kernels/filter/thin_ops.h"

#include <string.h>

#define ALWAYS inline __attribute__((always_inline))

enum { BYTES = HALO_ISA_BYTES, WORD = 64, LANES = BYTES / (int)sizeof(uint64_t) };

typedef uint64_t words __attribute__((vector_size(HALO_ISA_BYTES)));

static ALWAYS words load(const uint64_t *at)
{
    words v;
    memcpy(&v, at, sizeof v);
    return v;
}

static ALWAYS bool is_empty(words v)
{
    uint64_t of[LANES], any = 0;
    memcpy(of, &v, sizeof v);
    for (int i = 0; i < LANES; i++) {
        any |= of[i];
    }
    return any == 0;
}

/* A voxel's neighbours, as seen from the direction: layer 0 is above it, 2 below, and `side` are
 * the other two axes. The templates are those of the paper; each is turned by quarters around the
 * direction, for which `b` and `c` from -1 to 1 say where it points. A template that points to a
 * side and one that points to a corner are told apart by the number of turns: both lists have four.
 */
typedef struct {
    words of[3][3][3];
} neighbours;

/* Bits of layer `a` at place (b, c) from the middle. */
#define AT(a, b, c) n->of[a][1 + (b)][1 + (c)]

/* Those of a row of three that is at the side (b, c), one of which is 0. */
#define SIDE(a, b, c) (AT(a, (b) - (c), (c) + (b)) | AT(a, b, c) | AT(a, (b) + (c), (c) - (b)))

/* Voxels that several templates look at. */
typedef struct {
    words above; /* any of its nine */
    words below; /* the voxel below */
    words near;  /* any of the 8 beside the voxel, or around the one below */
} summary;

/* Templates 2 and 5 with their side at (b, c). */
static ALWAYS words match_side(const neighbours *n, const summary *s, int b, int c)
{
    words behind = SIDE(0, -b, -c), beside = AT(0, c, b) | AT(0, 0, 0) | AT(0, -c, -b);
    words second = s->below & AT(1, b, c) & ~(behind | beside);
    words sides = AT(1, c, b) | AT(1, -c, -b) | AT(2, c, b) | AT(2, -c, -b);
    words corners = AT(2, b - c, c + b) | AT(2, b + c, c - b) | SIDE(1, b, c);
    words fifth = AT(2, b, c) & ~(s->above | s->below) & ~(SIDE(1, -b, -c) | SIDE(2, -b, -c)) &
                  (sides | corners);
    return second | fifth;
}

/* Templates 3, 4 and 6 with their corner at (b, c). */
static ALWAYS words match_corner(const neighbours *n, const summary *s, int b, int c)
{
    words square = AT(0, 0, 0) | AT(0, -b, 0) | AT(0, 0, -c) | AT(0, -b, -c);
    words third = s->below & AT(1, b, 0) & AT(1, 0, c) & ~square;
    words others = square | AT(0, b, 0) | AT(0, 0, c) | AT(0, b, -c) | AT(0, -b, c);
    words fourth = s->below & AT(0, b, c) & AT(1, b, c) & ~others;
    words away =
        AT(1, -b, 0) | AT(1, 0, -c) | AT(1, -b, -c) | AT(2, -b, 0) | AT(2, 0, -c) | AT(2, -b, -c);
    words sixth = AT(2, b, 0) & AT(2, 0, c) & ~(s->above | s->below | away);
    return third | fourth | sixth;
}

static ALWAYS words match(const neighbours *n)
{
    summary s = {.below = AT(2, 0, 0)};
    for (int b = -1; b <= 1; b++) {
        for (int c = -1; c <= 1; c++) {
            s.above |= AT(0, b, c);
            s.near |= b != 0 || c != 0 ? AT(1, b, c) | AT(2, b, c) : (words){0};
        }
    }
    words first = s.below & s.near & ~s.above;
    return AT(1, 0, 0) &
           (first | match_side(n, &s, 1, 0) | match_side(n, &s, -1, 0) | match_side(n, &s, 0, 1) |
            match_side(n, &s, 0, -1) | match_corner(n, &s, 1, 1) | match_corner(n, &s, 1, -1) |
            match_corner(n, &s, -1, 1) | match_corner(n, &s, -1, -1));
}

/* The neighbours of word i and those after it, from `axis`. */
static ALWAYS void gather(const uint64_t *const rows[9], int64_t i, int axis, bool first,
                          neighbours *n)
{
    for (int z = 0; z < 3; z++) {
        for (int y = 0; y < 3; y++) {
            const uint64_t *row = rows[3 * z + y] + i;
            words middle = load(row);
            words of[3] = {middle << 1 | load(row - 1) >> (WORD - 1), middle,
                           middle >> 1 | load(row + 1) << (WORD - 1)};
            for (int x = 0; x < 3; x++) {
                int a = axis == 0 ? z : axis == 1 ? y : x, b = axis == 0 ? y : z;
                n->of[first ? a : 2 - a][b][axis == 2 ? y : x] = of[x];
            }
        }
    }
}

/* The voxels of word i that are seen from the direction: no template has one above the voxel. */
static ALWAYS words seen(const uint64_t *const rows[9], int64_t i, int axis, bool first)
{
    const uint64_t *row = rows[4] + i;
    words voxels = load(row);
    if (axis == 2) {
        return voxels & ~(first ? voxels << 1 | load(row - 1) >> (WORD - 1)
                                : voxels >> 1 | load(row + 1) << (WORD - 1));
    }
    int step = axis == 0 ? 3 : 1;
    return voxels & ~load(rows[first ? 4 - step : 4 + step] + i);
}

#define FIND(code, axis, first)                                                              \
    static bool find_##code(const uint64_t *const rows[9], int64_t count, uint64_t *leaving) \
    {                                                                                        \
        words any = {0};                                                                     \
        for (int64_t i = 0; i < count; i += LANES) {                                         \
            words go = {0};                                                                  \
            if (!is_empty(seen(rows, i, axis, first))) {                                     \
                neighbours n;                                                                \
                gather(rows, i, axis, first, &n);                                            \
                go = match(&n);                                                              \
                any |= go;                                                                   \
            }                                                                                \
            memcpy(leaving + i, &go, sizeof go);                                             \
        }                                                                                    \
        return !is_empty(any);                                                               \
    }
FILTER_THIN_LIST(FIND)
#undef FIND

#define FIND_ENTRY(code, axis, first) find_##code,

const filter_thin_ops HALO_ISA_OPS(filter_thin_ops) = {{FILTER_THIN_LIST(FIND_ENTRY)}};
