#include "kernels/filter/connectivity.h"
#include "kernels/filter/filters.h"
#include "kernels/watershed/levels.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Extrema of images: connected pixels of one value, plateaus, whose other neighbours are all lower,
 * or all higher. The dynamics of a maximum M is M minus the lowest sample of the path to a larger
 * one that stays highest; that of the largest is the range of the image (M. Grimaud, A new measure
 * of contrast: the dynamics, 1992). Each filter is an engine of the watershed with keys that
 * increase, or decrease. */

typedef struct {
    double height;
    int connectivity;
    bool borders;
} extrema;

static const halo_option local_rows[] = {
    FILTER_CONNECTIVITY_ROW(extrema, "3"),
    {HALO_OPTION_ROW(extrema, "allow_borders", FLAG, borders), .standard = "true",
     .help = "Plateaus with a pixel on an edge of the image count, too"},
    {0}};

#define HEIGHT_ROW(name, meaning)                                                                  \
    {                                                                                              \
        HALO_OPTION_ROW(extrema, "h", REAL, height), .min = DBL_MIN, .max = DBL_MAX,               \
                                                     .required = "it needs a height: " name ":10", \
                                                     .value = "H", .help = meaning                 \
    }

static const halo_option h_maxima_rows[] = {
    HEIGHT_ROW("h_maxima",
               "Every path from a maximum to a larger one goes down by so much, or more"),
    FILTER_CONNECTIVITY_ROW(extrema, "3"),
    {0}};
static const halo_option h_minima_rows[] = {
    HEIGHT_ROW("h_minima",
               "Every path from a minimum to a smaller one goes up by so much, or more"),
    FILTER_CONNECTIVITY_ROW(extrema, "3"),
    {0}};
static const halo_option extended_maxima_rows[] = {
    HEIGHT_ROW("extended_maxima", "Maxima are cut off by so much, and lower ones disappear"),
    FILTER_CONNECTIVITY_ROW(extrema, "3"),
    {0}};
static const halo_option extended_minima_rows[] = {
    HEIGHT_ROW("extended_minima", "Minima are filled by so much, and lower ones disappear"),
    FILTER_CONNECTIVITY_ROW(extrema, "3"),
    {0}};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Collective. Puts the image. */
static halo_status open(halo_watershed **out, const filter_field_call *call, bool high)
{
    const halo_view *in = halo_field_view(call->in);
    const extrema *e = call->part->step->params;
    const halo_watershed_options options = {
        .type = call->part->in,
        .connectivity = filter_neighbours(e->connectivity, call->domain->axes),
        .instructions = call->instructions};
    HALO_TRY(watershed_levels_create(out, call->world, call->domain, call->strips, &options));
    halo_status status = HALO_OK;
    for (int64_t row = 0; row < halo_view_rows(in) && status == HALO_OK; row++) {
        status = watershed_levels_put_image(*out, row, halo_view_row(in, row), high);
    }
    return halo_agree(call->world, status);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Collective. Bits of what they find. */
typedef halo_status find_extrema(const filter_field_call *call, halo_watershed *w);

static halo_status find_local(const filter_field_call *call, halo_watershed *w)
{
    const extrema *e = call->part->step->params;
    const halo_view *out = halo_field_view(call->out);
    HALO_TRY(watershed_levels_find_minima(w, false, e->borders, call->part->step->axes));
    for (int64_t row = 0; row < halo_view_rows(out); row++) {
        watershed_levels_minima_row(w, row, halo_view_row(out, row));
    }
    return HALO_OK;
}

/* Whole numbers have heights that are whole: the next that is not less, or not more. */
static double whole_height(const filter_field_call *call, bool up)
{
    double height = ((const extrema *)call->part->step->params)->height;
    return halo_sample_types[call->part->in].real ? height : up ? ceil(height) : floor(height);
}

/* Maxima of that dynamics or more are those pixels of the lowered image that its reconstruction
 * leaves as they are. */
static halo_status find_high(const filter_field_call *call, halo_watershed *w)
{
    const halo_view *out = halo_field_view(call->out);
    double height = whole_height(call, true);
    int spread;
    HALO_TRY(watershed_levels_compare_spread(w, height, &spread));
    if (spread < 0) {
        return HALO_OK;
    }
    watershed_levels_raise(w, height);
    HALO_TRY(watershed_levels_settle(w));
    for (int64_t row = 0; row < halo_view_rows(out); row++) {
        watershed_levels_unmoved_row(w, row, height, halo_view_row(out, row));
    }
    return HALO_OK;
}

/* The maxima of the reconstruction: those of a dynamics of more, and what is within the height of
 * them. */
static halo_status find_extended(const filter_field_call *call, halo_watershed *w)
{
    const halo_view *out = halo_field_view(call->out);
    double height = whole_height(call, false);
    int spread;
    HALO_TRY(watershed_levels_compare_spread(w, height, &spread));
    if (spread <= 0) {
        return HALO_OK;
    }
    watershed_levels_raise(w, height);
    HALO_TRY(watershed_levels_settle(w));
    HALO_TRY(watershed_levels_find_minima(w, true, true, call->part->step->axes));
    for (int64_t row = 0; row < halo_view_rows(out); row++) {
        watershed_levels_minima_row(w, row, halo_view_row(out, row));
    }
    return HALO_OK;
}

static halo_status run(const filter_field_call *call, bool high, find_extrema *find)
{
    halo_watershed *w = NULL;
    halo_status status = open(&w, call, high);
    HALO_IF_OK(status, find(call, w));
    halo_watershed_destroy(&w);
    return status;
}

/* ---- the filters ----------------------------------------------------------------------------- */

#define LOCAL_EXAMPLES(name) #name "|" #name ":connectivity=1|" #name ":allow_borders=false"
#define HIGH_EXAMPLES(name)  #name ":20|" #name ":5:connectivity=1|" #name ":2.5"

#define EXTREMA(which, high, find, rows, examples_, authority_, help_)                 \
    static halo_status run_##which(const filter_field_call *call)                      \
    {                                                                                  \
        return run(call, high, find);                                                  \
    }                                                                                  \
    static halo_status resolve_##which(filter_step *step)                              \
    {                                                                                  \
        filter_add_part(step, &(filter_part){.field = run_##which});                   \
        return HALO_OK;                                                                \
    }                                                                                  \
    const halo_filter filter_##which = {.name = #which,                                \
                                        .help = help_,                                 \
                                        .authority = "skimage.morphology." authority_, \
                                        .examples = examples_(which),                  \
                                        .params = rows,                                \
                                        .params_bytes = sizeof(extrema),               \
                                        .takes = FILTER_NUMBERS,                       \
                                        .bits = true,                                  \
                                        .resolve = resolve_##which};
EXTREMA(local_maxima, true, find_local, local_rows, LOCAL_EXAMPLES, "local_maxima",
        "Pixels, and plateaus of equal ones, whose other neighbours are all smaller")
EXTREMA(local_minima, false, find_local, local_rows, LOCAL_EXAMPLES, "local_minima",
        "Pixels, and plateaus of equal ones, whose other neighbours are all larger")
EXTREMA(h_maxima, true, find_high, h_maxima_rows, HIGH_EXAMPLES, "h_maxima",
        "Local maxima from which every path to a larger sample goes down by h or more; and the "
        "largest samples, if the range of the image is h or more")
EXTREMA(h_minima, false, find_high, h_minima_rows, HIGH_EXAMPLES, "h_minima",
        "Local minima from which every path to a smaller sample goes up by h or more; and the "
        "smallest samples, if the range of the image is h or more")
EXTREMA(extended_maxima, true, find_extended, extended_maxima_rows, HIGH_EXAMPLES, "local_maxima",
        "Maxima that rise by more than h, each a region with all that is within h of its top")
EXTREMA(extended_minima, false, find_extended, extended_minima_rows, HIGH_EXAMPLES, "local_minima",
        "Minima that are deeper than h, each a region with all that is within h of its bottom")
