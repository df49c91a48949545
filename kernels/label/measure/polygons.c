#include "kernels/label/measure/polygons.h"

#include "base/minmax.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

/* Rings of a region from its runs. A row of runs and the one above it meet in a line of corners:
 * where a run of only one of them ends, the border turns. Vertices of a line are joined in pairs by
 * sides along it, and those of a column, from above, by sides down it. */

typedef struct polygon_run {
    int64_t region, row, left, right; /* columns left to right - 1 */
} polygon_run;

/* The border turns here. Where two pixels of the region touch at a corner there are two, the first
 * of which ends the side to the left. */
typedef struct {
    int64_t x, y;
    int64_t below;  /* the vertex at the other end of the side up or down */
    int64_t place;  /* on the stack, from 1; 0: it is not there */
    int8_t twin;    /* the other one at the corner is so many behind this one; 0: there is none */
    int8_t lower;   /* of two at a corner, this one has the side down */
    bool top, seen; /* the side to the right has the region below it */
} vertex;

typedef struct {
    int64_t x, y, at;
    int lower;
} vertex_order;

/* ---- runs ------------------------------------------------------------------------------------ */

static int compare_runs(const void *a, const void *b)
{
    const polygon_run *one = a, *other = b;
    return one->region != other->region ? (one->region < other->region ? -1 : 1)
           : one->row != other->row     ? (one->row < other->row ? -1 : 1)
                                        : (one->left > other->left) - (one->left < other->left);
}

static halo_status scan(const label_numbered *image, int64_t *row, halo_buffer *runs)
{
    const int64_t *cuts = image->cuts + halo_world_rank(image->world);
    for (int64_t y = cuts[0]; y < cuts[1]; y++) {
        int64_t begin, end = 0, number;
        HALO_TRY(label_numbered_row(image, y, row));
        while ((number = label_next_run(row, image->n[2], &begin, &end)) != 0) {
            const polygon_run run = {number, y, begin, end};
            HALO_TRY(halo_buffer_append(runs, &run, sizeof run));
        }
    }
    return HALO_OK;
}

/* Local. Sorts the runs [count] that came, and finds the first one of each region. */
static halo_status sort_runs(label_polygons *p, int64_t count)
{
    HALO_TRY(HALO_ALLOCATE_LARGE(p->begins, p->table.count + 1, "runs of regions"));
    if (count > 0) {
        qsort(p->runs, (size_t)count, sizeof *p->runs, compare_runs);
    }
    for (int64_t i = 0, run = 0; i <= p->table.count; i++) {
        while (run < count && p->runs[run].region < p->table.first + i) {
            run++;
        }
        p->begins[i] = run;
    }
    return HALO_OK;
}

/* Collective. */
static halo_status collect(label_polygons *p, const label_numbered *image, int64_t *row,
                           halo_buffer *runs)
{
    void *came = NULL;
    int64_t count = 0;
    HALO_TRY(label_by_number_create(&p->table, image, 2 * sizeof(int64_t)));
    HALO_TRY(halo_agree(image->world, scan(image, row, runs)));
    const label_by_number_post post = {.data = runs->data,
                                       .count = (int64_t)(runs->size / sizeof(polygon_run)),
                                       .size = sizeof(polygon_run)};
    HALO_TRY(label_by_number_send(&p->table, &post, &came, &count));
    p->runs = came;
    return halo_agree(image->world, sort_runs(p, count));
}

halo_status label_polygons_create(label_polygons *polygons, const label_numbered *image)
{
    int64_t *row;
    halo_buffer runs = {0};
    *polygons = (label_polygons){.runs = NULL};
    halo_status status =
        halo_agree(image->world, HALO_ALLOCATE_LARGE(row, image->n[2] + 1, "rows of labels"));
    HALO_IF_OK(status, collect(polygons, image, row, &runs));
    halo_memory_free(row);
    halo_buffer_free(&runs);
    return status;
}

void label_polygons_free(label_polygons *polygons)
{
    label_by_number_free(&polygons->table);
    halo_memory_free(polygons->runs);
    halo_memory_free(polygons->begins);
    halo_buffer *buffers[] = {&polygons->points, &polygons->rings, &polygons->vertices,
                              &polygons->order,  &polygons->stack, &polygons->parents};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        halo_buffer_free(buffers[i]);
    }
    *polygons = (label_polygons){.runs = NULL};
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static int64_t find_root(int64_t *parents, int64_t i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

/* Joins runs that share sides; a piece is called by its first run. */
static halo_status find_pieces(label_polygons *p, const polygon_run *runs, int64_t count)
{
    p->parents.size = 0;
    HALO_TRY(halo_buffer_reserve(&p->parents, (size_t)count * sizeof(int64_t)));
    int64_t *parents = (int64_t *)(void *)p->parents.data, above = 0;
    for (int64_t i = 0; i < count; i++) {
        parents[i] = i;
        while (runs[above].row < runs[i].row - 1 ||
               (runs[above].row == runs[i].row - 1 && runs[above].right <= runs[i].left)) {
            above++;
        }
        for (int64_t k = above; runs[k].row == runs[i].row - 1 && runs[k].left < runs[i].right;
             k++) {
            int64_t one = find_root(parents, i), other = find_root(parents, k);
            parents[halo_max(one, other)] = halo_min(one, other);
        }
    }
    return HALO_OK;
}

/* The run of a row that has the column; there is one. */
static int64_t find_run(const polygon_run *runs, int64_t count, int64_t row, int64_t x)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        bool behind = runs[middle].row > row || (runs[middle].row == row && runs[middle].left > x);
        low = behind ? low : middle;
        high = behind ? middle - 1 : high;
    }
    return low;
}

/* ---- vertices -------------------------------------------------------------------------------- */

/* Runs [count] of a row, whose ends are gone through. */
typedef struct {
    const polygon_run *runs;
    int64_t count, end; /* the next end: of run end / 2, its left one if even */
} row_ends;

static int64_t next_end(const row_ends *row)
{
    const polygon_run *run = row->runs + row->end / 2;
    return row->end == 2 * row->count ? INT64_MAX : row->end % 2 == 0 ? run->left : run->right;
}

/* Adds the vertices between two rows. */
static halo_status add_line(label_polygons *p, row_ends *above, row_ends *below, int64_t y)
{
    for (;;) {
        int64_t a = next_end(above), b = next_end(below), x = halo_min(a, b);
        if (x == INT64_MAX) {
            return HALO_OK;
        }
        bool both = a == b, straight = both && above->end % 2 == below->end % 2;
        bool falls =
            both && above->end % 2 == 1; /* pixels from the upper left to the lower right */
        above->end += a == x;
        below->end += b == x;
        bool top = below->end % 2 == 1;
        const vertex one = {.x = x, .y = y, .top = top, .twin = both, .lower = both && !falls};
        const vertex other = {.x = x, .y = y, .top = top, .twin = -1, .lower = falls};
        HALO_TRY(straight ? HALO_OK : halo_buffer_append(&p->vertices, &one, sizeof one));
        HALO_TRY(both && !straight ? halo_buffer_append(&p->vertices, &other, sizeof other)
                                   : HALO_OK);
    }
}

static halo_status add_vertices(label_polygons *p, const polygon_run *runs, int64_t count)
{
    row_ends above = {.runs = runs};
    p->vertices.size = 0;
    for (int64_t next = 0, y = runs[0].row; next < count || above.count > 0; y++) {
        if (above.count == 0) { /* rows without runs lie between pieces */
            y = runs[next].row;
        }
        row_ends below = {.runs = runs + next};
        while (next < count && runs[next].row == y) {
            below.count++;
            next++;
        }
        above.end = 0;
        HALO_TRY(add_line(p, &above, &below, y));
        above = below;
    }
    return HALO_OK;
}

static int compare_places(const void *a, const void *b)
{
    const vertex_order *one = a, *other = b;
    return one->x != other->x   ? (one->x < other->x ? -1 : 1)
           : one->y != other->y ? (one->y < other->y ? -1 : 1)
                                : one->lower - other->lower;
}

/* Joins the vertices of each column in pairs, from above. */
static halo_status join_columns(label_polygons *p)
{
    vertex *vertices = (vertex *)(void *)p->vertices.data;
    int64_t count = (int64_t)(p->vertices.size / sizeof *vertices);
    p->order.size = 0;
    for (int64_t i = 0; i < count; i++) {
        const vertex_order place = {vertices[i].x, vertices[i].y, i, vertices[i].lower};
        HALO_TRY(halo_buffer_append(&p->order, &place, sizeof place));
    }
    vertex_order *order = (vertex_order *)(void *)p->order.data;
    qsort(order, (size_t)count, sizeof *order, compare_places);
    for (int64_t i = 0; i < count; i += 2) {
        vertices[order[i].at].below = order[i + 1].at;
        vertices[order[i + 1].at].below = order[i].at;
    }
    return HALO_OK;
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* A region's rings are made of this. */
typedef struct {
    label_polygons *p;
    const polygon_run *runs;
    int64_t count;
    vertex *vertices;
    bool turned; /* rings are traced the other way round */
} tracing;

/* Adds a ring through vertices [count] of the stack. */
static halo_status add_ring(const tracing *t, const int64_t *stack, int64_t count)
{
    label_polygons *p = t->p;
    polygon_ring ring = {.first = (int64_t)(p->points.size / sizeof(polygon_point)),
                         .count = count};
    polygon_point least = {INT64_MAX, INT64_MAX};
    double twice = 0; /* the area: below 0 of holes; differences are exact, or it is large */
    const vertex *before = &t->vertices[stack[t->turned ? 0 : count - 1]];
    for (int64_t i = 0; i < count; i++) {
        const vertex *at = &t->vertices[stack[t->turned ? count - 1 - i : i]];
        const polygon_point point = {at->x, at->y};
        if (at->y < least.y || (at->y == least.y && at->x < least.x)) {
            least = point;
        }
        twice += (double)(before->x - at->x) * (double)(before->y + at->y);
        before = at;
        HALO_TRY(halo_buffer_append(&p->points, &point, sizeof point));
    }
    ring.hole = twice < 0;
    int64_t run = find_run(t->runs, t->count, ring.hole ? least.y - 1 : least.y, least.x);
    ring.piece = find_root((int64_t *)(void *)p->parents.data, run);
    return halo_buffer_append(&p->rings, &ring, sizeof ring);
}

/* Goes on to a vertex. At a corner that the ring has been at before, what lies between is a ring of
 * its own. */
static halo_status push(const tracing *t, int64_t at)
{
    label_polygons *p = t->p;
    vertex *v = &t->vertices[at];
    int64_t *stack = (int64_t *)(void *)p->stack.data;
    int64_t count = (int64_t)(p->stack.size / sizeof *stack);
    const vertex *twin = v + v->twin;
    v->seen = true;
    if (v->twin == 0 || twin->place == 0) {
        v->place = count + 1;
        return halo_buffer_append(&p->stack, &at, sizeof at);
    }
    int64_t first = twin->place - 1;
    HALO_TRY(add_ring(t, stack + first, count - first));
    for (int64_t i = first + 1; i < count; i++) {
        t->vertices[stack[i]].place = 0;
    }
    p->stack.size = (size_t)(first + 1) * sizeof *stack;
    return HALO_OK;
}

/* Traces the ring that has the side to the right of a vertex. */
static halo_status trace_ring(tracing *t, int64_t start)
{
    label_polygons *p = t->p;
    p->stack.size = 0;
    t->turned = !t->vertices[start].top;
    int64_t at = start;
    do {
        HALO_TRY(push(t, at));
        HALO_TRY(push(t, at ^ 1));
        at = t->vertices[at ^ 1].below;
    } while (at != start);
    const int64_t *stack = (const int64_t *)(const void *)p->stack.data;
    int64_t count = (int64_t)(p->stack.size / sizeof *stack);
    HALO_TRY(add_ring(t, stack, count));
    for (int64_t i = 0; i < count; i++) {
        t->vertices[stack[i]].place = 0;
    }
    return HALO_OK;
}

static int compare_rings(const void *a, const void *b)
{
    const polygon_ring *one = a, *other = b;
    return one->piece != other->piece ? (one->piece < other->piece ? -1 : 1)
           : one->hole != other->hole ? one->hole - other->hole
                                      : (one->first > other->first) - (one->first < other->first);
}

halo_status label_polygons_trace(label_polygons *polygons, int64_t i)
{
    label_polygons *p = polygons;
    tracing t = {.p = p, .runs = p->runs + p->begins[i], .count = p->begins[i + 1] - p->begins[i]};
    p->points.size = p->rings.size = 0;
    HALO_TRY(find_pieces(p, t.runs, t.count));
    HALO_TRY(add_vertices(p, t.runs, t.count));
    HALO_TRY(join_columns(p));
    t.vertices = (vertex *)(void *)p->vertices.data;
    int64_t count = (int64_t)(p->vertices.size / sizeof *t.vertices);
    for (int64_t at = 0; at < count; at++) {
        HALO_TRY(t.vertices[at].seen ? HALO_OK : trace_ring(&t, at));
    }
    qsort(p->rings.data, p->rings.size / sizeof(polygon_ring), sizeof(polygon_ring), compare_rings);
    return HALO_OK;
}
