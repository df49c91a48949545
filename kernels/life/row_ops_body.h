/* The loops over rows and columns, once for each ISA: included by its source, which defines
 * vectors, GROUP and the functions on single vectors before. No include guard on purpose. */

#include "kernels/life/row_ops_window.h"

#include <string.h>

enum { PARTS = LIFE_COLUMN_BYTES / LIFE_VECTOR_BYTES }; /* vectors in a column */

/* Which code a block is computed by; the compiler knows it in every copy of the loops. */
typedef enum { CODE_LIFE, CODE_FIXED, CODE_ANY, CODE_GENERATIONS, CODE_WIREWORLD } code_kind;

typedef struct {
    code_kind kind;
    halo_life_neighbourhood neighbourhood;
    unsigned born, survive; /* CODE_FIXED */
    bool counts;            /* births and deaths */
} code;

/* A number of 0 to 3 of neighbours in the row above or below. */
typedef struct {
    vec sum, carry;
} row_pair;

static ALWAYS row_pair pair_of(life_beside which, const row_part *row)
{
    const vec none = {0};
    switch (which) {
    case LIFE_MIDDLE:
        return (row_pair){row->cell, none};
    case LIFE_LEFT_AND_MIDDLE:
        return (row_pair){row->left ^ row->cell, row->left & row->cell};
    case LIFE_MIDDLE_AND_RIGHT:
        return (row_pair){row->cell ^ row->right, row->cell & row->right};
    case LIFE_ALL_THREE:
    case LIFE_ROW_ITSELF:
    default:
        return (row_pair){row->sum, row->carry};
    }
}

/* Return the next state of cells with `n` live neighbours, for a rule that is known at compile
 * time. */
static ALWAYS vec fixed_outcome(const code *c, int n, vec cell)
{
    const vec none = {0};
    if ((c->born >> n & 1) != 0) {
        return (c->survive >> n & 1) != 0 ? ~none : ~cell;
    }
    return (c->survive >> n & 1) != 0 ? cell : none;
}

static ALWAYS vec any_outcome(const life_block *block, int part, int n, vec cell)
{
    return choose(cell, load((const vec *)block->rule->survive[n] + part),
                  load((const vec *)block->rule->born[n] + part));
}

static ALWAYS vec outcome(const code *c, const life_block *block, int part, int n, vec cell)
{
    return c->kind == CODE_FIXED ? fixed_outcome(c, n, cell) : any_outcome(block, part, n, cell);
}

/* Look up the rule's outcome by the four bits of the number of neighbours: a tree of choices. */
static ALWAYS vec look_up(const code *c, const life_block *block, int part, vec cell,
                          const counts *n)
{
    vec pair[4];
    for (int i = 0; i < 4; i++) {
        pair[i] = choose(n->bit[0], outcome(c, block, part, 2 * i + 1, cell),
                         outcome(c, block, part, 2 * i, cell));
    }
    vec low = choose(n->bit[1], pair[1], pair[0]), high = choose(n->bit[1], pair[3], pair[2]);
    return choose(n->bit[3], outcome(c, block, part, 8, cell), choose(n->bit[2], high, low));
}

/* The changes of the cells of a vector, summed up in words. */
typedef struct {
    vec births, deaths, aged;
} tally;

static ALWAYS void add_to_tally(tally *t, vec before, vec after, vec mask)
{
    t->births += count_bits(after & ~before & mask);
    t->deaths += count_bits(before & ~after & mask);
}

/* Dying cells grow older in their planes and are dead after the last state. `outcome` is what the
 * rule says without regard to them; returns the live cells. */
static ALWAYS vec age(const life_block *block, char *at, int part, vec cell, vec result, tally *t,
                      vec mask)
{
    const vec none = {0};
    vec dying = none, last = ~none;
    for (int i = 1; i < block->planes; i++) {
        vec bit = load(at + i * block->plane_stride);
        dying |= bit;
        last &= ~(bit ^ load((const vec *)block->rule->last[i] + part));
    }
    vec alive = result & ~dying, older = dying & ~last, after = alive;
    if (t != NULL) {
        t->aged += count_bits(((cell & ~alive) | older) & mask);
    }
    for (int i = 1; i < block->planes; i++) {
        vec bit = load(at + i * block->plane_stride);
        vec next = (bit ^ older) & ~last;
        older &= bit;
        if (i == 1) {
            next |= cell & ~alive; /* begins to die */
        }
        store(at + i * block->plane_stride, next);
        after |= next;
    }
    if (t != NULL) {
        add_to_tally(t, cell | dying, after, mask);
    }
    return alive;
}

/* WireWorld: heads of electrons in plane 0, tails in plane 1, conductors in plane 2. Returns the
 * heads to be; no cell comes to life or dies. */
static ALWAYS vec move_electrons(const life_block *block, char *at, vec heads, const counts *n,
                                 tally *t, vec mask)
{
    vec near = (n->bit[0] ^ n->bit[1]) & ~(n->bit[2] | n->bit[3]); /* one or two */
    vec tails = load(at + block->plane_stride), conductors = load(at + 2 * block->plane_stride);
    vec after = conductors & near;
    store(at + block->plane_stride, heads);
    store(at + 2 * block->plane_stride, tails | (conductors & ~near));
    if (t != NULL) {
        t->aged += count_bits((heads | tails | after) & mask);
    }
    return after;
}

/* Write the next generation of one vector. */
static ALWAYS void write_next(const code *c, life_block *block, char *at, int part, row_pair above,
                              const row_part *row, row_pair below, vec mask, tally *t)
{
    vec next;
    if (c->kind == CODE_LIFE) {
        next = next_life(above.sum, above.carry, row, below.sum, below.carry);
    } else {
        counts n = count_neighbours(above.sum, above.carry, row, below.sum, below.carry);
        next = c->kind == CODE_WIREWORLD
                   ? move_electrons(block, at, row->cell, &n, c->counts ? t : NULL, mask)
                   : look_up(c, block, part, row->cell, &n);
    }
    if (c->kind == CODE_GENERATIONS) {
        next = age(block, at, part, row->cell, next, c->counts ? t : NULL, mask);
    } else if (c->counts && c->kind != CODE_WIREWORLD) {
        add_to_tally(t, row->cell, next, mask);
    }
    store(at, next);
}

/* The parts of a row in `group` columns from `at` on. The column to the left has been overwritten;
 * `*side` has what it was, and gets what the next group needs. */
static ALWAYS void read_row(const char *at, vec *side, int group, row_part *row)
{
    vec cells[GROUP + 2];
    cells[0] = *side;
    for (int i = 0; i <= group; i++) {
        cells[i + 1] = load(at + i * LIFE_COLUMN_BYTES);
    }
    *side = cells[group];
    for (int i = 0; i < group; i++) {
        row[i] = make_part(cells[i], cells[i + 1], cells[i + 2]);
    }
}

/* State that a walk down the columns carries from row to row. */
typedef struct {
    row_pair above[GROUP];
    row_part row[GROUP];
    vec mask[GROUP];
} walk;

/* Write one row, now that its neighbours in the one below are known. */
static ALWAYS void write_row(const code *c, life_block *block, char *at, int part, int group,
                             walk *w, const row_pair *below, tally *t)
{
    const life_beside which = life_beside_of(c->neighbourhood, false);
    for (int i = 0; i < group; i++) {
        write_next(c, block, at + i * LIFE_COLUMN_BYTES, part, w->above[i], &w->row[i], below[i],
                   w->mask[i], t);
        w->above[i] = pair_of(which, &w->row[i]);
    }
}

/* The same, and step down to the row below. */
static ALWAYS void write_and_step(const code *c, life_block *block, char *at, int part, int group,
                                  walk *w, const row_part *row_below, tally *t)
{
    const life_beside which = life_beside_of(c->neighbourhood, true);
    row_pair below[GROUP];
    for (int i = 0; i < group; i++) {
        below[i] = pair_of(which, &row_below[i]);
    }
    write_row(c, block, at, part, group, w, below, t);
    for (int i = 0; i < group; i++) {
        w->row[i] = row_below[i];
    }
}

static ALWAYS void advance_group(const code *c, life_block *block, int64_t column, int part,
                                 int group, tally *t)
{
    const ptrdiff_t offset = column * LIFE_COLUMN_BYTES + part * LIFE_VECTOR_BYTES;
    const ptrdiff_t sums_offset = offset + column * LIFE_COLUMN_BYTES;
    char *sums = block->sums + sums_offset, *at = block->row + offset;
    vec *side = (vec *)(void *)block->side;
    walk w;
    for (int i = 0; i < group; i++) {
        w.above[i] = (row_pair){load(sums + (2 * i) * LIFE_COLUMN_BYTES),
                                load(sums + (2 * i + 1) * LIFE_COLUMN_BYTES)};
        w.mask[i] = c->counts ? load(block->mask + offset + i * LIFE_COLUMN_BYTES) : (vec){0};
    }
    row_part below[GROUP];
    read_row(at, &side[0], group, w.row);
    const ptrdiff_t stride = block->stride;
    const vec *end = side + block->rows;
#pragma GCC unroll 3
    for (side++; side < end; side++, at += stride) {
        read_row(at + stride, side, group, below);
        write_and_step(c, block, at, part, group, &w, below, t);
    }
    if (block->below == NULL) {
        read_row(at + stride, side, group, below);
        write_and_step(c, block, at, part, group, &w, below, t);
    } else {
        row_pair given[GROUP];
        for (int i = 0; i < group; i++) {
            const char *from = block->below + sums_offset + 2 * i * LIFE_COLUMN_BYTES;
            given[i] = (row_pair){load(from), load(from + LIFE_COLUMN_BYTES)};
        }
        write_row(c, block, at, part, group, &w, given, t);
    }
    for (int i = 0; i < group; i++) {
        store(sums + (2 * i) * LIFE_COLUMN_BYTES, w.above[i].sum);
        store(sums + (2 * i + 1) * LIFE_COLUMN_BYTES, w.above[i].carry);
    }
}

static int64_t add_words(vec words)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < LIFE_VECTOR_BYTES / sizeof(uint64_t); i++) {
        sum += words[i];
    }
    return (int64_t)sum;
}

static ALWAYS void advance_block(life_block *block, const code c)
{
    tally t = {{0}, {0}, {0}};
    vec *side = (vec *)(void *)block->side;
    for (int part = 0; part < PARTS; part++) {
        const char *ghost = block->row - LIFE_COLUMN_BYTES + part * LIFE_VECTOR_BYTES;
        for (int y = 0; y <= block->rows - (block->below != NULL); y++) {
            side[y] = load(ghost + y * block->stride);
        }
        int64_t column = 0;
        for (; column + GROUP <= block->columns; column += GROUP) {
            advance_group(&c, block, column, part, GROUP, &t);
        }
        for (; column < block->columns; column++) {
            advance_group(&c, block, column, part, 1, &t);
        }
    }
    if (c.counts) {
        block->births += add_words(t.births);
        block->deaths += add_words(t.deaths);
        block->aged += add_words(t.aged);
    }
}

#include "kernels/life/row_ops_map.h"

#define DEFINE_CODE(name, kind, around, born, survive)                                \
    static void advance_##name(life_block *block)                                     \
    {                                                                                 \
        advance_block(block, (code){kind, HALO_LIFE_##around, born, survive, false}); \
    }                                                                                 \
    static void count_##name(life_block *block)                                       \
    {                                                                                 \
        advance_block(block, (code){kind, HALO_LIFE_##around, born, survive, true});  \
    }
#define DEFINE_FIXED_CODE(name, born, survive) DEFINE_CODE(name, CODE_FIXED, MOORE, born, survive)

DEFINE_CODE(life, CODE_LIFE, MOORE, 0, 0)
DEFINE_CODE(any, CODE_ANY, MOORE, 0, 0)
DEFINE_CODE(any_v, CODE_ANY, VON_NEUMANN, 0, 0)
DEFINE_CODE(any_h, CODE_ANY, HEXAGONAL, 0, 0)
DEFINE_CODE(generations, CODE_GENERATIONS, MOORE, 0, 0)
DEFINE_CODE(generations_v, CODE_GENERATIONS, VON_NEUMANN, 0, 0)
DEFINE_CODE(generations_h, CODE_GENERATIONS, HEXAGONAL, 0, 0)
DEFINE_CODE(wireworld, CODE_WIREWORLD, WIREWORLD, 0, 0)
DEFINE_MAP_CODE(map, CODE_ANY)
DEFINE_MAP_CODE(generations_map, CODE_GENERATIONS)
LIFE_FIXED_RULE_LIST(DEFINE_FIXED_CODE)

static const life_rule_code codes[] = {
    {"life", 0x008, 0x00c, advance_life, count_life},
#define CODE_ENTRY(name, born, survive) {#name, born, survive, advance_##name, count_##name},
    LIFE_FIXED_RULE_LIST(CODE_ENTRY)
#undef CODE_ENTRY
        {NULL, 0, 0, NULL, NULL},
};

static void make_sums(const char *row, int64_t columns, life_beside which, char *sums)
{
    if (which == LIFE_ROW_ITSELF) {
        memcpy(sums, row - LIFE_COLUMN_BYTES, (size_t)(columns + 2) * LIFE_COLUMN_BYTES);
        return;
    }
    for (int64_t i = 0; i < columns; i++) {
        for (int part = 0; part < PARTS; part++) {
            const char *at = row + i * LIFE_COLUMN_BYTES + part * LIFE_VECTOR_BYTES;
            char *to = sums + 2 * i * LIFE_COLUMN_BYTES + part * LIFE_VECTOR_BYTES;
            row_part made =
                make_part(load(at - LIFE_COLUMN_BYTES), load(at), load(at + LIFE_COLUMN_BYTES));
            row_pair pair = pair_of(which, &made);
            store(to, pair.sum);
            store(to + LIFE_COLUMN_BYTES, pair.carry);
        }
    }
}

static void refresh_ghosts(char *row, ptrdiff_t stride, int64_t rows, const life_ends *ends)
{
    for (int64_t y = 0; y < rows; y++, row += stride) {
        uint64_t *words = (uint64_t *)(void *)row;
        if (!ends->full) {
            uint64_t first = ends->periodic ? words[0] & 1 : 0;
            uint64_t *end = words + ends->end_word;
            *end = (*end & ~((uint64_t)1 << ends->end_bit)) | first << ends->end_bit;
        }
        make_ghosts(row, ends->columns, ends->periodic);
        if (!ends->full) {
            uint64_t last = ends->periodic ? words[ends->last_word] >> ends->last_bit & 1 : 0;
            uint64_t *ghost = words - LIFE_COLUMN_WORDS;
            *ghost = (*ghost & ~(uint64_t)1) | last;
        }
    }
}

static int64_t count_population(const char *column, const char *mask, int64_t columns)
{
    vec sum = {0};
    for (int64_t i = 0; i < columns * PARTS; i++) {
        sum += count_bits(load((const vec *)(const void *)column + i) &
                          load((const vec *)(const void *)mask + i));
    }
    return add_words(sum);
}

/* Swap ever smaller halves across the diagonal (H. S. Warren, Hacker's Delight, section 7-3). */
static void transpose(life_squares *squares)
{
    enum { SIDE = 64 };
    uint64_t mask = 0x00000000ffffffff;
    for (int half = SIDE / 2; half > 0; half /= 2, mask ^= mask << half) {
        for (int i = 0; i < SIDE; i = (i + half + 1) & ~half) {
            for (int part = 0; part < PARTS; part++) {
                vec *low = (vec *)(void *)squares->words[i] + part;
                vec *high = (vec *)(void *)squares->words[i + half] + part;
                vec moved = ((*low >> half) ^ *high) & mask;
                *low ^= moved << half;
                *high ^= moved;
            }
        }
    }
}

const life_row_ops LIFE_ROW_OPS = {
    .sums = make_sums,
    .ghosts = refresh_ghosts,
    .population = count_population,
    .transpose = transpose,
    .read_window = read_window,
    .write_window = write_window,
    .codes = codes,
    .any = {{"any rule", 0, 0, advance_any, count_any},
            {"any rule, four neighbours", 0, 0, advance_any_v, count_any_v},
            {"any rule, six neighbours", 0, 0, advance_any_h, count_any_h},
            {"any rule, table of 512", 0, 0, advance_map, count_map}},
    .generations =
        {{"generations", 0, 0, advance_generations, count_generations},
         {"generations, four neighbours", 0, 0, advance_generations_v, count_generations_v},
         {"generations, six neighbours", 0, 0, advance_generations_h, count_generations_h},
         {"generations, table of 512", 0, 0, advance_generations_map, count_generations_map},
         {"WireWorld", 0, 0, advance_wireworld, count_wireworld}},
};
