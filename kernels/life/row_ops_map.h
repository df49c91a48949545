/* Isotropic non-totalistic rules: included by row_ops_body.h. No include guard on purpose.
 *
 * A few rows are copied, with the rows above and below them, one behind the other. Each neighbour
 * of a cell is then at the same distance from it in all rows, ghost columns included. The copies
 * are one long row, and the rule's program computes one tile of columns after the other. Results
 * for ghost columns are not written back. */

enum { TILE = LIFE_TILE_COLUMNS * PARTS, TILE_BYTES = LIFE_TILE_COLUMNS * LIFE_COLUMN_BYTES };

/* A tile: its cells in the row, and where the values begin, each a tile long. */
typedef struct {
    const char *above, *row, *below;
    char *values;
} tile;

static ALWAYS void give(const tile *t, uint32_t needs, int value, int i, vec bits)
{
    if ((needs >> value & 1) != 0) {
        store(t->values + value * TILE_BYTES + i * LIFE_VECTOR_BYTES, bits);
    }
}

typedef struct {
    vec edge[4], corner[4]; /* clockwise from above; corner i lies behind edge i */
} neighbours;

/* Four bits added up: 0 to 4. */
static ALWAYS void add_four(const vec bits[4], vec sum[3])
{
    vec three = add_bits(bits[0], bits[1], bits[2]), carry = carry_bits(bits[0], bits[1], bits[2]);
    vec both = three & bits[3];
    sum[0] = three ^ bits[3];
    sum[1] = carry ^ both;
    sum[2] = carry & both;
}

static ALWAYS void give_counts(const tile *t, uint32_t needs, int i, const neighbours *n)
{
    vec edges[3], corners[3];
    add_four(n->edge, edges);
    add_four(n->corner, corners);
    vec ones = edges[0] & corners[0];
    vec twos = add_bits(edges[1], corners[1], ones), carry = carry_bits(edges[1], corners[1], ones);
    give(t, needs, LIFE_VALUE_COUNT0, i, edges[0] ^ corners[0]);
    give(t, needs, LIFE_VALUE_COUNT1, i, twos);
    give(t, needs, LIFE_VALUE_COUNT2, i, add_bits(edges[2], corners[2], carry));
    give(t, needs, LIFE_VALUE_COUNT3, i, carry_bits(edges[2], corners[2], carry));
    give(t, needs, LIFE_VALUE_EDGES0, i, edges[0]);
    give(t, needs, LIFE_VALUE_EDGES1, i, edges[1]);
    give(t, needs, LIFE_VALUE_CORNERS0, i, corners[0]);
    give(t, needs, LIFE_VALUE_CORNERS1, i, corners[1]);
}

/* Pairs of neighbours that touch, modulo 4: of each edge with the two corners beside it. */
static ALWAYS void give_pairs(const tile *t, uint32_t needs, int i, const neighbours *n)
{
    vec one[4], two[4];
    for (int k = 0; k < 4; k++) {
        vec before = n->corner[(k + 3) % 4], behind = n->corner[k];
        one[k] = n->edge[k] & (before ^ behind);
        two[k] = n->edge[k] & before & behind;
    }
    vec three = add_bits(one[0], one[1], one[2]), carry = carry_bits(one[0], one[1], one[2]);
    vec twos = add_bits(two[0], two[1], two[2]);
    give(t, needs, LIFE_VALUE_PAIRS0, i, three ^ one[3]);
    give(t, needs, LIFE_VALUE_PAIRS1, i, add_bits(twos, two[3], carry) ^ (three & one[3]));
}

/* An edge between two corners or a corner between two edges. */
static ALWAYS vec three_in_a_row(const neighbours *n)
{
    vec found = {0};
    for (int k = 0; k < 4; k++) {
        found |= n->edge[k] & n->corner[k] & (n->corner[(k + 3) % 4] | n->edge[(k + 1) % 4]);
    }
    return found;
}

static ALWAYS neighbours read_neighbours(const tile *t, int i)
{
    const char *above = t->above + i * LIFE_VECTOR_BYTES, *row = t->row + i * LIFE_VECTOR_BYTES,
               *below = t->below + i * LIFE_VECTOR_BYTES;
    enum { BESIDE = LIFE_COLUMN_BYTES };
    return (neighbours){
        {load(above), load(row + BESIDE), load(below), load(row - BESIDE)},
        {load(above + BESIDE), load(below + BESIDE), load(below - BESIDE), load(above - BESIDE)}};
}

static void give_values(const tile *from, uint32_t needs)
{
    const uint32_t pairs = (uint32_t)3 << LIFE_VALUE_PAIRS0;
    const uint32_t three = (uint32_t)1 << LIFE_VALUE_THREE;
    const tile copy = *from, *t = &copy; /* in registers, whatever is stored */
    for (int i = 0; i < TILE; i++) {
        const neighbours n = read_neighbours(t, i);
        give_counts(t, needs, i, &n);
        give(t, needs, LIFE_VALUE_EDGES_FACE, i, (n.edge[0] & n.edge[2]) | (n.edge[1] & n.edge[3]));
        give(t, needs, LIFE_VALUE_CORNERS_FACE, i,
             (n.corner[0] & n.corner[2]) | (n.corner[1] & n.corner[3]));
        if ((needs & pairs) != 0) {
            give_pairs(t, needs, i, &n);
        }
        if ((needs & three) != 0) {
            give(t, needs, LIFE_VALUE_THREE, i, three_in_a_row(&n));
        }
    }
}

static ALWAYS void take_step(char *const value[], const life_step *step)
{
    vec *to = (vec *)(void *)value[step->to];
    const vec *whiches = (const vec *)(const void *)value[step->which];
    const vec *ones = (const vec *)(const void *)value[step->one];
    const vec *zeros = (const vec *)(const void *)value[step->zero];
    switch (step->kind) {
#define STEP_CASE(name, result)                                           \
    case LIFE_STEP_##name:                                                \
        for (int i = 0; i < TILE; i++) {                                  \
            const vec which = whiches[i], one = ones[i], zero = zeros[i]; \
            (void)which, (void)one, (void)zero;                           \
            to[i] = result;                                               \
        }                                                                 \
        break;
        LIFE_STEP_LIST(STEP_CASE)
#undef STEP_CASE
    default:
        break;
    }
}

/* The rows being computed: `cells` are those of the row above, them, and of the row below. */
typedef struct {
    int64_t width; /* columns of a row, with the ghosts */
    char *cells, *result, *values;
} map_rows;

static void run_program(const life_program *program, const map_rows *m, int64_t rows)
{
    const uint32_t cells = ((uint32_t)1 << LIFE_VALUE_COUNT0) - 1;
    const int64_t row_bytes = m->width * LIFE_COLUMN_BYTES;
    char *value[LIFE_MOST_VALUES];
    for (int i = LIFE_VALUE_COUNT0; i < program->values; i++) {
        value[i] = m->values + i * TILE_BYTES;
    }
    for (int64_t at = 1; at < rows * m->width - 1; at += LIFE_TILE_COLUMNS) {
        char *above = m->cells + at * LIFE_COLUMN_BYTES;
        const tile t = {above, above + row_bytes, above + 2 * row_bytes, m->values};
        for (int i = 0; i < LIFE_VALUE_COUNT0; i++) {
            value[i] = above + (2 - i / 3) * row_bytes + (1 - i % 3) * LIFE_COLUMN_BYTES;
        }
        value[LIFE_VALUE_RESULT] = m->result + at * LIFE_COLUMN_BYTES;
        if ((program->needs & ~cells) != 0) {
            give_values(&t, program->needs);
        }
        for (int i = 0; i < program->steps; i++) {
            take_step(value, &program->step[i]);
        }
    }
}

/* Write back what became of a row. */
static ALWAYS void write_map_row(const code *c, const life_block *block, char *row,
                                 const char *cells, const char *result, tally *t)
{
    for (int64_t i = 0; i < block->columns * PARTS; i++) {
        const int64_t offset = i * LIFE_VECTOR_BYTES;
        const vec mask = c->counts ? load(block->mask + offset) : (vec){0};
        const vec cell = load(cells + offset);
        vec next = load(result + offset);
        if (c->kind == CODE_GENERATIONS) {
            next =
                age(block, row + offset, (int)(i % PARTS), cell, next, c->counts ? t : NULL, mask);
        } else if (c->counts) {
            add_to_tally(t, cell, next, mask);
        }
        store(row + offset, next);
    }
}

/* Copy the rows from `row` on and the one below them. */
static void copy_rows(const life_block *block, const map_rows *m, int64_t first, int64_t rows)
{
    const size_t bytes = (size_t)m->width * LIFE_COLUMN_BYTES;
    const char *row = block->row + first * block->stride - LIFE_COLUMN_BYTES;
    for (int64_t y = 0; y <= rows; y++, row += block->stride) {
        bool given = block->below != NULL && first + y == block->rows;
        memcpy(m->cells + (size_t)(y + 1) * bytes, given ? block->below : row, bytes);
    }
}

static ALWAYS void advance_map_block(life_block *block, const code c)
{
    const int64_t most = life_map_rows(block->columns);
    map_rows m = {.width = block->columns + 2, .cells = block->side};
    const int64_t bytes = m.width * LIFE_COLUMN_BYTES;
    m.result = m.cells + (most + 2) * bytes + TILE_BYTES;
    m.values = m.result + most * bytes + TILE_BYTES;
    tally t = {{0}, {0}, {0}};
    memcpy(m.cells, block->sums, (size_t)bytes);
    for (int64_t y = 0, rows; y < block->rows; y += rows) {
        rows = block->rows - y < most ? block->rows - y : most;
        copy_rows(block, &m, y, rows);
        run_program(block->rule->program, &m, rows);
        for (int64_t i = 0; i < rows; i++) {
            const int64_t offset = i * bytes + LIFE_COLUMN_BYTES;
            write_map_row(&c, block, block->row + (y + i) * block->stride, m.cells + bytes + offset,
                          m.result + offset, &t);
        }
        memcpy(m.cells, m.cells + rows * bytes, (size_t)bytes);
    }
    memcpy(block->sums, m.cells, (size_t)bytes);
    if (c.counts) {
        block->births += add_words(t.births);
        block->deaths += add_words(t.deaths);
        block->aged += add_words(t.aged);
    }
}

#define DEFINE_MAP_CODE(name, kind)                                         \
    static void advance_##name(life_block *block)                           \
    {                                                                       \
        advance_map_block(block, (code){kind, HALO_LIFE_MAP, 0, 0, false}); \
    }                                                                       \
    static void count_##name(life_block *block)                             \
    {                                                                       \
        advance_map_block(block, (code){kind, HALO_LIFE_MAP, 0, 0, true});  \
    }
