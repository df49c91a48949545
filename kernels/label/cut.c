#include "kernels/label/cut.h"

#include "partition/decomposition.h"

#include <inttypes.h>
#include <stdio.h>

enum { WORD = 64 }; /* pixels: rows of bits are cut between words only */

halo_status label_cut_check(const halo_partition *partition, const halo_domain *domain, int ranks)
{
    if (!halo_partition_is_valid(partition, domain) || halo_partition_parts(partition) != ranks) {
        char depth[32] = "";
        if (domain->axes > 2) {
            snprintf(depth, sizeof depth, " x %" PRId64, domain->n[2]);
        }
        return halo_fail(HALO_ARGUMENT,
                         "a partition that does not cut an image of %" PRId64 " x %" PRId64
                         "%s pixels into %d parts, one for each rank",
                         domain->n[0], domain->n[1], depth, ranks);
    }
    return HALO_OK;
}

halo_status label_cut(halo_partition *out, const halo_domain *domain, const halo_partition *given,
                      const char *decomposition)
{
    const bool can_cut[HALO_AXES] = {true, true, domain->axes == HALO_AXES};
    int parts[HALO_AXES], ranks = halo_partition_parts(given), last = domain->axes - 1;
    if (decomposition == NULL) {
        return halo_partition_copy(out, given);
    }
    HALO_TRY(halo_decomposition_parse(decomposition, domain, can_cut, ranks, WORD, parts));
    if (parts[0] == ranks && given->parts[0] == ranks) {
        return halo_partition_copy(out, given);
    }
    HALO_TRY(halo_partition_blocks(out, domain, parts));
    int64_t width = domain->n[last], *columns = out->cuts[last];
    halo_cuts_even((width + WORD - 1) / WORD, parts[last], columns);
    for (int p = 0; p <= parts[last]; p++) {
        columns[p] = columns[p] * WORD < width ? columns[p] * WORD : width;
    }
    return HALO_OK;
}

static halo_status check_part(const halo_box *should, const halo_box *is, const char *what)
{
    bool same = true;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        same = same && is->lo[axis] == should->lo[axis] && is->n[axis] == should->n[axis];
    }
    if (same || (halo_box_cells(should) == 0 && halo_box_cells(is) == 0)) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "the %s pixels are %" PRId64 " x %" PRId64 " from row %" PRId64
                     ", column %" PRId64 " on; expected are %" PRId64 " x %" PRId64
                     " from row %" PRId64 ", column %" PRId64
                     " on: halo_label_distribute takes the part that halo_label_create was given, "
                     "halo_label_run that of halo_label_partition",
                     what, is->n[0], is->n[1], is->lo[0], is->lo[1], should->n[0], should->n[1],
                     should->lo[0], should->lo[1]);
}

halo_status label_cut_check_pixels(const halo_box *own, const halo_view *foreground,
                                   const halo_view *grey, halo_sample_type type)
{
    int bits = grey != NULL ? grey->cell_bits : 8,
        value_bits = 8 * (int)halo_sample_types[type].bytes;
    if (type != HALO_LABEL_NONE) {
        if (grey == NULL || bits != value_bits || foreground->cell_bits != HALO_BIT) {
            return halo_fail(HALO_ARGUMENT,
                             "values of %d bits decide which pixels belong together; pass them as "
                             "`grey`, and foreground pixels of 1 bit",
                             value_bits);
        }
        HALO_TRY(check_part(own, &foreground->owned, "foreground"));
        return check_part(own, &grey->owned, "grey");
    }
    if (foreground->cell_bits != HALO_BIT || (bits != HALO_BIT && bits != 8 && bits != 16)) {
        return halo_fail(
            HALO_ARGUMENT,
            "foreground pixels have 1 bit and grey ones 1, 8 or 16 bits, not %d and %d",
            foreground->cell_bits, bits);
    }
    HALO_TRY(check_part(own, &foreground->owned, "foreground"));
    return grey != NULL ? check_part(own, &grey->owned, "grey") : HALO_OK;
}
