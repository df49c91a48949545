#include "partition/cuts.h"

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

halo_status halo_cuts_check_depth(const int64_t *cuts, int parts, int depth)
{
    for (int p = 0; p < parts; p++) {
        int64_t owned = cuts[p + 1] - cuts[p];
        if (owned > 0 && owned < depth && owned < cuts[parts]) {
            int64_t most = cuts[parts] / depth;
            return halo_fail(HALO_RANKS,
                             "a halo of %d rows is deeper than rank %d's strip of %" PRId64
                             " of %" PRId64 " rows; use at most %" PRId64
                             " ranks, or a smaller halo",
                             depth, p, owned, cuts[parts], most > 0 ? most : 1);
        }
    }
    return HALO_OK;
}

halo_status halo_partition_with_cuts(halo_partition *out, const halo_domain *domain, int parts,
                                     const int64_t *cuts)
{
    *out = (halo_partition){.parts = {parts, 1, 1}};
    if (!halo_cuts_are_valid(cuts, parts, domain->n[0])) {
        return halo_fail(HALO_ARGUMENT,
                         "cuts of %d parts must rise from 0 to the domain's %" PRId64 " rows",
                         parts, domain->n[0]);
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        size_t entries = (size_t)out->parts[axis] + 1;
        out->cuts[axis] = malloc(entries * sizeof(int64_t));
        if (out->cuts[axis] == NULL) {
            halo_partition_free(out);
            return halo_fail(HALO_MEMORY, "out of memory: cuts of %zu parts", entries - 1);
        }
    }
    memcpy(out->cuts[0], cuts, ((size_t)parts + 1) * sizeof(int64_t));
    for (int axis = 1; axis < HALO_AXES; axis++) {
        halo_cuts_even(domain->n[axis], 1, out->cuts[axis]);
    }
    return HALO_OK;
}

halo_status halo_partition_strips(halo_partition *out, const halo_domain *domain, int parts)
{
    *out = (halo_partition){0};
    if (parts < 1) {
        return halo_fail(HALO_ARGUMENT, "a partition needs at least 1 part, not %d", parts);
    }
    int64_t *cuts = malloc(((size_t)parts + 1) * sizeof *cuts);
    if (cuts == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: cuts of %d parts", parts);
    }
    halo_cuts_even(domain->n[0], parts, cuts);
    halo_status status = halo_partition_with_cuts(out, domain, parts, cuts);
    free(cuts);
    return status;
}

void halo_partition_free(halo_partition *partition)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        free(partition->cuts[axis]);
    }
    *partition = (halo_partition){0};
}

halo_box halo_partition_box(const halo_partition *partition, int part)
{
    halo_box box;
    for (int axis = HALO_AXES - 1; axis >= 0; axis--) {
        int index = part % partition->parts[axis];
        part /= partition->parts[axis];
        box.lo[axis] = partition->cuts[axis][index];
        box.n[axis] = partition->cuts[axis][index + 1] - box.lo[axis];
    }
    return box;
}
