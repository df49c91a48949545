#include "kernels/cluster/join.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/* Groups of pieces go by their smallest piece, whose first pixel is the group's first. */
typedef struct {
    int32_t *parent;  /* [pieces] */
    int64_t *areas;   /* [pieces] of groups, at their smallest piece */
    int32_t *choice;  /* [pieces] the neighbour that a small group joins, or -1 */
    int64_t *longest; /* [pieces] the border with it */
} groups;

static int32_t group_of(groups *g, int32_t piece)
{
    while (g->parent[piece] != piece) {
        g->parent[piece] = g->parent[g->parent[piece]];
        piece = g->parent[piece];
    }
    return piece;
}

static void unite(groups *g, int32_t a, int32_t b)
{
    a = group_of(g, a);
    b = group_of(g, b);
    if (a != b) {
        int32_t into = a < b ? a : b, from = a < b ? b : a;
        g->parent[from] = into;
        g->areas[into] += g->areas[from];
    }
}

/* Borders between groups instead of pieces: each pair once, and none within a group. */
static halo_status gather_borders(groups *g, cluster_borders *borders)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < borders->count; i++) {
        HALO_TRY(halo_watch_entry(borders->world, i));
        const cluster_border *border = &borders->list[i];
        int32_t a = group_of(g, border->first), b = group_of(g, border->second);
        if (a != b) {
            borders->list[kept++] = (cluster_border){a < b ? a : b, a < b ? b : a, border->faces};
        }
    }
    borders->count = kept;
    return cluster_borders_merge(borders);
}

static void offer(groups *g, int32_t group, int32_t neighbour, int64_t faces)
{
    if (g->choice[group] < 0 || faces > g->longest[group] ||
        (faces == g->longest[group] && neighbour < g->choice[group])) {
        g->choice[group] = neighbour;
        g->longest[group] = faces;
    }
}

/* Every group that is too small chooses the neighbour that it joins. */
static halo_status choose(groups *g, const cluster_borders *borders, int64_t pieces,
                          int64_t min_pixels)
{
    for (int64_t p = 0; p < pieces; p++) {
        g->choice[p] = -1;
    }
    for (int64_t i = 0; i < borders->count; i++) {
        HALO_TRY(halo_watch_entry(borders->world, i));
        const cluster_border *border = &borders->list[i];
        if (g->areas[border->first] < min_pixels) {
            offer(g, border->first, border->second, border->faces);
        }
        if (g->areas[border->second] < min_pixels) {
            offer(g, border->second, border->first, border->faces);
        }
    }
    return HALO_OK;
}

/* A round. Choices are made before any group grows. */
static halo_status join_small(groups *g, const cluster_borders *borders, int64_t pieces,
                              int64_t min_pixels, bool *joined)
{
    *joined = false;
    HALO_TRY(choose(g, borders, pieces, min_pixels));
    for (int32_t p = 0; p < pieces; p++) {
        HALO_TRY(halo_watch_entry(borders->world, p));
        if (g->choice[p] >= 0) {
            unite(g, p, g->choice[p]);
            *joined = true;
        }
    }
    return HALO_OK;
}

static halo_status create(groups *g, int64_t pieces, int64_t *areas)
{
    g->areas = areas;
    HALO_TRY(HALO_ALLOCATE(g->parent, pieces + 1, "pieces of clusters"));
    HALO_TRY(HALO_ALLOCATE(g->choice, pieces + 1, "pieces of clusters"));
    HALO_TRY(HALO_ALLOCATE(g->longest, pieces + 1, "pieces of clusters"));
    for (int32_t p = 0; p < pieces; p++) {
        g->parent[p] = p;
    }
    return HALO_OK;
}

halo_status cluster_join(int64_t pieces, int64_t *areas, cluster_borders *borders,
                         int64_t min_pixels, int32_t *superpixel, int64_t *after)
{
    groups g = {0};
    *after = 0;
    halo_status status = create(&g, pieces, areas);
    bool joined = status == HALO_OK;
    while (joined) {
        status = gather_borders(&g, borders);
        HALO_IF_OK(status, join_small(&g, borders, pieces, min_pixels, &joined));
        joined = joined && status == HALO_OK;
    }
    for (int32_t p = 0; status == HALO_OK && p < pieces; p++) {
        int32_t group = group_of(&g, p); /* not after p, so that it has its number already */
        superpixel[p] = group == p ? (int32_t)(*after)++ : superpixel[group];
    }
    free(g.parent);
    free(g.choice);
    free(g.longest);
    return status;
}
