#include "kernels/filter/connectivity.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/foreground.h"
#include "kernels/label/threshold/refine.h"

/* Filters that look at connected regions: all that is not 0 is foreground, and results are bits. */

typedef struct {
    int64_t size;
    int connectivity;
} regions;

#define ROW(option, kind, member) HALO_OPTION_ROW(regions, option, kind, member)
static const halo_option object_rows[] = {{ROW("min_size", INTEGER, size), .standard = "64",
                                           .unit = "pixels",
                                           .help = "Regions with fewer pixels become background"},
                                          FILTER_CONNECTIVITY_ROW(regions, "1"),
                                          {0}};

static const halo_option hole_rows[] = {
    {ROW("area_threshold", INTEGER, size), .standard = "64", .unit = "pixels",
     .help = "Regions of the background with fewer pixels become foreground"},
    FILTER_CONNECTIVITY_ROW(regions, "1"),
    {0}};

static const halo_option border_rows[] = {FILTER_CONNECTIVITY_ROW(regions, "3"), {0}};

static halo_status keep(const filter_field_call *call, const halo_region_filter *filter, bool holes)
{
    const regions *r = call->part->step->params;
    return halo_keep_regions(call->world, call->domain, call->strips, filter,
                             filter_neighbours(r->connectivity, call->domain->axes), holes,
                             halo_field_view(call->in), call->instructions);
}

static halo_status remove_objects(const filter_field_call *call)
{
    const regions *r = call->part->step->params;
    const halo_region_filter large = {.min_area = r->size};
    return keep(call, &large, false);
}

/* Regions of fewer than one pixel do not exist, and 0 is no limit. */
static halo_status remove_holes(const filter_field_call *call)
{
    const regions *r = call->part->step->params;
    const halo_region_filter small = {.max_area = r->size - 1};
    return r->size > 1 ? keep(call, &small, true) : HALO_OK;
}

static halo_status clear_border(const filter_field_call *call)
{
    const halo_region_filter inside = {.clear_border = true};
    return keep(call, &inside, false);
}

static halo_status fill_holes(const filter_field_call *call)
{
    return halo_fill_holes(call->world, call->domain, call->strips, halo_field_view(call->in),
                           call->instructions);
}

/* A line is an image of one row, all of which is on an edge. */
static halo_status check_axes(const filter_step *step)
{
    return step->axes > 1
               ? HALO_OK
               : filter_refuse(step, "an array of one axis has edges only; use 2 or 3 axes");
}

/* ---- the filters ----------------------------------------------------------------------------- */

static halo_status resolve(filter_step *step, halo_status (*field)(const filter_field_call *call))
{
    filter_add_nonzero(step);
    filter_add_part(step, &(filter_part){.field = field, .in_place = true});
    return HALO_OK;
}

static halo_status resolve_objects(filter_step *step)
{
    return resolve(step, remove_objects);
}

static halo_status resolve_holes(filter_step *step)
{
    return resolve(step, remove_holes);
}

static halo_status resolve_border(filter_step *step)
{
    HALO_TRY(check_axes(step));
    return resolve(step, clear_border);
}

static halo_status resolve_fill(filter_step *step)
{
    HALO_TRY(check_axes(step));
    return resolve(step, fill_holes);
}

const halo_filter filter_fill_holes = {
    .name = "fill_holes",
    .help =
        "Background that is not connected to an edge of the image, by faces, becomes foreground",
    .authority = "scipy.ndimage.binary_fill_holes",
    .examples = "fill_holes",
    .takes = FILTER_ANY,
    .bits = true,
    .resolve = resolve_fill};

const halo_filter filter_remove_small_objects = {
    .name = "remove_small_objects",
    .help = "Foreground regions with fewer pixels than min_size become background",
    .authority = "skimage.morphology.remove_small_objects",
    .examples = "remove_small_objects:5|remove_small_objects:9:connectivity=2",
    .params = object_rows,
    .params_bytes = sizeof(regions),
    .takes = FILTER_ANY,
    .bits = true,
    .resolve = resolve_objects};

const halo_filter filter_remove_small_holes = {
    .name = "remove_small_holes",
    .help = "Regions of the background with fewer pixels than area_threshold become foreground",
    .authority = "skimage.morphology.remove_small_holes",
    .examples = "remove_small_holes:5|remove_small_holes:9:connectivity=2|remove_small_holes:1",
    .params = hole_rows,
    .params_bytes = sizeof(regions),
    .takes = FILTER_ANY,
    .bits = true,
    .resolve = resolve_holes};

const halo_filter filter_clear_border = {
    .name = "clear_border",
    .help = "Foreground regions with a pixel on an edge of the image become background",
    .authority = "skimage.segmentation.clear_border",
    .examples = "clear_border|clear_border:connectivity=1",
    .params = border_rows,
    .params_bytes = sizeof(regions),
    .takes = FILTER_ANY,
    .bits = true,
    .resolve = resolve_border};
