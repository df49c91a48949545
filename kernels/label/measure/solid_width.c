#include "kernels/label/measure/solid_width.h"

#include <math.h>
#include <string.h>

typedef struct {
    double of[HALO_AXES];
} vector;

/* A facet in the search. */
typedef struct {
    vector normal;    /* of length 1, in the units of the result */
    int64_t opposite; /* a point that is farthest from the facet */
} width_facet;

typedef struct {
    solid_hull *hull;
    const double *unit;
    width_facet *facets; /* [solid_hull_facets] */
    halo_buffer *stack;  /* of points */
    double least;
} width_search;

/* An edge: that from corner `corner` of a facet to the next one. */
typedef struct {
    int64_t facet;
    int corner;
} width_edge;

/* ---- vectors --------------------------------------------------------------------------------- */

static double dot(const vector *a, const vector *b)
{
    return a->of[0] * b->of[0] + a->of[1] * b->of[1] + a->of[2] * b->of[2];
}

static vector cross(const vector *a, const vector *b)
{
    vector out;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int u = (axis + 1) % HALO_AXES, v = (axis + 2) % HALO_AXES;
        out.of[axis] = a->of[u] * b->of[v] - a->of[v] * b->of[u];
    }
    return out;
}

static vector difference(const width_search *s, int64_t to, int64_t from)
{
    const solid_point *points = s->hull->points;
    vector out;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        out.of[axis] = (double)(points[to].at[axis] - points[from].at[axis]) * s->unit[axis];
    }
    return out;
}

/* ---- going around a point -------------------------------------------------------------------- */

static int corner_of(const solid_facet *facet, int64_t point)
{
    return facet->corner[0] == point ? 0 : facet->corner[1] == point ? 1 : 2;
}

/* The edges from a point to others, which begin at hull->start[point]. */
static width_edge first_edge(const width_search *s, int64_t point)
{
    int64_t facet = s->hull->start[point];
    return (width_edge){facet, corner_of(solid_hull_facet(s->hull, facet), point)};
}

static width_edge next_edge(const width_search *s, const width_edge *edge, int64_t point)
{
    const solid_facet *facet = solid_hull_facet(s->hull, edge->facet);
    int64_t beside = facet->beside[(edge->corner + 2) % SOLID_CORNERS];
    return (width_edge){beside, corner_of(solid_hull_facet(s->hull, beside), point)};
}

static int64_t end_of(const width_search *s, const width_edge *edge)
{
    return solid_hull_facet(s->hull, edge->facet)->corner[(edge->corner + 1) % SOLID_CORNERS];
}

/* ---- facets ---------------------------------------------------------------------------------- */

/* How far a point is along a facet's normal, exactly, in multiples that depend on the facet. */
static solid_wide along(const solid_hull *h, const solid_facet *f, int64_t point)
{
    const int64_t *at = h->points[point].at;
    return f->normal[0] * at[0] + f->normal[1] * at[1] + f->normal[2] * at[2];
}

/* A point that is farthest from the facet: in a convex hull, downhill leads there from any. */
static int64_t go_down(const width_search *s, const solid_facet *facet, int64_t point)
{
    solid_wide least = along(s->hull, facet, point);
    for (bool moved = true; moved;) {
        const width_edge first = first_edge(s, point);
        width_edge edge = first;
        moved = false;
        do {
            int64_t other = end_of(s, &edge);
            solid_wide there = along(s->hull, facet, other);
            if (there < least) {
                least = there;
                point = other;
                moved = true;
                break;
            }
            edge = next_edge(s, &edge, point);
        } while (edge.facet != first.facet);
    }
    return point;
}

/* Sets the facet's normal, and takes the width across it. */
static void take_facet(width_search *s, int64_t i, int64_t opposite)
{
    const solid_facet *facet = solid_hull_facet(s->hull, i);
    vector normal;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        normal.of[axis] = (double)facet->normal[axis] / s->unit[axis];
    }
    double length = sqrt(dot(&normal, &normal));
    solid_wide apart = along(s->hull, facet, facet->corner[0]) - along(s->hull, facet, opposite);
    s->least = fmin(s->least, (double)apart / length);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        s->facets[i].normal.of[axis] = normal.of[axis] / length;
    }
    s->facets[i].opposite = opposite;
}

static halo_status take_facets(width_search *s)
{
    solid_hull *h = s->hull;
    int64_t count = solid_hull_facets(h), opposite = -1;
    for (int64_t i = 0; i < count; i++) {
        const solid_facet *facet = solid_hull_facet(h, i);
        for (int k = 0; k < SOLID_CORNERS && facet->live; k++) {
            h->start[facet->corner[k]] = i;
            h->next[facet->corner[k]] = -1;
            opposite = facet->corner[k];
        }
    }
    for (int64_t i = 0; i < count; i++) {
        const solid_facet *facet = solid_hull_facet(h, i);
        if (facet->live) {
            opposite = go_down(s, facet, opposite);
            take_facet(s, i, opposite);
            HALO_TRY(halo_watch_piece(h->world, &h->since, 1));
        }
    }
    return HALO_OK;
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* The arc of an edge. */
typedef struct {
    vector from, to, normal; /* of the plane of the arc; nearly 0: facets are in one plane */
    bool flat;
} width_arc;

static width_arc arc_of(const width_search *s, const width_edge *edge)
{
    const double flat = 1e-13;
    const solid_facet *facet = solid_hull_facet(s->hull, edge->facet);
    width_arc arc = {.from = s->facets[edge->facet].normal,
                     .to = s->facets[facet->beside[edge->corner]].normal};
    arc.normal = cross(&arc.from, &arc.to);
    arc.flat = dot(&arc.normal, &arc.normal) < flat * flat;
    return arc;
}

/* Is the opposite of the other arc, which is a point, on the arc? */
static bool is_on(const width_arc *a, const width_arc *b)
{
    const double near = 1e-13;
    const vector to_end = cross(&a->to, &b->from), to_begin = cross(&b->from, &a->from);
    return fabs(dot(&a->normal, &b->from)) <= near && dot(&to_end, &a->normal) >= -near &&
           dot(&to_begin, &a->normal) >= -near;
}

/* Does the arc cross the other one on the opposite side? Also if it nearly does: the widths across
 * such edges are held against all points. Both contain the line where their planes cross, in this
 * direction or the other one. */
static bool are_opposite(const width_arc *a, const width_arc *b)
{
    const double near = 1e-15;
    if (b->flat) {
        return is_on(a, b);
    }
    double b_from = -dot(&a->normal, &b->from), b_to = -dot(&a->normal, &b->to);
    double a_from = dot(&b->normal, &a->from), a_to = dot(&b->normal, &a->to);
    return (a_from >= -near && a_to <= near && b_from <= near && b_to >= -near) ||
           (a_from <= near && a_to >= -near && b_from >= -near && b_to <= near);
}

/* The width of all points in a direction. */
static double width_along(const width_search *s, const vector *direction)
{
    const solid_hull *h = s->hull;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t i = 0; i < solid_hull_facets(h); i++) {
        const solid_facet *facet = solid_hull_facet(h, i);
        for (int k = 0; k < SOLID_CORNERS && facet->live; k++) {
            const vector from = difference(s, facet->corner[k], 0);
            double at = dot(&from, direction);
            low = fmin(low, at);
            high = fmax(high, at);
        }
    }
    return high - low;
}

/* Takes the width between planes with two edges in them, which are not parallel: parallel ones come
 * nearest to each other where one of the planes has a facet in it. */
static void take_edges(width_search *s, const width_edge *a, const width_edge *b)
{
    const double parallel = 1e-13, rounding = 1e-14;
    const int64_t begin = solid_hull_facet(s->hull, a->facet)->corner[a->corner];
    const int64_t other = solid_hull_facet(s->hull, b->facet)->corner[b->corner];
    const vector one = difference(s, end_of(s, a), begin), two = difference(s, end_of(s, b), other);
    vector direction = cross(&one, &two);
    double length = sqrt(dot(&direction, &direction));
    if (length <= parallel * sqrt(dot(&one, &one) * dot(&two, &two))) {
        return;
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        direction.of[axis] /= length;
    }
    const vector between = difference(s, other, begin);
    if (fabs(dot(&between, &direction)) < s->least * (1 - rounding)) {
        s->least = fmin(s->least, width_along(s, &direction));
    }
}

/* Looks at the edges of a point that is opposite to some direction of the arc, and notes the points
 * at their other ends where these are, too. */
static halo_status look_around(width_search *s, const width_edge *edge, const width_arc *arc,
                               int64_t point, int64_t turn)
{
    const width_edge first = first_edge(s, point);
    width_edge other = first;
    do {
        const width_arc opposite = arc_of(s, &other);
        int64_t end = end_of(s, &other);
        if (are_opposite(arc, &opposite)) {
            if (!opposite.flat) {
                take_edges(s, edge, &other);
            }
            if (s->hull->next[end] != turn) {
                s->hull->next[end] = turn;
                HALO_TRY(halo_buffer_append(s->stack, &end, sizeof end));
            }
        }
        other = next_edge(s, &other, point);
    } while (other.facet != first.facet);
    return HALO_OK;
}

static halo_status take_edge(width_search *s, const width_edge *edge)
{
    const int64_t turn = edge->facet * SOLID_CORNERS + edge->corner;
    const width_arc arc = arc_of(s, edge);
    int64_t point = s->facets[edge->facet].opposite;
    if (arc.flat) {
        return HALO_OK;
    }
    s->stack->size = 0;
    s->hull->next[point] = turn;
    HALO_TRY(halo_buffer_append(s->stack, &point, sizeof point));
    while (s->stack->size > 0) {
        s->stack->size -= sizeof point;
        memcpy(&point, s->stack->data + s->stack->size, sizeof point);
        HALO_TRY(look_around(s, edge, &arc, point, turn));
        HALO_TRY(halo_watch_piece(s->hull->world, &s->hull->since, 1));
    }
    return HALO_OK;
}

halo_status solid_find_width(solid_hull *hull, const double unit[HALO_AXES],
                             solid_width_memory *memory, double *width)
{
    int64_t count = solid_hull_facets(hull);
    memory->facets.size = 0;
    HALO_TRY(halo_buffer_reserve(&memory->facets, (size_t)count * sizeof(width_facet)));
    width_search s = {.hull = hull,
                      .unit = unit,
                      .facets = (void *)memory->facets.data,
                      .stack = &memory->stack,
                      .least = HUGE_VAL};
    HALO_TRY(take_facets(&s));
    for (int64_t i = 0; i < count; i++) {
        const solid_facet *facet = solid_hull_facet(hull, i);
        for (int k = 0; k < SOLID_CORNERS && facet->live; k++) {
            if (facet->beside[k] > i) { /* each edge once */
                HALO_TRY(take_edge(&s, &(width_edge){i, k}));
            }
        }
    }
    *width = s.least;
    return HALO_OK;
}

void solid_width_free(solid_width_memory *memory)
{
    halo_buffer_free(&memory->facets);
    halo_buffer_free(&memory->stack);
}
