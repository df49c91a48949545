#define _DEFAULT_SOURCE
#include "kernels/life/life_topology.h"

#include "base/minmax.h"
#include "base/scan.h"
#include "partition/decomposition.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Golly's own limit is 2e9; this keeps sums of places far from the end of int64_t. */
static const int64_t MAX_CELLS = INT64_C(1) << 40;

typedef struct {
    const char *name;
    halo_life_edge edges[HALO_LIFE_AXES];
    const char *help;
} topology_name;

static const topology_name names[] = {
#define TOPOLOGY_ENTRY(name, rows, columns, help) \
    {#name, {HALO_LIFE_##rows, HALO_LIFE_##columns}, help},
    HALO_LIFE_TOPOLOGY_LIST(TOPOLOGY_ENTRY)
#undef TOPOLOGY_ENTRY
};

enum { NAMES = sizeof names / sizeof names[0] };

static halo_status refuse(const char *text)
{
    return halo_fail(HALO_ARGUMENT,
                     "the topology \"%s\" is not understood; supported are plane, dead, torus and "
                     "cylinder, and Golly's T100,80 (torus) and P100,80 (dead border) with 0 for "
                     "an axis without an end; Klein bottles (K), cross-surfaces (C), spheres (S) "
                     "and shifted edges (+) are not",
                     text);
}

/* W, W,H: one number means a square. */
static bool parse_sizes(const char *text, int64_t n[HALO_LIFE_AXES])
{
    if (!halo_scan_integer(&text, 0, MAX_CELLS, &n[HALO_LIFE_COLUMNS])) {
        return false;
    }
    n[HALO_LIFE_ROWS] = n[HALO_LIFE_COLUMNS];
    if (*text == ',') {
        text++; /* as in Golly, a height may be missing behind it */
        if (*text != '\0' && !halo_scan_integer(&text, 0, MAX_CELLS, &n[HALO_LIFE_ROWS])) {
            return false;
        }
    }
    return *text == '\0';
}

halo_status halo_life_topology_parse(const char *text, halo_life_topology *topology)
{
    for (int i = 0; i < NAMES; i++) {
        if (strcasecmp(text, names[i].name) == 0) {
            *topology = (halo_life_topology){.edges = {names[i].edges[0], names[i].edges[1]}};
            return HALO_OK;
        }
    }
    bool torus = *text == 'T' || *text == 't';
    halo_life_topology read = {0};
    if ((!torus && *text != 'P' && *text != 'p') || !parse_sizes(text + 1, read.n)) {
        return refuse(text);
    }
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        read.edges[a] = read.n[a] == 0 ? HALO_LIFE_GROW : torus ? HALO_LIFE_WRAP : HALO_LIFE_DEAD;
    }
    *topology = read;
    return HALO_OK;
}

static bool any_edge(const halo_life_edge *edges, halo_life_edge wanted)
{
    return edges[HALO_LIFE_ROWS] == wanted || edges[HALO_LIFE_COLUMNS] == wanted;
}

halo_status halo_life_topology_print(const halo_life_edge *edges, const halo_life_box *box,
                                     char text[HALO_LIFE_TOPOLOGY_TEXT])
{
    bool wraps = any_edge(edges, HALO_LIFE_WRAP), dead = any_edge(edges, HALO_LIFE_DEAD);
    text[0] = '\0';
    if (wraps && dead) {
        return halo_fail(HALO_ARGUMENT,
                         "a pattern file cannot say that a grid is a cylinder; write a picture, an "
                         "array or a checkpoint");
    }
    if (wraps || dead) {
        int64_t n[HALO_LIFE_AXES];
        for (int a = 0; a < HALO_LIFE_AXES; a++) {
            n[a] = edges[a] == HALO_LIFE_GROW ? 0 : box->n[a];
        }
        snprintf(text, HALO_LIFE_TOPOLOGY_TEXT, ":%c%" PRId64 ",%" PRId64, wraps ? 'T' : 'P',
                 n[HALO_LIFE_COLUMNS], n[HALO_LIFE_ROWS]);
    }
    return HALO_OK;
}

const char *halo_life_topology_words(const halo_life_edge *edges)
{
    for (int i = 0; i < NAMES; i++) {
        if (names[i].edges[0] == edges[0] && names[i].edges[1] == edges[1]) {
            return names[i].name;
        }
    }
    if (any_edge(edges, HALO_LIFE_WRAP)) {
        return edges[HALO_LIFE_ROWS] == HALO_LIFE_GROW ? "tube, growing up and down"
                                                       : "tube, growing left and right";
    }
    return edges[HALO_LIFE_ROWS] == HALO_LIFE_GROW ? "strip, growing up and down"
                                                   : "strip, growing left and right";
}

int64_t halo_life_origin(halo_life_edge edge, int64_t lo)
{
    return edge == HALO_LIFE_GROW ? 0 : lo;
}

static const char *const axis_names[] = {[HALO_LIFE_ROWS] = "high", [HALO_LIFE_COLUMNS] = "wide"};

static halo_status place_bounded(int axis, int64_t n, const halo_life_placing *placing,
                                 halo_life_box *grid, int64_t *pattern_lo)
{
    int64_t size = placing->n[axis];
    grid->n[axis] = n;
    grid->lo[axis] = -(n / 2);
    *pattern_lo = placing->at                         ? grid->lo[axis] + placing->to[axis]
                  : placing->golly && placing->placed ? placing->lo[axis]
                                                      : -(size / 2); /* in the middle, as Golly */
    int64_t first = *pattern_lo - grid->lo[axis];
    if (first < 0 || first > n - size) {
        return halo_fail(HALO_ARGUMENT,
                         "the pattern does not fit: it is %" PRId64 " cells %s, from %s %" PRId64
                         " on, and the grid is %" PRId64 " cells %s; use a larger size, another "
                         "place, or the topology plane",
                         size, axis_names[axis], axis == HALO_LIFE_ROWS ? "row" : "column", first,
                         n, axis_names[axis]);
    }
    return HALO_OK;
}

static void place_growing(int axis, const halo_life_placing *placing, halo_life_box *grid,
                          int64_t *pattern_lo)
{
    *pattern_lo = placing->at ? placing->to[axis] : placing->placed ? placing->lo[axis] : 0;
    grid->lo[axis] = *pattern_lo;
    grid->n[axis] = placing->n[axis] > 0 ? placing->n[axis] : 1;
}

halo_status halo_life_place(const halo_life_topology *topology,
                            const int64_t wanted[HALO_LIFE_AXES], const halo_life_placing *placing,
                            halo_life_box *grid, int64_t pattern_lo[HALO_LIFE_AXES])
{
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        if (topology->edges[a] == HALO_LIFE_GROW) {
            place_growing(a, placing, grid, &pattern_lo[a]);
            continue;
        }
        int64_t n = wanted[a] > 0        ? wanted[a]
                    : topology->n[a] > 0 ? topology->n[a]
                    : placing->n[a] > 0  ? placing->n[a]
                                         : 1;
        HALO_TRY(place_bounded(a, n, placing, grid, &pattern_lo[a]));
    }
    return HALO_OK;
}

halo_status halo_life_parts_parse(const char *text, const halo_life_edge *edges,
                                  const halo_life_box *box, int ranks, int parts[HALO_LIFE_AXES])
{
    enum { MIN_CELLS = 64 }; /* of a block, wide and high */
    const bool cut[HALO_AXES] = {true, true, false};
    int found[HALO_AXES];
    halo_domain domain = {.axes = HALO_LIFE_AXES, .n = {1, 1, 1}};
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        int64_t min = edges[a] == HALO_LIFE_GROW ? (int64_t)ranks * MIN_CELLS : 1;
        domain.n[a] = halo_max(box->n[a], min);
        domain.periodic[a] = edges[a] == HALO_LIFE_WRAP;
    }
    HALO_TRY(halo_decomposition_parse(text, &domain, cut, ranks, MIN_CELLS, found));
    int columns = found[HALO_LIFE_COLUMNS];
    bool chosen = text == NULL || text[0] < '0' || text[0] > '9';
    while (chosen && columns > 1 &&
           (ranks % columns != 0 || domain.n[HALO_LIFE_COLUMNS] / columns < MIN_CELLS)) {
        columns--;
    }
    parts[HALO_LIFE_ROWS] = chosen ? ranks / columns : found[HALO_LIFE_ROWS];
    parts[HALO_LIFE_COLUMNS] = columns;
    return HALO_OK;
}

halo_life_box halo_life_view(const halo_life_edge *edges, const halo_life_box *begun,
                             const halo_life_box *live)
{
    enum { MARGIN = 3 /* cells around those that are alive */ };
    halo_life_box view = *begun;
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        if (edges[a] == HALO_LIFE_GROW && live->n[a] > 0) {
            view.lo[a] = live->lo[a] - MARGIN;
            view.n[a] = live->n[a] + (int64_t)2 * MARGIN;
        }
    }
    return view;
}

halo_life_box halo_life_close_up(const halo_life_edge *edges, const halo_life_box *begun,
                                 const halo_life_box *view)
{
    /* Cells: each is a few pixels on any screen. */
    static const int64_t close[] = {[HALO_LIFE_ROWS] = 180, [HALO_LIFE_COLUMNS] = 320};
    halo_life_box part = *view;
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        int64_t n = halo_max(begun->n[a] + begun->n[a] / 2, close[a]);
        if (edges[a] == HALO_LIFE_GROW && view->n[a] > n) {
            int64_t lo = begun->lo[a] + begun->n[a] / 2 - n / 2;
            part.lo[a] = halo_max(halo_min(lo, view->lo[a] + view->n[a] - n), view->lo[a]);
            part.n[a] = n;
        }
    }
    return part;
}
