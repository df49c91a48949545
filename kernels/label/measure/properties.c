#include "kernels/label/measure/properties.h"

#include "kernels/label/measure/sample_measures.h"

#include <math.h>

/* Properties of regions: a function each, value_NAME, and the table of them. */

/* ---- kinds of numbers ------------------------------------------------------------------------ */

static label_kind kind_of_values(halo_sample_type type)
{
    return halo_sample_types[type].real ? LABEL_KIND_REAL
           : type == HALO_SAMPLE_U64    ? LABEL_KIND_UNSIGNED
                                        : LABEL_KIND_INTEGER;
}

/* True if two samples of the type add up to an integer of 64 bits. */
static bool has_half_range(halo_sample_type type)
{
    return !halo_sample_types[type].real && halo_sample_types[type].bytes < sizeof(int64_t);
}

bool label_sizes_are_even(const double size[HALO_AXES], int axes)
{
    bool even = true;
    for (int axis = HALO_AXES - axes; axis < HALO_AXES; axis++) {
        even = even && size[axis] >= size[HALO_AXES - 1] && size[axis] <= size[HALO_AXES - 1];
    }
    return even;
}

/* Centroids and areas in the units of the spacing are no ratios of integers. */
label_kind label_form_kind(const label_facts *facts, label_form form)
{
    bool wide = facts->samples != HALO_LABEL_NONE, spaced = facts->spaced;
    const label_kind kinds[] = {
        [LABEL_LABEL] = kind_of_values(facts->label),
        [LABEL_INTEGER] = LABEL_KIND_INTEGER,
        [LABEL_RATIO] = LABEL_KIND_RATIO,
        [LABEL_REAL] = LABEL_KIND_REAL,
        [LABEL_PLACE] = spaced ? LABEL_KIND_REAL : LABEL_KIND_RATIO,
        [LABEL_AREA] = spaced ? LABEL_KIND_REAL : LABEL_KIND_INTEGER,
        [LABEL_MEAN] = wide && !facts->sampled.fits ? LABEL_KIND_REAL : LABEL_KIND_RATIO,
        [LABEL_END] = wide ? kind_of_values(facts->samples) : LABEL_KIND_INTEGER,
        [LABEL_VALUE] = kind_of_values(facts->values),
        [LABEL_MIDDLE] = has_half_range(facts->measured) ? LABEL_KIND_RATIO : LABEL_KIND_REAL,
    };
    return kinds[form];
}

static label_quantity whole(int64_t value)
{
    return (label_quantity){.whole = value, .divisor = 1};
}

static label_quantity ratio(int64_t whole, int64_t divisor)
{
    return (label_quantity){.whole = whole, .divisor = divisor};
}

static label_quantity real(double value)
{
    return (label_quantity){.real = value};
}

static label_quantity of_key(halo_sample_type type, int64_t key)
{
    return halo_sample_types[type].real ? real(halo_sample_real(type, key))
                                        : whole(halo_sample_whole(type, key));
}

/* ---- from the sums of labelling -------------------------------------------------------------- */

static void value_label(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_region *r = &facts->regions[row];
    out[0] = whole(facts->labels != NULL ? (int64_t)facts->labels[r->number - 1 - facts->before]
                   : facts->seeds        ? r->last
                                         : r->number);
}

/* An area or volume of so many pixels in the units of the spacing. */
static double in_units(const label_facts *facts, int64_t pixels)
{
    const double *size = facts->size;
    double cell = size[1] * size[2] * (facts->axes == HALO_AXES ? size[0] : 1);
    return (double)pixels * cell;
}

static double area_of(const label_facts *facts, int64_t row)
{
    return in_units(facts, facts->regions[row].area);
}

static label_quantity area(const label_facts *facts, int64_t pixels)
{
    return facts->spaced ? real(in_units(facts, pixels)) : whole(pixels);
}

static void value_area(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = area(facts, facts->regions[row].area);
}

static void value_bbox(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_region *r = &facts->regions[row];
    const int64_t box[] = {r->front, r->top, r->left, r->back, r->bottom, r->right};
    for (int i = 0; i < 2 * HALO_AXES; i++) {
        out[i] = whole(box[i]);
    }
}

static void value_centroid(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_region *r = &facts->regions[row];
    const int64_t sums[HALO_AXES] = {r->plane_sum, r->row_sum, r->column_sum};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        out[axis] = facts->spaced ? real((double)sums[axis] / (double)r->area * facts->size[axis])
                                  : ratio(sums[axis], r->area);
    }
}

/* The diameter of the circle or sphere of the same area or volume; in one axis the length. */
static void value_equivalent_diameter_area(const label_facts *facts, int64_t row,
                                           label_quantity *out)
{
    const double pi = 3.14159265358979323846;
    double size = area_of(facts, row), diameters = 2 * facts->axes * size / pi;
    out[0] = real(facts->axes == 1           ? size
                  : facts->axes == HALO_AXES ? cbrt(diameters)
                                             : sqrt(diameters));
}

static int64_t box_of(const halo_region *r)
{
    return (r->back - r->front) * (r->bottom - r->top) * (r->right - r->left);
}

static void value_extent(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = ratio(facts->regions[row].area, box_of(&facts->regions[row]));
}

static void value_area_bbox(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = area(facts, box_of(&facts->regions[row]));
}

static void value_spans(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_region *r = &facts->regions[row];
    const int64_t low[HALO_AXES] = {r->front, r->top, r->left};
    const int64_t high[HALO_AXES] = {r->back, r->bottom, r->right};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        out[axis] = whole(low[axis] == 0 && high[axis] == facts->n[axis]);
    }
}

/* ---- from samples ---------------------------------------------------------------------------- */

/* A region without a number among its samples has NaN. */
static void value_intensity_mean(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_region *r = &facts->regions[row];
    if (facts->sampled.intensities == NULL) {
        out[0] = ratio(r->grey_sum, r->area);
        return;
    }
    const halo_intensity *of = &facts->sampled.intensities[row];
    out[0] = facts->sampled.fits ? ratio(of->sum, of->numbers) : real(of->mean);
}

static label_quantity sample_end(const label_facts *facts, const halo_intensity *of, int64_t key)
{
    return of->numbers > 0 ? of_key(facts->samples, key) : real(NAN);
}

static void value_intensity_min(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_intensity *of =
        facts->sampled.intensities == NULL ? NULL : &facts->sampled.intensities[row];
    out[0] = of == NULL ? whole(facts->regions[row].grey_min) : sample_end(facts, of, of->min);
}

static void value_intensity_max(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_intensity *of =
        facts->sampled.intensities == NULL ? NULL : &facts->sampled.intensities[row];
    out[0] = of == NULL ? whole(facts->regions[row].grey_max) : sample_end(facts, of, of->max);
}

static void value_min_value(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = of_key(facts->values, facts->regions[row].grey_min);
}

static void value_max_value(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = of_key(facts->values, facts->regions[row].grey_max);
}

/* All samples of such a region are equal. */
static void value_value(const label_facts *facts, int64_t row, label_quantity *out)
{
    value_min_value(facts, row, out);
}

static void value_channels(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_channels *channels = &facts->coloured.channels[row];
    for (int i = 0; i < HALO_CHANNELS; i++) {
        out[i] = ratio(channels->sum[i], facts->regions[row].area);
        out[HALO_CHANNELS + i] = whole(channels->min[i]);
        out[2 * HALO_CHANNELS + i] = whole(channels->max[i]);
    }
}

/* The mean of the two samples in the middle, as numpy.median has it. */
static void value_intensity_median(const label_facts *facts, int64_t row, label_quantity *out)
{
    halo_sample_type type = facts->measured;
    const halo_median median = facts->sampled.medians[row];
    if (has_half_range(type)) {
        int64_t both = halo_sample_whole(type, median.low) + halo_sample_whole(type, median.high);
        out[0] = ratio(both, 2);
        return;
    }
    double low = halo_sample_real(type, median.low);
    double high = halo_sample_real(type, median.high);
    double middle = median.low == median.high ? low : low / 2 + high / 2;
    out[0] = real(median.numbers > 0 ? middle : (double)NAN);
}

static void value_intensity_std(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(facts->sampled.moments[row].deviation);
}

static void value_centroid_weighted(const label_facts *facts, int64_t row, label_quantity *out)
{
    const halo_moments *moments = &facts->sampled.moments[row];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        out[axis] = real(moments->weighted[axis] * facts->size[axis]);
    }
}

/* ---- from shapes ----------------------------------------------------------------------------- */

static halo_shape_axes axes_of(const label_facts *facts, int64_t row)
{
    label_axes_found *found = facts->found;
    if (found->next != row + 1) {
        found->next = row + 1;
        found->axes = halo_shape_find_axes(&facts->shapes[row], facts->axes, facts->size);
    }
    return found->axes;
}

static void value_axis_major_length(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(axes_of(facts, row).major);
}

static void value_axis_minor_length(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(axes_of(facts, row).minor);
}

static void value_eccentricity(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(axes_of(facts, row).eccentricity);
}

static void value_orientation(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(axes_of(facts, row).orientation);
}

static void value_perimeter(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(halo_shape_perimeter(&facts->shapes[row]) * facts->size[1]);
}

static void value_solidity(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real((double)facts->regions[row].area / (double)facts->shapes[row].hull);
}

static void value_area_convex(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = area(facts, facts->shapes[row].hull);
}

static void value_euler_number(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = whole(facts->eulers[row]);
}

static void value_feret_diameter_max(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(facts->shapes[row].feret);
}

static void value_feret_diameter_min(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(facts->widths[row]);
}

/* ---- from surfaces, contacts and distances --------------------------------------------------- */

static void value_surface_area(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(facts->surfaces[row].area);
}

static void value_mesh_volume(const label_facts *facts, int64_t row, label_quantity *out)
{
    const double *size = facts->size;
    out[0] = real(facts->surfaces[row].volume * size[0] * size[1] * size[2]);
}

/* The area of the sphere of the region's volume over that of its surface. */
static void value_sphericity(const label_facts *facts, int64_t row, label_quantity *out)
{
    const double pi = 3.14159265358979323846;
    double radius = cbrt(area_of(facts, row) * 3 / (4 * pi));
    out[0] = real(4 * pi * radius * radius / facts->surfaces[row].area);
}

static void value_neighbours(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = whole(facts->neighbours[row]);
}

static void value_thickness_mean(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(facts->thicknesses[row].mean * facts->size[2]);
}

static void value_thickness_max(const label_facts *facts, int64_t row, label_quantity *out)
{
    out[0] = real(facts->thicknesses[row].max * facts->size[2]);
}

/* ---- quantiles of samples -------------------------------------------------------------------- */

/* On the way from one sample to the next, as numpy.percentile has it, from the nearer end. */
static double between(double low, double high, double fraction)
{
    if (!(fraction > 0)) {
        return low;
    }
    double apart = high - low;
    return fraction < .5 ? low + apart * fraction : high - apart * (1 - fraction);
}

static void value_intensity_percentiles(const label_facts *facts, int64_t row, label_quantity *out)
{
    for (int i = 0; i < facts->share_count; i++) {
        const halo_median *found = &facts->sampled.quantiles[i][row];
        double fraction, low = halo_sample_real(facts->measured, found->low);
        double high = halo_sample_real(facts->measured, found->high);
        label_quantile_place(found->numbers, facts->shares[i], &fraction);
        out[i] = real(found->numbers > 0 ? between(low, high, fraction) : (double)NAN);
    }
}

/* ---- the table of them ----------------------------------------------------------------------- */

const label_property_row label_property_rows[LABEL_PROPERTIES] = {
#define PROPERTY_ROW(code, name, short_name, needs, note, ...) \
    {#name, #short_name, needs, value_##name, {__VA_ARGS__}},
    LABEL_PROPERTY_LIST(PROPERTY_ROW)
#undef PROPERTY_ROW
};
