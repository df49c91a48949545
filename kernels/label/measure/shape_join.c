#include "kernels/label/measure/shape_join.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_parts(const void *a, const void *b)
{
    const piece_sums *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/* A piece's place among those of all regions of this rank, and in the forest of joined ones. */
typedef struct {
    int32_t *parent;          /* [part_count] */
    int64_t (*by)[HALO_AXES]; /* [part_count] images further than the parent */
} forest;

static int64_t find_part(const shape_pieces *pieces, int64_t number)
{
    const piece_sums key = {.number = number};
    const piece_sums *part =
        bsearch(&key, pieces->parts, (size_t)pieces->part_count, sizeof key, compare_parts);
    return part - pieces->parts;
}

/* The root of a piece; by[] becomes how far it stands from there. Halves the way. */
static int64_t find_root(const forest *f, int64_t part, int64_t by[HALO_AXES])
{
    memset(by, 0, HALO_AXES * sizeof *by);
    while (f->parent[part] != part) {
        int64_t parent = f->parent[part], above = f->parent[parent];
        for (int axis = 0; axis < HALO_AXES && above != parent; axis++) {
            f->by[part][axis] += f->by[parent][axis];
        }
        f->parent[part] = (int32_t)above;
        for (int axis = 0; axis < HALO_AXES; axis++) {
            by[axis] += f->by[part][axis];
        }
        part = above;
    }
    return part;
}

/* A link between pieces that stand elsewhere already leads round the image. */
static void join(const shape_pieces *pieces, const forest *f, const piece_link *link,
                 label_by_number *table)
{
    int64_t a[HALO_AXES], b[HALO_AXES];
    int64_t root = find_root(f, find_part(pieces, link->a), a);
    int64_t other = find_root(f, find_part(pieces, link->b), b);
    shape_sums *region = label_by_number_find(table, link->region);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t apart = a[axis] + link->by[axis] - b[axis];
        if (root == other) {
            region->round |= (int64_t)(apart != 0) << axis;
        } else {
            f->by[other][axis] = apart;
        }
    }
    f->parent[other] = (int32_t)root;
}

static halo_status create(forest *f, const shape_pieces *pieces)
{
    if (pieces->part_count >= INT32_MAX) {
        return halo_fail(HALO_ARGUMENT, "too many regions of a periodic image on one rank; use "
                                        "more ranks");
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(f->parent, pieces->part_count + 1, "pieces of regions"));
    HALO_TRY(HALO_ALLOCATE_LARGE(f->by, pieces->part_count + 1, "pieces of regions"));
    for (int64_t i = 0; i < pieces->part_count; i++) {
        f->parent[i] = (int32_t)i;
    }
    return HALO_OK;
}

static void add_parts(const shape_pieces *pieces, const forest *f, const int64_t n[HALO_AXES],
                      label_by_number *table)
{
    for (int64_t i = 0; i < pieces->part_count; i++) {
        int64_t by[HALO_AXES];
        find_root(f, i, by);
        for (int axis = 0; axis < HALO_AXES; axis++) {
            by[axis] *= n[axis];
        }
        shape_shift(&pieces->parts[i].moments, by);
        shape_sums *region = label_by_number_find(table, pieces->parts[i].region);
        shape_add(&region->moments, &pieces->parts[i].moments);
    }
}

halo_status shape_join(const shape_pieces *pieces, const int64_t n[HALO_AXES],
                       label_by_number *table)
{
    forest f = {0};
    halo_status status = create(&f, pieces);
    if (status == HALO_OK) {
        if (pieces->part_count > 0) {
            qsort(pieces->parts, (size_t)pieces->part_count, sizeof *pieces->parts, compare_parts);
        }
        for (int64_t i = 0; i < pieces->link_count; i++) {
            join(pieces, &f, &pieces->links[i], table);
        }
        add_parts(pieces, &f, n, table);
    }
    halo_memory_free(f.parent);
    halo_memory_free(f.by);
    return status;
}
