/* The walk through a pyramid, from regions down to leaves: included by each pyramid_ops_*.c, which
 * is compiled for its instructions, after it has defined two functions:
 *
 * INLINE int prune(int axes, const pyramid_list *in, const pyramid_box *box, cluster_slack slack,
 *                  float *squares, pyramid_list *out);
 *     The clusters of `in` that may own a pixel of `box`. Returns how many, at least one.
 * INLINE void assign_leaf(const visit *at, const pyramid_list *in, pyramid_leaf *leaf);
 *     Labels of a leaf that lies in a node with the clusters `in`, at least two.
 *
 * No include guard on purpose. */

/* Compile-time constants, and the state of the walk. */
typedef struct {
    pyramid_walk *walk;
    pyramid *p;
    pyramid_tile_row *tile_row;
    int64_t x, y; /* the tile's corner, global */
    int axes, cell_bits;
    cluster_slack slack; /* of lists relative to the tile's corner */
} visit;

INLINE int prune(int axes, const pyramid_list *in, const pyramid_box *box, cluster_slack slack,
                 float *squares, pyramid_list *out);
INLINE void assign_leaf(const visit *at, const pyramid_list *in, pyramid_leaf *leaf);

/* ---- labels that change ---------------------------------------------------------------------- */

INLINE void add_change(const visit *at, int label, int64_t pixels, int64_t sign,
                       const int64_t *sums)
{
    int64_t *row = at->p->job->changes + (size_t)label * (size_t)(1 + at->axes);
    row[0] += sign * pixels;
    for (int a = 0; a < at->axes; a++) {
        row[1 + a] += sign * sums[a];
    }
}

/* Pixel i of a leaf moves from one cluster to another. */
INLINE void move_pixel(const visit *at, const pyramid_pixels *pixels, int i, int from, int to)
{
    int place = pixels->place[i];
    int64_t sums[CLUSTER_AXES] = {at->x + place % TILE, at->y + place / TILE};
    for (int a = 2; a < at->axes; a++) {
        sums[a] = pyramid_value(at->p, pixels, i, a - 2);
    }
    if (at->walk->counts) {
        add_change(at, from, 1, -1, sums);
        add_change(at, to, 1, 1, sums);
    }
    at->walk->changed++;
}

INLINE void move_leaf(const visit *at, const pyramid_leaf *leaf, int from, int to)
{
    int64_t sums[CLUSTER_AXES], n = leaf->pixels;
    for (int a = 0; a < at->axes; a++) {
        sums[a] = leaf->sum[a] + (a == 0 ? n * at->x : a == 1 ? n * at->y : 0);
    }
    if (at->walk->counts) {
        add_change(at, from, n, -1, sums);
        add_change(at, to, n, 1, sums);
    }
    at->walk->changed += n;
}

/* Sets one label for all pixels of the leaf. */
INLINE void set_uniform(const visit *at, pyramid_leaf *leaf, int label)
{
    if (leaf->uniform) {
        if (leaf->label != label) {
            move_leaf(at, leaf, leaf->label, label);
        }
    } else {
        const pyramid_pixels *pixels = pyramid_pixels_of(at->p, at->tile_row, leaf);
        for (int i = 0; i < leaf->pixels; i++) {
            if (pixels->label[i] != label) {
                move_pixel(at, pixels, i, pixels->label[i], label);
            }
        }
    }
    leaf->uniform = true;
    leaf->label = (uint16_t)label;
}

/* Starts storing a label for each pixel. */
INLINE void set_mixed(pyramid_leaf *leaf, pyramid_pixels *pixels)
{
    if (leaf->uniform) {
        for (int i = 0; i < LEAF; i++) {
            pixels->label[i] = leaf->label;
        }
        leaf->uniform = false;
    }
}

/* ---- exactly --------------------------------------------------------------------------------- */

/* The label of pixel i by definition, among `n` clusters in any order. */
static __attribute__((noinline)) int exact_label(const visit *at, const pyramid_pixels *pixels,
                                                 int i, const int32_t *ids, int n)
{
    const cluster_job *job = at->p->job;
    int place = pixels->place[i], best = -1;
    double min = 0,
           pixel[CLUSTER_AXES] = {(double)(at->x + place % TILE), (double)(at->y + place / TILE)};
    for (int a = 2; a < job->axes; a++) {
        pixel[a] = pyramid_value(at->p, pixels, i, a - 2);
    }
    for (int j = 0; j < n; j++) {
        double distance = cluster_distance(job, at->walk->centres, pixel, ids[j]);
        if (best < 0 || distance < min || (distance == min && ids[j] < best)) {
            best = ids[j];
            min = distance;
        }
    }
    return best;
}

/* ---- down the levels ------------------------------------------------------------------------- */

INLINE void pad(pyramid_list *list, int axes)
{
    const float far = 1e15F;
    for (int i = 0; i < MAX_LANES; i++) {
        for (int a = 0; a < axes; a++) {
            list->axis[a][list->n + i] = far;
        }
        list->id[list->n + i] = 0;
    }
}

/* Positions of the list's clusters relative to (x, y). */
INLINE void place_from(const visit *at, pyramid_list *list, int64_t x, int64_t y)
{
    const cluster_centres *centres = at->walk->centres;
    for (int a = 0; a < at->axes; a++) {
        double corner = a == 0 ? (double)x : a == 1 ? (double)y : 0;
        double unit = a < 2 ? 1 : (double)at->p->weight;
        for (int i = 0; i < list->n; i++) {
            list->axis[a][i] = (float)((centres->axis[a][list->id[i]] - corner) * unit);
        }
    }
    pad(list, at->axes);
}

/* Sets one label for all leaves of a node. */
static void set_node(const visit *at, pyramid_tile *tile, pyramid_leaf *leaves, int level, int i,
                     int label)
{
    int first = i, count = 1;
    for (int l = level; l > 0; l--, first *= PARTS, count *= PARTS) {
        for (int j = 0; j < count; j++) {
            tile->nodes[pyramid_first_node(l) + first + j].label = label;
        }
    }
    for (int j = first; j < first + count && j < tile->leaves; j++) {
        set_uniform(at, &leaves[j], label);
    }
}

/* If neither the centres that a leaf's pixels belong to nor the other candidates have moved, no
 * label changes. */
INLINE bool stands_still(const visit *at, const pyramid_list *list)
{
    bool moved = !at->walk->counts || !at->p->job->begun; /* labels are not those of the beat
                                                           * before */
    for (int i = 0; i < list->n && !moved; i++) {
        moved = at->p->job->moved[list->id[i]];
    }
    return !moved;
}

INLINE bool keeps_labels(const visit *at, const pyramid_leaf *leaf)
{
    const bool *moved = at->p->job->moved;
    if (leaf->uniform) {
        return !moved[leaf->label];
    }
    const pyramid_pixels *pixels = pyramid_pixels_of(at->p, at->tile_row, leaf);
    bool any = false;
    for (int i = 0; i < LEAF; i++) {
        any |= moved[pixels->label[i]];
    }
    return !any;
}

/* For level 1: its parts are leaves. */
INLINE void walk_parts_1(const visit *at, pyramid_tile *tile, pyramid_leaf *leaves, int i)
{
    const pyramid_list *list = &at->p->lists[1];
    bool still = stands_still(at, list);
    for (int j = i * PARTS; j < (i + 1) * PARTS && j < tile->leaves; j++) {
        if (!still || !keeps_labels(at, &leaves[j])) {
            assign_leaf(at, list, &leaves[j]);
        }
    }
}

/* Node i of a level, with its list of clusters, and its parts. One function per level, each
 * compiled into the one above. */
#define DEFINE_NODE(level)                                                                   \
    INLINE void walk_node_##level(const visit *at, pyramid_tile *tile, pyramid_leaf *leaves, \
                                  int i)                                                     \
    {                                                                                        \
        const pyramid_list *list = &at->p->lists[level];                                     \
        pyramid_node *node = &tile->nodes[pyramid_first_node(level) + i];                    \
        if (list->n > 1) {                                                                   \
            node->label = -1;                                                                \
            walk_parts_##level(at, tile, leaves, i);                                         \
        } else if (node->label != list->id[0]) {                                             \
            set_node(at, tile, leaves, level, i, list->id[0]);                               \
        }                                                                                    \
    }
#define DEFINE_PARTS(level, below)                                                            \
    INLINE void walk_parts_##level(const visit *at, pyramid_tile *tile, pyramid_leaf *leaves, \
                                   int i)                                                     \
    {                                                                                         \
        for (int j = i * PARTS; j < (i + 1) * PARTS; j++) {                                   \
            const pyramid_box *box = &tile->nodes[pyramid_first_node(below) + j].box;         \
            if (box->half[0] >= 0) {                                                          \
                list_node(at, level, box);                                                    \
                walk_node_##below(at, tile, leaves, j);                                       \
            }                                                                                 \
        }                                                                                     \
    }

/* The clusters of a node below `level`. */
INLINE void list_node(const visit *at, int level, const pyramid_box *box)
{
    pyramid_list *list = &at->p->lists[level - 1];
    list->n = prune(at->axes, &at->p->lists[level], box, at->slack, at->p->squares, list);
    pad(list, at->axes);
}

DEFINE_NODE(1)
DEFINE_PARTS(2, 1)
DEFINE_NODE(2)
DEFINE_PARTS(3, 2)
DEFINE_NODE(3)
DEFINE_PARTS(4, 3)
DEFINE_NODE(4)
#undef DEFINE_NODE
#undef DEFINE_PARTS

INLINE void walk_tile(visit *at, int t, int64_t region_x, cluster_slack slack)
{
    pyramid *p = at->p;
    pyramid_tile *tile = &at->tile_row->tile[t];
    pyramid_list *list = &p->lists[LEVELS];
    at->x = at->tile_row->tile_x + (int64_t)t * TILE;
    at->y = at->tile_row->tile_y;
    if (tile->leaves > 0) {
        pyramid_box box = tile->nodes[0].box;
        box.middle[0] += (float)(at->x - region_x);
        list->n = prune(at->axes, &p->region, &box, slack, p->squares, list);
        place_from(at, list, at->x, at->y);
        walk_node_4(at, tile, &at->tile_row->leaves[(size_t)t * TILE_LEAVES], 0);
    }
}

INLINE void walk_tiles(visit at, int first, int last)
{
    pyramid *p = at.p;
    int64_t region_x = at.tile_row->tile_x + (int64_t)first * TILE;
    cluster_slack slack = cluster_slack_of(at.axes, REGION_TILES * TILE, p->magnitude);
    at.slack = cluster_slack_of(at.axes, TILE, p->magnitude);
    p->region.n = p->job->clusters;
    for (int k = 0; k < p->region.n; k++) {
        p->region.id[k] = k;
    }
    place_from(&at, &p->region, region_x, at.tile_row->tile_y);
    for (int t = first; t < last; t++) {
        walk_tile(&at, t, region_x, slack);
    }
}

static void walk(pyramid_walk *walk, pyramid_tile_row *tile_row, int first, int last)
{
    visit at = {.walk = walk, .p = walk->p, .tile_row = tile_row};
    if (walk->p->cell_bits == 8) {
        at.axes = 3;
        at.cell_bits = 8;
        walk_tiles(at, first, last);
    } else if (walk->p->cell_bits == 16) {
        at.axes = 3;
        at.cell_bits = 16;
        walk_tiles(at, first, last);
    } else {
        at.axes = CLUSTER_AXES;
        at.cell_bits = 48;
        walk_tiles(at, first, last);
    }
}
