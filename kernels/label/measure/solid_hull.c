#include "kernels/label/measure/solid_hull.h"

#include <string.h>

/* An edge between what a new point sees of the hull and what it does not see. */
typedef struct {
    int64_t from, to; /* points, in the order of the facet that is seen */
    int64_t beside;   /* the facet that is not seen */
} horizon_edge;

static const solid_point *corner_of(const solid_hull *h, const solid_facet *f, int i)
{
    return &h->points[f->corner[i]];
}

static int after(int corner)
{
    return (corner + 1) % SOLID_CORNERS;
}

/* How far the point is above the facet, in multiples that depend on the facet. */
static solid_wide height(const solid_hull *h, const solid_facet *f, int64_t point)
{
    const solid_point *base = corner_of(h, f, 0), *p = &h->points[point];
    solid_wide sum = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        sum += f->normal[axis] * (p->at[axis] - base->at[axis]);
    }
    return sum;
}

static void find_normal(const solid_hull *h, solid_facet *f)
{
    int64_t a[HALO_AXES], b[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        a[axis] = corner_of(h, f, 1)->at[axis] - corner_of(h, f, 0)->at[axis];
        b[axis] = corner_of(h, f, 2)->at[axis] - corner_of(h, f, 0)->at[axis];
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int u = after(axis), v = after(u);
        f->normal[axis] = (solid_wide)a[u] * b[v] - (solid_wide)a[v] * b[u];
    }
}

static halo_status add_facet(solid_hull *h, int64_t a, int64_t b, int64_t c)
{
    solid_facet facet = {.live = true, .corner = {a, b, c}, .above = -1, .visit = -1};
    find_normal(h, &facet);
    return halo_buffer_append(&h->facets, &facet, sizeof facet);
}

/* ---- the first four points ------------------------------------------------------------------- */

/* Facets of a tetrahedron are beside each other; two of them share an edge, in opposite order. */
static void join_facets(const solid_hull *h, int64_t i, int64_t k)
{
    solid_facet *one = solid_hull_facet(h, i), *other = solid_hull_facet(h, k);
    for (int a = 0; a < SOLID_CORNERS; a++) {
        for (int b = 0; b < SOLID_CORNERS; b++) {
            if (one->corner[a] == other->corner[after(b)] &&
                one->corner[after(a)] == other->corner[b]) {
                one->beside[a] = k;
            }
        }
    }
}

static halo_status begin(solid_hull *h)
{
    enum { FACETS = 4 };
    static const int corners[FACETS][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    h->facets.size = 0;
    for (int i = 0; i < FACETS; i++) {
        const int *of = corners[i];
        HALO_TRY(add_facet(h, of[0], of[1], of[2]));
        solid_facet *facet = solid_hull_facet(h, i);
        if (height(h, facet, of[3]) > 0) {
            facet->corner[1] = of[2];
            facet->corner[2] = of[1];
            find_normal(h, facet);
        }
    }
    for (int64_t i = 0; i < FACETS; i++) {
        for (int64_t k = 0; k < FACETS; k++) {
            if (i != k) {
                join_facets(h, i, k);
            }
        }
    }
    return HALO_OK;
}

/* ---- adding points --------------------------------------------------------------------------- */

static int64_t pop(halo_buffer *stack)
{
    int64_t last;
    stack->size -= sizeof last;
    memcpy(&last, stack->data + stack->size, sizeof last);
    return last;
}

/* Hangs the point on one of the facets from `first` on that it is above; otherwise it is in the
 * hull, and forgotten. */
static void hang(const solid_hull *h, int64_t first, int64_t point)
{
    int64_t count = solid_hull_facets(h);
    for (int64_t i = first; i < count; i++) {
        solid_facet *facet = solid_hull_facet(h, i);
        if (height(h, facet, point) > 0) {
            h->next[point] = facet->above;
            facet->above = point;
            return;
        }
    }
}

static int64_t find_highest(const solid_hull *h, const solid_facet *facet)
{
    int64_t highest = facet->above;
    solid_wide most = height(h, facet, highest);
    for (int64_t point = h->next[highest]; point >= 0; point = h->next[point]) {
        solid_wide high = height(h, facet, point);
        if (high > most) {
            most = high;
            highest = point;
        }
    }
    return highest;
}

/* Looks across the edges of a facet in sight of `point`. A facet in whose plane the point lies is
 * not in sight. */
static halo_status look_around(solid_hull *h, int64_t at, int64_t point)
{
    for (int i = 0; i < SOLID_CORNERS; i++) {
        const solid_facet facet = *solid_hull_facet(h, at);
        solid_facet *beside = solid_hull_facet(h, facet.beside[i]);
        if (beside->visit == point) {
            continue;
        }
        if (height(h, beside, point) > 0) {
            beside->visit = point;
            HALO_TRY(halo_buffer_append(&h->visible, &facet.beside[i], sizeof facet.beside[i]));
            continue;
        }
        const horizon_edge edge = {facet.corner[i], facet.corner[after(i)], facet.beside[i]};
        HALO_TRY(halo_buffer_append(&h->edges, &edge, sizeof edge));
    }
    return HALO_OK;
}

static halo_status find_horizon(solid_hull *h, int64_t seen, int64_t point)
{
    h->visible.size = h->edges.size = 0;
    solid_hull_facet(h, seen)->visit = point;
    HALO_TRY(halo_buffer_append(&h->visible, &seen, sizeof seen));
    for (size_t i = 0; i < h->visible.size / sizeof seen; i++) {
        HALO_TRY(look_around(h, ((const int64_t *)(const void *)h->visible.data)[i], point));
    }
    return HALO_OK;
}

/* A new facet for each edge of the horizon, which is a ring. */
static halo_status add_cone(solid_hull *h, int64_t point)
{
    const horizon_edge *edges = (const void *)h->edges.data;
    int64_t first = solid_hull_facets(h), count = (int64_t)(h->edges.size / sizeof *edges);
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(add_facet(h, edges[i].from, edges[i].to, point));
        h->start[edges[i].from] = first + i;
    }
    for (int64_t i = 0; i < count; i++) {
        solid_facet *facet = solid_hull_facet(h, first + i);
        solid_facet *beside = solid_hull_facet(h, edges[i].beside);
        facet->beside[0] = edges[i].beside;
        facet->beside[1] = h->start[edges[i].to];
        solid_hull_facet(h, facet->beside[1])->beside[2] = first + i;
        for (int k = 0; k < SOLID_CORNERS; k++) {
            if (beside->corner[k] == edges[i].to) {
                beside->beside[k] = first + i;
            }
        }
    }
    return HALO_OK;
}

/* Facets in sight of the point are none any more; points above them may be above new ones. */
static void remove_visible(solid_hull *h, int64_t first, int64_t point)
{
    const int64_t *visible = (const void *)h->visible.data;
    int64_t count = (int64_t)(h->visible.size / sizeof *visible);
    for (int64_t i = 0; i < count; i++) {
        solid_facet *facet = solid_hull_facet(h, visible[i]);
        facet->live = false;
        for (int64_t other = facet->above, next; other >= 0; other = next) {
            next = h->next[other];
            if (other != point) {
                hang(h, first, other);
            }
        }
        facet->above = -1;
    }
}

static halo_status add_point(solid_hull *h, int64_t seen)
{
    int64_t point = find_highest(h, solid_hull_facet(h, seen)), first = solid_hull_facets(h);
    HALO_TRY(find_horizon(h, seen, point));
    HALO_TRY(add_cone(h, point));
    remove_visible(h, first, point);
    for (int64_t i = first; i < solid_hull_facets(h); i++) {
        if (solid_hull_facet(h, i)->above >= 0) {
            HALO_TRY(halo_buffer_append(&h->stack, &i, sizeof i));
        }
    }
    return HALO_OK;
}

halo_status solid_hull_find(solid_hull *h)
{
    enum { POINT = 256 }; /* a point takes about as long as this many elements of other work */
    HALO_TRY(begin(h));
    int64_t corners = solid_hull_facets(h);
    for (int64_t point = corners; point < h->count; point++) {
        HALO_TRY(halo_watch_piece(h->world, &h->since, 1));
        hang(h, 0, point);
    }
    h->stack.size = 0;
    for (int64_t i = 0; i < corners; i++) {
        HALO_TRY(halo_buffer_append(&h->stack, &i, sizeof i));
    }
    while (h->stack.size > 0) {
        int64_t facet = pop(&h->stack);
        if (solid_hull_facet(h, facet)->above >= 0) {
            HALO_TRY(add_point(h, facet));
            HALO_TRY(halo_watch_piece(h->world, &h->since, POINT));
        }
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status solid_hull_reserve(solid_hull *h, int64_t count)
{
    static const char what[] = "hulls of regions";
    if (count <= h->capacity) {
        return HALO_OK;
    }
    halo_memory_free(h->points);
    halo_memory_free(h->next);
    halo_memory_free(h->start);
    h->points = NULL;
    h->next = h->start = NULL;
    h->capacity = 0;
    HALO_TRY(HALO_ALLOCATE_LARGE(h->points, count, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(h->next, count, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(h->start, count, what));
    h->capacity = count;
    return HALO_OK;
}

void solid_hull_free(solid_hull *h)
{
    halo_memory_free(h->points);
    halo_memory_free(h->next);
    halo_memory_free(h->start);
    halo_buffer_free(&h->facets);
    halo_buffer_free(&h->stack);
    halo_buffer_free(&h->visible);
    halo_buffer_free(&h->edges);
}
