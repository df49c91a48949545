#include "partition/cuts.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void halo_cuts_even(int64_t n, int parts, int64_t *cuts)
{
    int64_t share = n / parts, longer = n % parts;
    for (int p = 0; p <= parts; p++) {
        cuts[p] = share * p + (p < longer ? p : longer);
    }
}

/* The multiple of `unit`, or the end, that is nearest. */
static int64_t nearest(int64_t n, int64_t unit, int64_t cut)
{
    int64_t before = cut / unit * unit, after = unit < n - before ? before + unit : n;
    return cut - before <= after - cut ? before : after;
}

void halo_cuts_aligned(int64_t n, int parts, int64_t unit, int64_t *cuts)
{
    const int64_t TWENTIETH = 20;
    halo_cuts_even(n, parts, cuts);
    int64_t longest = 0, even = cuts[1], begin = 0;
    for (int p = 1; p <= parts && unit > 1; p++) {
        int64_t end = nearest(n, unit, cuts[p]);
        longest = halo_max(longest, end - begin);
        begin = end;
    }
    for (int p = 1; p < parts && unit > 1 && longest <= even + even / TWENTIETH; p++) {
        cuts[p] = nearest(n, unit, cuts[p]);
    }
}

void halo_cuts_whole(int64_t n, int parts, int64_t *cuts)
{
    for (int p = 0; p <= parts; p++) {
        cuts[p] = p == 0 ? 0 : n;
    }
}

bool halo_cuts_are_valid(const int64_t *cuts, int parts, int64_t n)
{
    if (parts < 1 || cuts[0] != 0 || cuts[parts] != n) {
        return false;
    }
    for (int p = 0; p < parts; p++) {
        if (cuts[p] > cuts[p + 1]) {
            return false;
        }
    }
    return true;
}

halo_status halo_cuts_check(const int64_t *cuts, int parts, int64_t n, const char *what)
{
    return halo_cuts_are_valid(cuts, parts, n)
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "cuts must rise from 0 to the %" PRId64 " rows of %s, and be one more "
                           "than its %d parts",
                           n, what, parts);
}

int halo_cuts_find(const int64_t *cuts, int parts, int64_t cell)
{
    int low = 0, high = parts; /* cuts[low] <= cell < cuts[high] */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (cuts[middle] <= cell) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int halo_cuts_neighbour(const int64_t *cuts, int parts, int part, int step, bool periodic)
{
    if (cuts[part] == cuts[part + 1]) {
        return -1;
    }
    for (int distance = 1; distance <= parts; distance++) {
        int p = part + step * distance;
        if (p < 0 || p >= parts) {
            if (!periodic) {
                return -1;
            }
            p = (p + parts) % parts;
        }
        if (cuts[p] < cuts[p + 1]) {
            return p;
        }
    }
    return -1;
}

/* The first part that owns anything, but less than a halo takes from it; -1 if there is none. */
static int too_thin(const int64_t *cuts, int parts, int depth)
{
    for (int p = 0; p < parts; p++) {
        int64_t owned = cuts[p + 1] - cuts[p];
        if (owned > 0 && owned < depth && owned < cuts[parts]) {
            return p;
        }
    }
    return -1;
}

/* `axis` is that of blocks, or -1 of strips; `layers` is what a halo there is made of. */
static halo_status check_axis(const int64_t *cuts, int parts, int depth, int axis,
                              const char *layers)
{
    int p = too_thin(cuts, parts, depth);
    if (p < 0) {
        return HALO_OK;
    }
    int64_t owned = cuts[p + 1] - cuts[p], n = cuts[parts], max = n / depth > 0 ? n / depth : 1;
    const char *plural = max == 1 ? "" : "s";
    if (axis < 0) {
        return halo_fail(HALO_RANKS,
                         "a halo of %d %s is deeper than rank %d's strip of %" PRId64 " of %" PRId64
                         " %s; use at most %" PRId64 " rank%s, or a smaller halo",
                         depth, layers, p, owned, n, layers, max, plural);
    }
    return halo_fail(HALO_RANKS,
                     "a halo of %d %s is deeper than part %d along axis %d, %" PRId64 " of %" PRId64
                     " %s; use at most %" PRId64 " part%s there, or a smaller halo",
                     depth, layers, p, axis, owned, n, layers, max, plural);
}

halo_status halo_cuts_check_depth(const int64_t *cuts, int parts, int depth)
{
    return check_axis(cuts, parts, depth, -1, "rows");
}

/* Even cuts on every axis. */
static halo_status make(halo_partition *out, const halo_domain *domain, const int parts[HALO_AXES])
{
    *out = (halo_partition){0};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        halo_status status = HALO_ALLOCATE(out->cuts[axis], parts[axis] + 1, "cuts");
        if (status != HALO_OK) {
            halo_partition_free(out);
            return status;
        }
        out->parts[axis] = parts[axis];
        halo_cuts_even(domain->n[axis], parts[axis], out->cuts[axis]);
    }
    return HALO_OK;
}

halo_status halo_partition_with_cuts(halo_partition *out, const halo_domain *domain, int parts,
                                     const int64_t *cuts)
{
    *out = (halo_partition){0};
    HALO_TRY(halo_cuts_check(cuts, parts, domain->n[0], "the domain"));
    HALO_TRY(make(out, domain, (const int[HALO_AXES]){parts, 1, 1}));
    memcpy(out->cuts[0], cuts, ((size_t)parts + 1) * sizeof(int64_t));
    return HALO_OK;
}

halo_status halo_partition_blocks(halo_partition *out, const halo_domain *domain,
                                  const int parts[HALO_AXES])
{
    *out = (halo_partition){0};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        if (parts[axis] < 1 || (parts[axis] > 1 && axis >= domain->axes)) {
            return halo_fail(HALO_ARGUMENT,
                             "a domain of %d axes cannot be cut into %d x %d x %d parts; use at "
                             "least 1 on each axis it has, and 1 on others",
                             domain->axes, parts[0], parts[1], parts[2]);
        }
    }
    return make(out, domain, parts);
}

halo_status halo_partition_strips(halo_partition *out, const halo_domain *domain, int parts)
{
    return halo_partition_blocks(out, domain, (const int[HALO_AXES]){parts, 1, 1});
}

halo_status halo_partition_thick_strips(halo_partition *out, const halo_domain *domain, int parts,
                                        int64_t min)
{
    int64_t n = domain->n[0];
    int owners = (int)halo_max(1, halo_min(parts, n / halo_max(1, min)));
    HALO_TRY(halo_partition_strips(out, domain, parts));
    halo_cuts_even(n, owners, out->cuts[0]);
    for (int p = owners + 1; p <= parts; p++) {
        out->cuts[0][p] = n;
    }
    return HALO_OK;
}

halo_status halo_partition_copy(halo_partition *out, const halo_partition *partition)
{
    halo_domain domain = {.axes = HALO_AXES};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        domain.n[axis] = partition->cuts[axis][partition->parts[axis]];
    }
    HALO_TRY(make(out, &domain, partition->parts));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        memcpy(out->cuts[axis], partition->cuts[axis],
               ((size_t)partition->parts[axis] + 1) * sizeof(int64_t));
    }
    return HALO_OK;
}

bool halo_partition_equal(const halo_partition *a, const halo_partition *b)
{
    bool equal = true;
    for (int axis = 0; axis < HALO_AXES && equal; axis++) {
        equal = a->parts[axis] == b->parts[axis] &&
                memcmp(a->cuts[axis], b->cuts[axis],
                       ((size_t)a->parts[axis] + 1) * sizeof(int64_t)) == 0;
    }
    return equal;
}

bool halo_partition_is_valid(const halo_partition *partition, const halo_domain *domain)
{
    bool valid = true;
    for (int axis = 0; axis < HALO_AXES && valid; axis++) {
        valid = halo_cuts_are_valid(partition->cuts[axis], partition->parts[axis], domain->n[axis]);
    }
    return valid;
}

void halo_partition_free(halo_partition *partition)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        free(partition->cuts[axis]);
    }
    *partition = (halo_partition){0};
}

int halo_partition_parts(const halo_partition *partition)
{
    return partition->parts[0] * partition->parts[1] * partition->parts[2];
}

void halo_partition_place(const halo_partition *partition, int part, int place[HALO_AXES])
{
    for (int axis = HALO_AXES - 1; axis >= 0; axis--) {
        place[axis] = part % partition->parts[axis];
        part /= partition->parts[axis];
    }
}

int halo_partition_at(const halo_partition *partition, const int place[HALO_AXES])
{
    return (place[0] * partition->parts[1] + place[1]) * partition->parts[2] + place[2];
}

halo_box halo_partition_box(const halo_partition *partition, int part)
{
    halo_box box;
    int place[HALO_AXES];
    halo_partition_place(partition, part, place);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        box.lo[axis] = partition->cuts[axis][place[axis]];
        box.n[axis] = partition->cuts[axis][place[axis] + 1] - box.lo[axis];
    }
    return box;
}

int halo_partition_neighbour(const halo_partition *partition, const halo_domain *domain, int part,
                             const int step[HALO_AXES])
{
    int place[HALO_AXES];
    halo_partition_place(partition, part, place);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        const int64_t *cuts = partition->cuts[axis];
        if (cuts[place[axis]] == cuts[place[axis] + 1]) {
            return -1;
        }
        if (step[axis] != 0) {
            place[axis] = halo_cuts_neighbour(cuts, partition->parts[axis], place[axis], step[axis],
                                              domain->periodic[axis]);
        }
        if (place[axis] < 0) {
            return -1;
        }
    }
    return halo_partition_at(partition, place);
}

int halo_partition_beside(const halo_partition *partition, const halo_domain *domain, int part,
                          int axis, int end)
{
    int step[HALO_AXES] = {0};
    step[axis] = end == HALO_LOW ? -1 : 1;
    return halo_partition_neighbour(partition, domain, part, step);
}

/* Cells with one place on an axis: of the last one columns, then rows, then planes. */
static const char *layers_of(const halo_partition *partition, int axis)
{
    int axes = HALO_AXES;
    while (axes > 1 && partition->cuts[axes - 1][partition->parts[axes - 1]] == 1) {
        axes--;
    }
    return axes - axis == 3 ? "planes" : axes - axis == 2 || axes == 1 ? "rows" : "columns";
}

halo_status halo_partition_check_depths(const halo_partition *partition, const int depth[HALO_AXES])
{
    bool strips = partition->parts[1] == 1 && partition->parts[2] == 1;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        HALO_TRY(check_axis(partition->cuts[axis], partition->parts[axis], depth[axis],
                            strips && axis == 0 ? -1 : axis, layers_of(partition, axis)));
    }
    return HALO_OK;
}

halo_status halo_partition_check_depth(const halo_partition *partition, int depth)
{
    return halo_partition_check_depths(partition, (const int[HALO_AXES]){depth, depth, depth});
}
