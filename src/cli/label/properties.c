#include "cli/label/job.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

/* Properties of regions: a function each, value_NAME, the table of them, and which of them the
 * table of regions of an image has. */

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

/* ---- the table of them ------------------------------------------------------------------------
 */

const label_property_row label_property_rows[LABEL_PROPERTIES] = {
#define PROPERTY_ROW(code, name, short_name, needs, note, ...) \
    {#name, #short_name, needs, value_##name, {__VA_ARGS__}},
    LABEL_PROPERTY_LIST(PROPERTY_ROW)
#undef PROPERTY_ROW
};

/* ---- which of them a table has --------------------------------------------------------------- */

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* The member of the choice that the first `length` characters name, or NULL. */
static bool *find(label_property_choice *requested, const char *text, size_t length)
{
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        const label_property_row *row = &label_property_rows[property];
        if (is_name(row->name, text, length) || is_name(row->short_name, text, length)) {
            return &requested->is[property];
        }
    }
    return is_name("standard", text, length) ? &requested->standard
           : is_name("all", text, length)    ? &requested->all
                                             : NULL;
}

halo_status label_parse_properties(const char *text, void *into)
{
    label_property_choice *requested = into;
    *requested = (label_property_choice){.all = false};
    for (size_t length;; text += length + 1) {
        length = strcspn(text, ",");
        bool *chosen = find(requested, text, length);
        if (chosen == NULL || *chosen) {
            return HALO_ARGUMENT;
        }
        *chosen = true;
        if (text[length] == '\0') {
            return HALO_OK;
        }
    }
}

/* True if pixels are as wide as high: perimeters are estimated from such. */
static bool are_square(const app_pixel *pixel)
{
    const double *size = pixel->size;
    return !(size[1] < size[2]) && !(size[1] > size[2]);
}

/* The conditions that this image does not meet. */
static unsigned conditions_missed(const app_run *run)
{
    const label_options *options = run->options;
    const app_pixel pixel = label_pixel_of(run);
    bool values = label_value_type(run) != HALO_LABEL_NONE, ranges = options->delta.value > 0;
    const struct {
        unsigned condition;
        bool met;
    } conditions[] = {
        {LABEL_ONLY_FLAT, run->domain.axes < HALO_AXES}, {LABEL_ONLY_SQUARE, are_square(&pixel)},
        {LABEL_ONLY_OPEN, !label_is_periodic(run)},      {LABEL_ONLY_GREYS, !values},
        {LABEL_ONLY_VALUE, values && !ranges},           {LABEL_ONLY_RANGE, values && ranges},
        {LABEL_BY_COLOURS, run->image->info.colourful},
    };
    unsigned missed = 0;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        missed |= conditions[i].met ? 0 : conditions[i].condition;
    }
    return missed;
}

bool label_table_has(const app_run *run, label_property property)
{
    const label_property_choice *requested = &((const label_options *)run->options)->properties;
    unsigned needs = label_property_rows[property].needs;
    bool wanted = requested->all || property == LABEL_PROPERTY_NUMBER ||
                  (requested->standard && (needs & LABEL_STANDARD) != 0);
    return requested->is[property] || (wanted && (needs & conditions_missed(run)) == 0);
}

bool label_may_need_colours(const label_options *options)
{
    return options->properties.all || options->properties.is[LABEL_PROPERTY_CHANNELS];
}

bool label_needs(const app_run *run, unsigned needs)
{
    bool any = false;
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        any = any || ((label_property_rows[property].needs & needs) != 0 &&
                      label_table_has(run, property));
    }
    return any;
}

/* Refuses a property that this image does not have. */
static halo_status refuse(const app_run *run, label_property property, unsigned missed)
{
    const label_options *options = run->options;
    const app_pixel pixel = label_pixel_of(run);
    const char *name = label_property_rows[property].name;
    bool given = options->spacing.count > 0;
    HALO_FAIL_IF((missed & LABEL_ONLY_FLAT) != 0, HALO_ARGUMENT,
                 "%s is a volume, and --properties %s is for images of two axes; of volumes ask "
                 "for axis_major_length, axis_minor_length or solidity, or all",
                 run->image->path, name);
    HALO_FAIL_IF((missed & LABEL_ONLY_SQUARE) != 0, HALO_ARGUMENT,
                 "the perimeter is estimated from pixels that are as high as wide, and %s says %g "
                 "and %g; ask for other --properties, or all%s",
                 given ? "--spacing" : run->image->path, pixel.size[1], pixel.size[2],
                 given ? "" : ", or use --spacing pixels");
    HALO_FAIL_IF((missed & LABEL_ONLY_OPEN) != 0, HALO_ARGUMENT,
                 "--properties %s is for images without periodic axes; ask for others, or all",
                 name);
    HALO_FAIL_IF((missed & LABEL_BY_COLOURS) != 0, HALO_ARGUMENT,
                 "%s has no colours, and --properties %s is for their red, green and blue; leave "
                 "it out, or ask for all",
                 run->image->path, name);
    return halo_fail(HALO_ARGUMENT,
                     "--properties %s is for regions %s; leave it out, or ask for all", name,
                     (missed & LABEL_ONLY_GREYS) != 0   ? "without --values"
                     : (missed & LABEL_ONLY_VALUE) != 0 ? "of --values without --delta"
                                                        : "of --values with --delta");
}

halo_status label_check_properties(const app_run *run)
{
    const label_options *options = run->options;
    unsigned missed = conditions_missed(run);
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        unsigned here = label_property_rows[property].needs & missed;
        if (here != 0 && options->properties.is[property]) {
            return refuse(run, property, here);
        }
    }
    return HALO_OK;
}
