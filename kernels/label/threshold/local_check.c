#include "base/minmax.h"
#include "kernels/label/threshold/local_internal.h"

#include <inttypes.h>
#include <stdio.h>

/* Sums of a cube of shorts stay below 2^63, and those along an axis below 2^32. */
enum { MAX_RADIUS = 25000 };

/* Halos come from the next strip. */
static halo_status check_strips(const halo_domain *domain, const halo_partition *partition,
                                int64_t radius)
{
    const char *layers = domain->axes == HALO_AXES ? "planes" : "rows";
    int64_t fewest = domain->n[0]; /* of those that are not empty */
    for (int part = 0; part < partition->parts[0]; part++) {
        int64_t rows = partition->cuts[0][part + 1] - partition->cuts[0][part];
        fewest = rows > 0 && rows < fewest ? rows : fewest;
    }
    return fewest >= radius
               ? HALO_OK
               : halo_fail(HALO_RANKS,
                           "a local threshold of radius %" PRId64 " needs as many %s on every "
                           "rank, and one has %" PRId64 " of %" PRId64 "; use a smaller radius, or "
                           "at most %" PRId64 " rank%s",
                           radius, layers, fewest, domain->n[0], domain->n[0] / radius,
                           domain->n[0] / radius == 1 ? "" : "s");
}

static halo_status fail_radius(const halo_domain *domain, int64_t radius, int64_t most)
{
    enum { TEXT = 64 };
    const int64_t *n = domain->n;
    char remedy[TEXT] = "use one threshold for all pixels";
    if (most > 0) {
        snprintf(remedy, sizeof remedy, "use a radius from 1 to %" PRId64, most);
    }
    return domain->axes == HALO_AXES
               ? halo_fail(HALO_ARGUMENT,
                           "a local threshold of radius %" PRId64 " for a volume of %" PRId64
                           " x %" PRId64 " x %" PRId64 " voxels; %s",
                           radius, n[2], n[1], n[0], remedy)
               : halo_fail(HALO_ARGUMENT,
                           "a local threshold of radius %" PRId64 " for an image of %" PRId64
                           " x %" PRId64 " pixels; %s",
                           radius, n[1], n[0], remedy);
}

halo_status label_local_check(const halo_domain *domain, const halo_partition *partition,
                              const halo_view *grey, const halo_local_threshold *options)
{
    int64_t most = MAX_RADIUS;
    for (int axis = 0; axis < domain->axes; axis++) {
        most = halo_min(most, domain->n[axis] - 1);
    }
    if (grey->cell_bits != 8 && grey->cell_bits != 16) {
        return halo_fail(HALO_ARGUMENT,
                         "a local threshold needs greys of 8 or 16 bits, and the image has "
                         "pixels of %d bit; use another threshold",
                         grey->cell_bits);
    }
    if (domain->axes == HALO_AXES && most < 1) {
        return halo_fail(HALO_ARGUMENT, "a local threshold needs two planes, rows and columns at "
                                        "least; save a single plane as an image of two axes, or "
                                        "use another threshold");
    }
    return options->radius > 0 && options->radius <= most
               ? check_strips(domain, partition, options->radius)
               : fail_radius(domain, options->radius, most);
}
