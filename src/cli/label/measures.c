#include "cli/label/job.h"
#include "io/table/table.h"

#include <math.h>

/* Measures of regions: a function each, value_NAME, and the table of them. */

/* ---- how columns are written ----------------------------------------------------------------- */

static halo_table_kind kind_of_values(halo_sample_type type)
{
    return halo_sample_types[type].real ? HALO_TABLE_REAL
           : type == HALO_SAMPLE_U64    ? HALO_TABLE_UNSIGNED
                                        : HALO_TABLE_INTEGER;
}

/* True if two samples of the type add up to an integer of 64 bits. */
static bool has_half_range(halo_sample_type type)
{
    return !halo_sample_types[type].real && halo_sample_types[type].bytes < sizeof(int64_t);
}

/* Centroids and areas in the units of the spacing are no ratios of integers. */
halo_table_kind label_form_kind(const label_facts *facts, label_form form)
{
    bool wide = facts->samples != HALO_LABEL_NONE, spaced = facts->pixel.spaced;
    const halo_table_kind kinds[] = {
        [LABEL_INTEGER] = HALO_TABLE_INTEGER,
        [LABEL_RATIO] = HALO_TABLE_RATIO,
        [LABEL_REAL] = HALO_TABLE_REAL,
        [LABEL_PLACE] = spaced ? HALO_TABLE_REAL : HALO_TABLE_RATIO,
        [LABEL_AREA] = spaced ? HALO_TABLE_REAL : HALO_TABLE_INTEGER,
        [LABEL_MEAN] = wide && !facts->sampled.fits ? HALO_TABLE_REAL : HALO_TABLE_RATIO,
        [LABEL_END] = wide ? kind_of_values(facts->samples) : HALO_TABLE_INTEGER,
        [LABEL_VALUE] = kind_of_values(facts->values),
        [LABEL_MIDDLE] = has_half_range(facts->measured) ? HALO_TABLE_RATIO : HALO_TABLE_REAL,
    };
    return kinds[form];
}

static halo_table_value whole(int64_t value)
{
    return (halo_table_value){value, 1};
}

static halo_table_value of_key(halo_sample_type type, int64_t key)
{
    return halo_sample_types[type].real ? halo_table_real(halo_sample_real(type, key))
                                        : whole(halo_sample_whole(type, key));
}

/* ---- from the sums of labelling -------------------------------------------------------------- */

static void value_label(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_region *r = &facts->regions[row];
    bool seeds = facts->requested->label.numbering == HALO_LABEL_SEED;
    out[0] = whole(seeds ? r->last : r->number);
}

/* The area or volume in the units of the spacing. */
static double area_of(const label_facts *facts, int64_t row)
{
    const double *size = facts->pixel.size;
    double cell = size[1] * size[2] * (facts->axes == HALO_AXES ? size[0] : 1);
    return (double)facts->regions[row].area * cell;
}

static void value_area(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = facts->pixel.spaced ? halo_table_real(area_of(facts, row))
                                 : whole(facts->regions[row].area);
}

static void value_bbox(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_region *r = &facts->regions[row];
    const int64_t box[] = {r->front, r->top, r->left, r->back, r->bottom, r->right};
    for (int i = 0; i < 2 * HALO_AXES; i++) {
        out[i] = whole(box[i]);
    }
}

static void value_centroid(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_region *r = &facts->regions[row];
    const int64_t sums[HALO_AXES] = {r->plane_sum, r->row_sum, r->column_sum};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        out[axis] =
            facts->pixel.spaced
                ? halo_table_real((double)sums[axis] / (double)r->area * facts->pixel.size[axis])
                : (halo_table_value){sums[axis], r->area};
    }
}

/* The diameter of the circle or sphere of the same area or volume. */
static void value_equivalent_diameter_area(const label_facts *facts, int64_t row,
                                           halo_table_value *out)
{
    const double pi = 3.14159265358979323846;
    double diameters = 2 * facts->axes * area_of(facts, row) / pi;
    out[0] = halo_table_real(facts->axes == HALO_AXES ? cbrt(diameters) : sqrt(diameters));
}

static void value_extent(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_region *r = &facts->regions[row];
    int64_t box = (r->back - r->front) * (r->bottom - r->top) * (r->right - r->left);
    out[0] = (halo_table_value){r->area, box};
}

static void value_spans(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_region *r = &facts->regions[row];
    const int64_t low[HALO_AXES] = {r->front, r->top, r->left};
    const int64_t high[HALO_AXES] = {r->back, r->bottom, r->right};
    int none = HALO_AXES - facts->axes;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t n = axis < none ? 1 : facts->run->domain.n[axis - none];
        out[axis] = whole(low[axis] == 0 && high[axis] == n);
    }
}

/* ---- from samples ---------------------------------------------------------------------------- */

/* A region without a number among its samples has NaN. */
static void value_intensity_mean(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_region *r = &facts->regions[row];
    if (facts->sampled.intensities == NULL) {
        out[0] = (halo_table_value){r->grey_sum, r->area};
        return;
    }
    const halo_intensity *of = &facts->sampled.intensities[row];
    out[0] =
        facts->sampled.fits ? (halo_table_value){of->sum, of->numbers} : halo_table_real(of->mean);
}

static halo_table_value sample_end(const label_facts *facts, const halo_intensity *of, int64_t key)
{
    return of->numbers > 0 ? of_key(facts->samples, key) : halo_table_real(NAN);
}

static void value_intensity_min(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_intensity *of =
        facts->sampled.intensities == NULL ? NULL : &facts->sampled.intensities[row];
    out[0] = of == NULL ? whole(facts->regions[row].grey_min) : sample_end(facts, of, of->min);
}

static void value_intensity_max(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_intensity *of =
        facts->sampled.intensities == NULL ? NULL : &facts->sampled.intensities[row];
    out[0] = of == NULL ? whole(facts->regions[row].grey_max) : sample_end(facts, of, of->max);
}

static void value_min_value(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = of_key(facts->values, facts->regions[row].grey_min);
}

static void value_max_value(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = of_key(facts->values, facts->regions[row].grey_max);
}

/* All samples of such a region are equal. */
static void value_value(const label_facts *facts, int64_t row, halo_table_value *out)
{
    value_min_value(facts, row, out);
}

static void value_channels(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_channels *channels = &facts->coloured.channels[row];
    for (int i = 0; i < HALO_CHANNELS; i++) {
        out[i] = (halo_table_value){channels->sum[i], facts->regions[row].area};
        out[HALO_CHANNELS + i] = whole(channels->min[i]);
        out[2 * HALO_CHANNELS + i] = whole(channels->max[i]);
    }
}

/* The mean of the two samples in the middle, as numpy.median has it. */
static void value_intensity_median(const label_facts *facts, int64_t row, halo_table_value *out)
{
    halo_sample_type type = facts->measured;
    const halo_median median = facts->sampled.medians[row];
    if (has_half_range(type)) {
        int64_t both = halo_sample_whole(type, median.low) + halo_sample_whole(type, median.high);
        out[0] = (halo_table_value){both, 2};
        return;
    }
    double low = halo_sample_real(type, median.low);
    double high = halo_sample_real(type, median.high);
    double middle = median.low == median.high ? low : low / 2 + high / 2;
    out[0] = halo_table_real(median.numbers > 0 ? middle : (double)NAN);
}

static void value_intensity_std(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = halo_table_real(facts->sampled.moments[row].deviation);
}

static void value_centroid_weighted(const label_facts *facts, int64_t row, halo_table_value *out)
{
    const halo_moments *moments = &facts->sampled.moments[row];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        out[axis] = halo_table_real(moments->weighted[axis] * facts->pixel.size[axis]);
    }
}

/* ---- from shapes ----------------------------------------------------------------------------- */

static halo_shape_axes axes_of(const label_facts *facts, int64_t row)
{
    label_axes_found *found = facts->found;
    if (found->next != row + 1) {
        found->next = row + 1;
        found->axes = halo_shape_find_axes(&facts->shapes[row], facts->axes, facts->pixel.size);
    }
    return found->axes;
}

static void value_axis_major_length(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = halo_table_real(axes_of(facts, row).major);
}

static void value_axis_minor_length(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = halo_table_real(axes_of(facts, row).minor);
}

static void value_eccentricity(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = halo_table_real(axes_of(facts, row).eccentricity);
}

static void value_orientation(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = halo_table_real(axes_of(facts, row).orientation);
}

static void value_perimeter(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = halo_table_real(halo_shape_perimeter(&facts->shapes[row]) * facts->pixel.size[1]);
}

static void value_solidity(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = halo_table_real((double)facts->regions[row].area / (double)facts->shapes[row].hull);
}

static void value_euler_number(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = whole(facts->eulers[row]);
}

static void value_feret_diameter_max(const label_facts *facts, int64_t row, halo_table_value *out)
{
    out[0] = halo_table_real(facts->shapes[row].feret);
}

/* ---------------------------------------------------------------------------------------------- */

const label_measure_row label_measure_rows[LABEL_MEASURES] = {
#define MEASURE_ROW(code, name, short_name, needs, note, ...) \
    {#name, #short_name, needs, value_##name, {__VA_ARGS__}},
    LABEL_MEASURE_LIST(MEASURE_ROW)
#undef MEASURE_ROW
};
