#include "kernels/split/split_array.h"

#include "base/memory_pages.h"
#include "base/minmax.h"
#include "kernels/array/array_internal.h"

#include <math.h>

/* Objects of an array in memory. */

#define ROW(option, kind, member)  HALO_OPTION_ROW(halo_split_array_options, option, kind, member)
#define BY_ENTRY(code, name, help) "|" #name

static const halo_option option_rows[] = {
    {ROW("by", INDEX, by), .choices = HALO_SPLIT_BY_LIST(BY_ENTRY), .standard = "distance",
     .help = "What objects are split by: the distance from the background, or samples"},
    {ROW("connectivity", INTEGER, connectivity),
     .help = "Neighbours of an element: 2 in one axis; 4, or 8 with those at corners, in two; 6, "
             "18 or 26 in three. 0: all of these"},
    {ROW("dark", FLAG, dark),
     .help = "By intensity: the darkest elements of an object are its peak"},
    {ROW("h", REAL, h), .max = HUGE_VAL, .flags = HALO_OPTION_OPTIONAL,
     .unless = "0.75 by distance, 0 by intensity",
     .help = "How far, and more, a peak is above the pass to a higher one"},
    {0}};

const halo_option *const halo_split_array_rows = option_rows;

/* The work of a call, which all its ranks share. */
typedef struct {
    halo_array image, mask; /* of 3 axes; no data: none */
    halo_array flat, shown; /* the image and the mask with the axes of the domain */
    halo_array labels;      /* of 2 or 3 axes */
    halo_domain domain;
    halo_split_options options;
    halo_split_report report;
} split_job;

/* ---- heights --------------------------------------------------------------------------------- */

/* The foreground: elements of the image or of the mask that are not 0; without a mask all. */
static halo_status take_bits(array_call *call, const halo_world *world, const split_job *job,
                             const halo_view *bits)
{
    enum { WORD = 64 };
    bool by_distance = job->options.by == HALO_SPLIT_DISTANCE;
    if (by_distance || job->mask.data != NULL) {
        return array_nonzero(call, world, by_distance ? &job->flat : &job->shown, bits);
    }
    int64_t width = job->domain.n[job->domain.axes - 1], whole = width / WORD;
    for (int64_t i = 0; i < halo_view_rows(bits); i++) {
        uint64_t *row = halo_view_row(bits, i);
        for (int64_t w = 0; w < whole; w++) {
            row[w] = UINT64_MAX;
        }
        if (width % WORD > 0) {
            row[whole] = (UINT64_C(1) << width % WORD) - 1;
        }
    }
    return HALO_OK;
}

typedef struct {
    halo_split *split;
    const halo_view *bits;
} sampling;

static halo_status take_row(void *context, int64_t row, const void *samples)
{
    const sampling *s = context;
    return halo_split_put_row(s->split, row, samples, halo_view_row(s->bits, row));
}

static halo_status put(halo_split *split, array_call *call, halo_world *world, const split_job *job,
                       const halo_view *bits)
{
    const double read = .1, measured = .3;
    array_call_phase(call, world, read);
    HALO_TRY(halo_agree(world, take_bits(call, world, job, bits)));
    array_call_phase(call, world, measured);
    return job->options.by == HALO_SPLIT_DISTANCE
               ? halo_split_put_distances(split, bits)
               : halo_agree(world,
                            array_read_strip(call, world, &job->image, job->domain.axes,
                                             &bits->owned, take_row, &(sampling){split, bits}));
}

/* ---- results --------------------------------------------------------------------------------- */

static halo_status paint_rows(void *split, int64_t first, int64_t rows, void *out, size_t pitch)
{
    halo_split_rows(split, first, rows, out, pitch);
    return HALO_OK;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static halo_status run_split(halo_split *split, array_call *call, halo_world *world, split_job *job,
                             const halo_view *bits)
{
    const double done = .95;
    HALO_TRY(put(split, call, world, job, bits));
    array_call_phase(call, world, done);
    HALO_TRY(halo_split_run(split));
    array_call_phase(call, world, 1);
    HALO_TRY(halo_agree(world,
                        array_write_labels(call, world, &job->labels, &bits->owned,
                                           halo_split_get_report(split).parts, paint_rows, split)));
    if (halo_world_rank(world) == 0) {
        job->report = halo_split_get_report(split);
    }
    return HALO_OK;
}

static halo_status split_rank(halo_world *world, array_call *call, void *context)
{
    split_job *job = context;
    halo_partition strips;
    halo_split *split = NULL;
    halo_field *bits = NULL;
    halo_split_options options = job->options;
    options.instructions = call->instructions;
    HALO_TRY(halo_partition_strips(&strips, &job->domain, halo_world_ranks(world)));
    halo_box own = halo_partition_box(&strips, halo_world_rank(world));
    bool preferred = halo_memory_prefer_huge(true);
    halo_status status =
        halo_agree(world, halo_field_create(&bits, &job->domain, &own, HALO_BIT, 0));
    HALO_IF_OK(status, halo_split_create(&split, world, &job->domain, &strips, &options));
    HALO_IF_OK(status, run_split(split, call, world, job, halo_field_view(bits)));
    halo_split_destroy(&split);
    halo_field_destroy(&bits);
    halo_memory_prefer_huge(preferred);
    halo_partition_free(&strips);
    return status;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static halo_status check_arrays(const halo_array *image, const halo_array *mask,
                                const halo_array *labels)
{
    static const char out[] = "the array for labels", inside[] = "the mask";
    HALO_TRY(array_check(image, "the image", 1, HALO_AXES));
    if (mask != NULL) {
        HALO_TRY(array_check(mask, inside, 1, HALO_AXES));
        HALO_TRY(array_check_same(image, "the image", mask, inside));
    }
    HALO_TRY(array_check_out(labels, out, 1, HALO_AXES));
    return array_check_same(image, "the image", labels, out);
}

static halo_status take_options(const halo_split_array_options *options, int axes, bool masked,
                                halo_split_options *out)
{
    bool by_distance = options->by == HALO_SPLIT_DISTANCE;
    HALO_FAIL_IF(by_distance && masked, HALO_ARGUMENT,
                 "a mask is for splitting by intensity; by distance, set the elements of the image "
                 "outside of it to 0");
    HALO_FAIL_IF(by_distance && options->dark, HALO_ARGUMENT,
                 "dark is for splitting by intensity; leave it out");
    HALO_FAIL_IF(axes == 1 && options->connectivity != 0 && options->connectivity != 2,
                 HALO_ARGUMENT, "an element has 2 neighbours in one axis, and not %d",
                 options->connectivity);
    out->by = (halo_split_by)options->by;
    out->connectivity = axes == 1 ? 0 : options->connectivity;
    out->dark = options->dark;
    out->height = options->h;
    return HALO_OK;
}

static halo_status run(halo_context *context, const halo_array *image, const halo_array *mask,
                       const halo_array *labels, const halo_split_array_options *options,
                       split_job *job)
{
    /* Seconds of a core for an element, at least. */
    const double cost = 5e-9;
    HALO_TRY(check_arrays(image, mask, labels));
    HALO_TRY(take_options(options, image->axes, mask != NULL, &job->options));
    int axes = (int)halo_max(image->axes, 2);
    job->image = array_with_axes(image, HALO_AXES);
    job->flat = array_with_axes(image, axes);
    job->options.type = image->type;
    if (image->type == HALO_SAMPLE_BIT) { /* a byte each */
        job->options.type = HALO_SAMPLE_U8;
    }
    if (mask != NULL) {
        job->mask = array_with_axes(mask, HALO_AXES);
        job->shown = array_with_axes(mask, axes);
    }
    job->labels = array_with_axes(labels, axes);
    job->domain = array_domain(&job->labels);
    double cells = (double)array_cells(image);
    return cells <= 0 ? array_world_refuse(context)
                      : array_call_run(context, cost * cells, job->domain.n[0], split_rank, job);
}

halo_status halo_split_array_sized(halo_context *context, const halo_array *image,
                                   const halo_array *mask, const halo_array *labels,
                                   const halo_split_array_options *given, halo_split_report *report,
                                   size_t given_bytes, size_t report_bytes)
{
    halo_split_array_options options;
    split_job job = {.report = {.parts = 0}};
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_split_array_options");
    HALO_IF_OK(status, run(context, image, mask, labels, &options, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
