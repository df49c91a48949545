#include "kernels/watershed/watershed_array.h"

#include "base/memory_pages.h"
#include "base/minmax.h"
#include "kernels/array/array_internal.h"

#include <math.h>

/* Watershed of an array in memory. */

#define ROW(option, kind, member) \
    HALO_OPTION_ROW(halo_watershed_array_options, option, kind, member)

static const halo_option option_rows[] = {
    {ROW("connectivity", INTEGER, connectivity),
     .help = "Neighbours of an element: 2 in one axis; 4, or 8 with those at corners, in two; 6, "
             "18 or 26 in three. 0: those at faces"},
    {ROW("line", FLAG, line),
     .help = "Elements that have a neighbour of a smaller label become 0, so that lines part the "
             "basins"},
    {ROW("minima", REAL, minima), .max = HUGE_VAL, .flags = HALO_OPTION_OPTIONAL, .unless = "0",
     .help = "Without markers: the depth above which minima of the image are markers"},
    {0}};

const halo_option *const halo_watershed_array_rows = option_rows;

/* The work of a call, which all its ranks share. */
typedef struct {
    halo_array image, markers, mask; /* of 3 axes; no data: none */
    halo_array labels;               /* of 2 or 3 axes */
    halo_domain domain;
    halo_watershed_options options;
    halo_watershed_report report;
} watershed_job;

/* ---- rows ------------------------------------------------------------------------------------ */

/* An array whose rows are taken. */
typedef struct {
    halo_watershed *watershed;
    halo_sample_type type;
} taking;

static halo_status take_image(void *context, int64_t row, const void *samples)
{
    return halo_watershed_put_image(((const taking *)context)->watershed, row, samples);
}

static halo_status take_markers(void *context, int64_t row, const void *samples)
{
    const taking *t = context;
    return halo_watershed_put_markers(t->watershed, row, t->type, samples);
}

static halo_status take_mask(void *context, int64_t row, const void *samples)
{
    const taking *t = context;
    halo_watershed_put_mask(t->watershed, row, t->type, samples);
    return HALO_OK;
}

static halo_status take_arrays(halo_watershed *watershed, array_call *call, const halo_world *world,
                               const watershed_job *job, const halo_box *own)
{
    const struct {
        const halo_array *array;
        array_take_line *take;
        double until;
    } all[] = {{&job->image, take_image, .05},
               {&job->markers, take_markers, .08},
               {&job->mask, take_mask, .1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        taking t = {watershed, all[i].array->type};
        array_call_phase(call, world, all[i].until);
        if (all[i].array->data != NULL) {
            HALO_TRY(array_read_strip(call, world, all[i].array, job->domain.axes, own, all[i].take,
                                      &t));
        }
    }
    return HALO_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

static halo_status paint_rows(void *watershed, int64_t first, int64_t rows, void *out, size_t pitch)
{
    halo_watershed_rows(watershed, first, rows, out, pitch);
    return HALO_OK;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static halo_status flood(halo_watershed *watershed, array_call *call, halo_world *world,
                         watershed_job *job, const halo_box *own)
{
    const double flooded = .95;
    HALO_TRY(halo_agree(world, take_arrays(watershed, call, world, job, own)));
    array_call_phase(call, world, flooded);
    HALO_TRY(halo_watershed_run(watershed));
    array_call_phase(call, world, 1);
    const int64_t largest = halo_watershed_get_report(watershed).largest;
    HALO_TRY(halo_agree(
        world, array_write_labels(call, world, &job->labels, own, largest, paint_rows, watershed)));
    if (halo_world_rank(world) == 0) {
        job->report = halo_watershed_get_report(watershed);
    }
    return HALO_OK;
}

static halo_status watershed_rank(halo_world *world, array_call *call, void *context)
{
    watershed_job *job = context;
    halo_partition strips;
    halo_watershed *watershed = NULL;
    halo_watershed_options options = job->options;
    options.instructions = call->instructions;
    HALO_TRY(halo_partition_strips(&strips, &job->domain, halo_world_ranks(world)));
    halo_box own = halo_partition_box(&strips, halo_world_rank(world));
    bool preferred = halo_memory_prefer_huge(true);
    halo_status status = halo_watershed_create(&watershed, world, &job->domain, &strips, &options);
    HALO_IF_OK(status, flood(watershed, call, world, job, &own));
    halo_watershed_destroy(&watershed);
    halo_memory_prefer_huge(preferred);
    halo_partition_free(&strips);
    return status;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static halo_status check_second(const halo_array *image, const halo_array *other, const char *name)
{
    if (other == NULL) {
        return HALO_OK;
    }
    HALO_TRY(array_check(other, name, 1, HALO_AXES));
    return array_check_same(image, "the image", other, name);
}

static halo_status check_arrays(const halo_array *image, const halo_array *markers,
                                const halo_array *mask, const halo_array *labels)
{
    static const char out[] = "the array for labels";
    HALO_TRY(array_check(image, "the image", 1, HALO_AXES));
    HALO_TRY(check_second(image, markers, "the array of markers"));
    HALO_TRY(check_second(image, mask, "the mask"));
    HALO_TRY(array_check_out(labels, out, 1, HALO_AXES));
    return array_check_same(image, "the image", labels, out);
}

static halo_status take_options(const halo_watershed_array_options *options, int axes,
                                bool has_markers, halo_watershed_options *out)
{
    HALO_FAIL_IF(options->minima.given && has_markers, HALO_ARGUMENT,
                 "markers are given, and minima are to be markers; give one of them");
    HALO_FAIL_IF(axes == 1 && options->connectivity != 0 && options->connectivity != 2,
                 HALO_ARGUMENT, "an element has 2 neighbours in one axis, and not %d",
                 options->connectivity);
    out->connectivity = axes == 1 ? 0 : options->connectivity;
    out->line = options->line;
    out->minima.given = !has_markers;
    out->minima.value = options->minima.given ? options->minima.value : 0;
    return HALO_OK;
}

static halo_status run(halo_context *context, const halo_array *image, const halo_array *markers,
                       const halo_array *mask, const halo_array *labels,
                       const halo_watershed_array_options *options, watershed_job *job)
{
    /* Seconds of a core for an element, at least. */
    const double cost = 15e-9;
    HALO_TRY(check_arrays(image, markers, mask, labels));
    HALO_TRY(take_options(options, image->axes, markers != NULL, &job->options));
    int64_t cells = array_cells(image);
    job->image = array_with_axes(image, HALO_AXES);
    job->options.type = image->type;
    if (markers != NULL) {
        job->markers = array_with_axes(markers, HALO_AXES);
    }
    if (mask != NULL) {
        job->mask = array_with_axes(mask, HALO_AXES);
    }
    job->labels = array_with_axes(labels, (int)halo_max(image->axes, 2));
    job->domain = array_domain(&job->labels);
    return cells == 0 ? array_world_refuse(context)
                      : array_call_run(context, cost * (double)cells, job->domain.n[0],
                                       watershed_rank, job);
}

halo_status halo_watershed_array_sized(halo_context *context, const halo_array *image,
                                       const halo_array *markers, const halo_array *mask,
                                       const halo_array *labels,
                                       const halo_watershed_array_options *given,
                                       halo_watershed_report *report, size_t given_bytes,
                                       size_t report_bytes)
{
    halo_watershed_array_options options;
    watershed_job job = {.report = {.markers = 0}};
    halo_status status = halo_options_take(&options, sizeof options, given, given_bytes,
                                           "halo_watershed_array_options");
    HALO_IF_OK(status, run(context, image, markers, mask, labels, &options, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
