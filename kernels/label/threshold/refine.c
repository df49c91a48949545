#include "kernels/label/threshold/refine.h"

#include "base/memory.h"
#include "kernels/label/label.h"
#include "kernels/label/rows/raster_rows.h"
#include "kernels/label/threshold/range_ops.h"
#include "kernels/label/threshold/threshold.h"

/* Pixels of regions become bits: of those of the background they are added to the foreground, of
 * those of the foreground they are all that stays. */
typedef struct {
    const halo_view *foreground;
    label_within *within;
    halo_label *label;
    uint8_t *colours; /* of a row */
    uint64_t *bits;
    bool adds;
} refining;

static halo_status refine_rows(refining *r)
{
    int64_t rows = label_view_rows(r->foreground), width = label_view_width(r->foreground);
    const uint8_t least = 1, most = UINT8_MAX;
    for (int64_t row = 0; row < rows; row++) {
        uint64_t *bits = label_view_row(r->foreground, row);
        HALO_TRY(
            halo_label_paint_rows(r->label, HALO_LABEL_COLOUR, row, 1, r->colours, (size_t)width));
        r->within(r->colours, width, &least, &most, r->bits);
        for (int64_t i = 0; i < (width + 63) / 64; i++) {
            bits[i] = r->adds ? bits[i] | r->bits[i] : r->bits[i];
        }
    }
    return HALO_OK;
}

static halo_status allocate(refining *r)
{
    int64_t width = label_view_width(r->foreground);
    HALO_TRY(HALO_ALLOCATE_LARGE(r->colours, width + 64, "a row of labels"));
    return HALO_ALLOCATE_LARGE(r->bits, width / 64 + 1, "a row of bits");
}

static halo_status refine(halo_world *world, const halo_domain *domain,
                          const halo_partition *partition, const halo_label_options *options,
                          const halo_view *pixels, const halo_view *grey, refining *r)
{
    halo_status status = halo_label_create(&r->label, world, domain, partition, options);
    if (status == HALO_OK) {
        status = halo_label_run(r->label, pixels, grey);
    }
    if (status == HALO_OK) {
        status = allocate(r);
        if (status == HALO_OK) {
            r->within = label_range_ops_of(options->instructions)->within[HALO_SAMPLE_U8];
            status = refine_rows(r);
        }
        status = halo_agree(world, status);
    }
    halo_label_destroy(&r->label);
    halo_memory_free(r->colours);
    halo_memory_free(r->bits);
    return status;
}

static bool has_edges(const halo_domain *domain)
{
    for (int axis = 0; axis < domain->axes; axis++) {
        if (!domain->periodic[axis]) {
            return true;
        }
    }
    return false;
}

halo_status halo_keep_regions(halo_world *world, const halo_domain *domain,
                              const halo_partition *partition, const halo_region_filter *filter,
                              int connectivity, bool holes, const halo_view *foreground,
                              const char *instructions)
{
    halo_label_options options = {
        .filter = *filter, .connectivity = connectivity, .instructions = instructions};
    refining r = {.foreground = foreground, .adds = holes};
    halo_field *background = NULL;
    if (!holes) {
        return refine(world, domain, partition, &options, foreground, NULL, &r);
    }
    halo_box mine = halo_partition_box(partition, halo_world_rank(world));
    HALO_TRY(halo_agree(world, halo_field_create(&background, domain, &mine, HALO_BIT, 0)));
    halo_foreground_invert(foreground, halo_field_view(background));
    halo_status status =
        refine(world, domain, partition, &options, halo_field_view(background), NULL, &r);
    halo_field_destroy(&background);
    return status;
}

halo_status halo_fill_holes(halo_world *world, const halo_domain *domain,
                            const halo_partition *partition, const halo_view *foreground,
                            const char *instructions)
{
    const halo_region_filter enclosed = {.clear_border = true};
    return has_edges(domain)
               ? halo_keep_regions(world, domain, partition, &enclosed, 0, true, foreground,
                                   instructions)
               : halo_fail(HALO_ARGUMENT,
                           "an image that is periodic along all axes has no edge, so that no "
                           "background is a hole; leave one axis as it is");
}

halo_status halo_hysteresis(halo_world *world, const halo_domain *domain,
                            const halo_partition *partition, const halo_view *grey, int64_t high,
                            int connectivity, const halo_view *foreground, const char *instructions)
{
    halo_label_options options = {
        .connectivity = connectivity, .filter = {.min_peak = high}, .instructions = instructions};
    refining r = {.foreground = foreground};
    return high <= 0 ? HALO_OK : refine(world, domain, partition, &options, foreground, grey, &r);
}
