#include "cli/label/measures.h"
#include "cli/label/job.h"

#include <string.h>

/* Which measures of regions a table has. */

const label_measure_row label_measure_rows[LABEL_MEASURES] = {
#define MEASURE_ROW(code, name, short_name, needs, ...) {#name, #short_name, needs, {__VA_ARGS__}},
    LABEL_MEASURE_LIST(MEASURE_ROW)
#undef MEASURE_ROW
};

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* The measure that the first `length` characters name; LABEL_MEASURES if they name none. */
static int find(const char *text, size_t length)
{
    int found = 0;
    while (found < LABEL_MEASURES && !is_name(label_measure_rows[found].name, text, length) &&
           !is_name(label_measure_rows[found].short_name, text, length)) {
        found++;
    }
    return found;
}

halo_status label_parse_measures(const char *text, void *into)
{
    label_measure_choice *asked = into;
    *asked = (label_measure_choice){.all = strcmp(text, "all") == 0, .given = true};
    while (!asked->all) {
        size_t length = strcspn(text, ",");
        int measure = find(text, length);
        if (measure == LABEL_MEASURES || asked->is[measure]) {
            return HALO_ARGUMENT;
        }
        asked->is[measure] = true;
        if (text[length] == '\0') {
            return HALO_OK;
        }
        text += length + 1;
    }
    return HALO_OK;
}

/* True if pixels are as wide as high: perimeters are estimated from such. */
static bool are_square(const label_pixel *pixel)
{
    const double *size = pixel->size;
    return !(size[1] < size[2]) && !(size[1] > size[2]);
}

/* The conditions that this image does not meet. */
static unsigned conditions_missed(const app_run *run)
{
    const label_options *asked = run->options;
    const label_pixel pixel = label_pixel_of(run);
    bool values = label_value_type(run) != HALO_LABEL_ALIKE, ranges = asked->delta.value > 0;
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

/* True if the measure is asked for by its name. */
static bool is_named(const label_options *asked, label_measure measure)
{
    return asked->properties.is[measure] || asked->measures.is[measure];
}

bool label_tells(const app_run *run, label_measure measure)
{
    const label_options *asked = run->options;
    unsigned needs = label_measure_rows[measure].needs;
    bool wanted = asked->measures.all || measure == LABEL_MEASURE_NUMBER ||
                  (!asked->measures.given && (needs & LABEL_STANDARD) != 0) ||
                  (asked->properties.all && (needs & LABEL_ADDED) != 0);
    return is_named(asked, measure) || (wanted && (needs & conditions_missed(run)) == 0);
}

bool label_may_need_colours(const label_options *asked)
{
    return asked->properties.all || asked->measures.all || is_named(asked, LABEL_MEASURE_CHANNELS);
}

bool label_needs(const app_run *run, unsigned needs)
{
    bool any = false;
    for (label_measure measure = 0; measure < LABEL_MEASURES; measure++) {
        any =
            any || ((label_measure_rows[measure].needs & needs) != 0 && label_tells(run, measure));
    }
    return any;
}

/* The option that names the measure, for messages. */
static const char *option_of(const label_options *asked, label_measure measure)
{
    return asked->properties.is[measure] ? "--properties" : "--measures";
}

/* Refuses a measure that this image does not have. */
static halo_status refuse(const app_run *run, label_measure measure, unsigned missed)
{
    const label_options *asked = run->options;
    const label_pixel pixel = label_pixel_of(run);
    const char *option = option_of(asked, measure), *name = label_measure_rows[measure].name;
    bool given = asked->spacing.count > 0;
    if ((missed & LABEL_ONLY_FLAT) != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "%s is a volume, and %s %s is for images of two axes; of "
                         "volumes ask for axis_major_length and axis_minor_length, or all",
                         run->image->path, option, name);
    }
    if ((missed & LABEL_ONLY_SQUARE) != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "the perimeter is estimated from pixels that are as high as wide, and "
                         "%s says %g and %g; ask for other %s, or all%s",
                         given ? "--spacing" : run->image->path, pixel.size[1], pixel.size[2],
                         option, given ? "" : ", or use --spacing pixels");
    }
    if ((missed & LABEL_ONLY_OPEN) != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "%s %s is for images without periodic axes; ask for other %s, or all",
                         option, name, option);
    }
    if ((missed & LABEL_BY_COLOURS) != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "%s has no colours, and %s %s is for their red, green and "
                         "blue; leave it out, or ask for all",
                         run->image->path, option, name);
    }
    return halo_fail(HALO_ARGUMENT, "%s %s is for regions %s; leave it out, or ask for all", option,
                     name,
                     (missed & LABEL_ONLY_GREYS) != 0   ? "without --values"
                     : (missed & LABEL_ONLY_VALUE) != 0 ? "of --values without --delta"
                                                        : "of --values with --delta");
}

halo_status label_check_measures(const app_run *run)
{
    const label_options *asked = run->options;
    unsigned missed = conditions_missed(run);
    for (label_measure measure = 0; measure < LABEL_MEASURES; measure++) {
        unsigned here = label_measure_rows[measure].needs & missed;
        if (here != 0 && is_named(asked, measure)) {
            return refuse(run, measure, here);
        }
    }
    return HALO_OK;
}
