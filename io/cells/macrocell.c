#include "io/cells/cells_internal.h"

#include "base/memory.h"

#include <string.h>

/* Golly's quadtrees of two states. Behind "[M2]" each line is a node, numbered from 1: 8 x 8 cells
 * as ".*$" text, or "level nw ne sw se", a square of 2^level cells a side of four earlier nodes (0
 * stands for empty ones). The last node is the whole pattern, (0, 0) right of and above its centre.
 * Equal squares share a node, so a short file may stand for any number of cells: they are only
 * unfolded into the rows that are asked for. */

enum {
    LEAF_LEVEL = 3,
    LEAF_SIDE = 8,
    LEVEL_MAX = 61, /* corners lie 2^60 from the centre, within HALO_CELLS_PLACE_LIMIT */
    NODE_MAX = INT32_MAX,
};

typedef struct {
    int64_t left, top, right, bottom; /* of the box of live cells, right and bottom excluded, from
                                       * the node's corner; right is 0 if all are dead */
    union {
        uint32_t child[4]; /* nw, ne, sw, se */
        uint64_t cells;    /* of a leaf: bit y * 8 + x */
    } in;
    int level;
} node;

typedef struct {
    halo_buffer nodes;
    uint32_t count; /* of nodes; 0 is an empty one of any level */
} tree;

/* The part of the pattern that is asked for. */
typedef struct {
    const node *nodes;
    int64_t top, bottom; /* rows, from the root's corner; bottom excluded */
    int64_t left;        /* the column of bit 0 of each row */
    unsigned char *out;
    size_t pitch;
} window;

static const node *nodes_of(const tree *t)
{
    return (const node *)(const void *)t->nodes.data;
}

static halo_status add_node(halo_cells_reader *reader, const node *new_node)
{
    tree *t = reader->state;
    if (t->count == NODE_MAX || halo_buffer_reserve(&t->nodes, sizeof *new_node) != HALO_OK) {
        return halo_fail(HALO_MEMORY,
                         "%s: out of memory: its nodes take more than %zu bytes; save the pattern "
                         "as RLE",
                         reader->source.name, t->nodes.size);
    }
    memcpy(t->nodes.data + t->nodes.size, new_node, sizeof *new_node);
    t->nodes.size += sizeof *new_node;
    t->count++;
    return HALO_OK;
}

static void include(node *n, int64_t left, int64_t top, int64_t right, int64_t bottom)
{
    bool first = n->right == 0;
    n->left = first || left < n->left ? left : n->left;
    n->top = first || top < n->top ? top : n->top;
    n->right = right > n->right ? right : n->right;
    n->bottom = bottom > n->bottom ? bottom : n->bottom;
}

static halo_status take_leaf(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    node leaf = {.level = LEAF_LEVEL};
    int x = 0, y = 0;
    for (int byte; (byte = halo_source_next(source)) == '.' || byte == '*' || byte == '$';
         source->at++) {
        if (byte == '$') {
            x = 0;
            y++;
            continue;
        }
        if (x >= LEAF_SIDE || y >= LEAF_SIDE) {
            return halo_cells_fail_at(source, "the cell lies outside its 8 x 8 square");
        }
        if (byte == '*') {
            leaf.in.cells |= (uint64_t)1 << (y * LEAF_SIDE + x);
            include(&leaf, x, y, x + 1, y + 1);
        }
        x++;
    }
    HALO_TRY(halo_cells_end_line(source, "., *, $ or the end of the line"));
    return add_node(reader, &leaf);
}

static halo_status take_child(halo_cells_reader *reader, node *parent, int i)
{
    const tree *t = reader->state;
    halo_source *source = &reader->source;
    if (!halo_cells_is_blank(halo_source_next(source))) {
        return halo_cells_fail_here(source, "a blank, and then the number of a node,");
    }
    halo_cells_skip_blanks(source);
    int64_t number = 0;
    HALO_TRY(halo_cells_take_number(source, "the number of a node", false, t->count - 1, &number));
    parent->in.child[i] = (uint32_t)number;
    const node *child = nodes_of(t) + number;
    if (number > 0 && child->level != parent->level - 1) {
        return halo_cells_fail_at(source, "node %lld has level %d where one of level %d is allowed",
                                  (long long)number, child->level, parent->level - 1);
    }
    if (child->right > 0) {
        int64_t half = (int64_t)1 << (parent->level - 1);
        int64_t x = i % 2 * half, y = i / 2 * half;
        include(parent, x + child->left, y + child->top, x + child->right, y + child->bottom);
    }
    return HALO_OK;
}

static halo_status take_branch(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    int64_t level = 0;
    HALO_TRY(halo_cells_take_number(source, "a node's level", false, LEVEL_MAX, &level));
    if (level <= LEAF_LEVEL) {
        return halo_cells_fail_at(source,
                                  "a node of level %d is of a pattern of more than two states or "
                                  "not of a macrocell file; 4 to %d are allowed; open it in Golly "
                                  "and save it as RLE",
                                  (int)level, LEVEL_MAX);
    }
    node branch = {.level = (int)level};
    for (int i = 0; i < 4; i++) {
        HALO_TRY(take_child(reader, &branch, i));
    }
    HALO_TRY(halo_cells_end_line(source, "the end of the line"));
    return add_node(reader, &branch);
}

/* A line that begins with #: #R and #G mean something, others are remarks. */
static halo_status take_mark(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    source->at++;
    int mark = halo_source_next(source);
    if (mark == 'R') {
        char rule[HALO_CELLS_RULE_BYTES + 1];
        source->at++;
        size_t length = halo_cells_take_line(source, rule, sizeof rule);
        HALO_TRY(halo_cells_set_rule(reader, rule, length));
    } else if (mark == 'G') {
        char line[2 * HALO_CELLS_GENERATION];
        source->at++;
        halo_cells_skip_blanks(source);
        halo_cells_take_line(source, line, sizeof line);
        const char *number = line;
        if (!halo_cells_scan_generation(&number, &reader->info)) {
            return halo_cells_fail_at(source,
                                      "\"#G\" is not followed by a number of 1 to %d digits",
                                      HALO_CELLS_GENERATION);
        }
    }
    halo_cells_skip_line(source);
    return source->status;
}

static halo_status settle(halo_cells_reader *reader)
{
    const tree *t = reader->state;
    halo_cells_info *info = &reader->info;
    if (t->count == 1) {
        return halo_fail(HALO_FORMAT, "%s: holds no node of a quadtree; it is cut off",
                         reader->source.name);
    }
    const node *root = nodes_of(t) + t->count - 1;
    if (root->right == 0) {
        return HALO_OK;
    }
    info->width = root->right - root->left;
    info->height = root->bottom - root->top;
    if (info->width > HALO_CELLS_AXIS_LIMIT || info->height > HALO_CELLS_AXIS_LIMIT) {
        return halo_fail(HALO_FORMAT,
                         "%s: live cells lie too far apart: %lld columns and %lld rows; 2^40 of "
                         "each are allowed; cut out a part in Golly",
                         reader->source.name, (long long)info->width, (long long)info->height);
    }
    int64_t half = (int64_t)1 << (root->level - 1);
    info->placed = true;
    info->x = root->left - half;
    info->y = root->top - half + 1; /* Golly's rows go up from its centre, and 0 is among them */
    return HALO_OK;
}

static halo_status open_macrocell(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    tree *t = NULL;
    HALO_TRY(HALO_ALLOCATE(t, 1, "a reader of cells"));
    reader->state = t;
    HALO_TRY(add_node(reader, &(node){0}));
    halo_cells_skip_line(source);
    for (int byte; (byte = halo_source_next(source)) >= 0;) {
        if (byte == '#') {
            HALO_TRY(take_mark(reader));
        } else if (byte == '\n' || byte == '\r') {
            HALO_TRY(halo_cells_end_line(source, "the end of the line"));
        } else if (byte >= '0' && byte <= '9') {
            HALO_TRY(take_branch(reader));
        } else {
            HALO_TRY(take_leaf(reader));
        }
    }
    HALO_TRY(source->status);
    return settle(reader);
}

static void draw_leaf(const window *w, const node *leaf, int64_t x, int64_t y)
{
    for (int64_t i = leaf->top; i < leaf->bottom; i++) {
        if (y + i < w->top || y + i >= w->bottom) {
            continue;
        }
        uint64_t *row = (uint64_t *)(void *)(w->out + (size_t)(y + i - w->top) * w->pitch);
        uint64_t cells = leaf->in.cells >> (i * LEAF_SIDE) & 255;
        for (; cells != 0; cells &= cells - 1) {
            int64_t at = x + __builtin_ctzll(cells) - w->left;
            row[at / 64] |= (uint64_t)1 << (at % 64);
        }
    }
}

/* The live cells of a node whose corner is (x, y); no deeper than LEVEL_MAX calls. */
static void draw(const window *w, uint32_t number, int64_t x, int64_t y)
{
    const node *n = w->nodes + number;
    if (n->right == 0 || y + n->top >= w->bottom || y + n->bottom <= w->top) {
        return;
    }
    if (n->level == LEAF_LEVEL) {
        draw_leaf(w, n, x, y);
        return;
    }
    int64_t half = (int64_t)1 << (n->level - 1);
    for (int i = 0; i < 4; i++) {
        draw(w, n->in.child[i], x + i % 2 * half, y + i / 2 * half);
    }
}

static halo_status macrocell_rows(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    const tree *t = reader->state;
    const node *root = nodes_of(t) + t->count - 1;
    int64_t top = root->top + reader->row;
    const window w = {nodes_of(t), top, top + rows, root->left, out, pitch};
    for (int64_t i = 0; i < rows; i++) {
        memset(w.out + (size_t)i * pitch, 0, halo_cells_row_bytes(reader->info.width, 1));
    }
    draw(&w, t->count - 1, 0, 0);
    return HALO_OK;
}

static void close_macrocell(halo_cells_reader *reader)
{
    tree *t = reader->state;
    if (t != NULL) {
        halo_buffer_free(&t->nodes);
    }
}

const halo_cells_kind halo_cells_macrocell = {
    .open = open_macrocell, .rows = macrocell_rows, .close = close_macrocell};
