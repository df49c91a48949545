#include "kernels/distance/thickness_array.h"

#include "base/minmax.h"
#include "kernels/distance/array_rows.h"
#include "kernels/distance/convert.h"
#include "kernels/distance/thickness.h"

#include <math.h>

/* Local thickness of an array in memory. */

#define ROW(option, kind, member) \
    HALO_OPTION_ROW(halo_thickness_array_options, option, kind, member)

static const halo_option option_rows[] = {
    {ROW("squared", FLAG, squared),
     .help = "Squares of radii, which without spacing are whole numbers"},
    {ROW("invert", FLAG, invert), .help = "Thickness of elements that are 0"},
    {ROW("edge", FLAG, edge), .help = "What is beyond the edges of the array is background"},
    {ROW("spacing", REAL, spacing), .unless = "1",
     .help = "Distance of elements, the same along all axes"},
    {0}};

const halo_option *const halo_thickness_array_rows = option_rows;

/* The work of a call, which all its ranks share. Arrays have 2 or 3 axes. */
typedef struct {
    halo_array image, thickness;
    bool has_thickness;
    double spacing;
    distance_form form;
    halo_thickness_options kernel;
    halo_thickness_array_report report;
} thickness_job;

/* The rows of a rank. */
typedef struct {
    const thickness_job *job;
    distance_writer writer;
} thickness_rows;

/* Twice the roots in units of length, or squares in them. */
static void scale(const thickness_job *job, const halo_array *array, int64_t count, void *out)
{
    bool squared = job->form.squared;
    double factor = squared ? job->spacing * job->spacing : 2 * job->spacing;
    for (int64_t i = 0; i < count && array->type == HALO_SAMPLE_F32; i++) {
        ((float *)out)[i] = (float)(factor * ((float *)out)[i]);
    }
    for (int64_t i = 0; i < count && array->type == HALO_SAMPLE_F64; i++) {
        ((double *)out)[i] *= factor;
    }
}

static halo_status take(void *context, const halo_distance_row *row)
{
    thickness_rows *rows = context;
    const halo_array *array = &rows->writer.array;
    if (!rows->job->has_thickness) {
        return HALO_OK;
    }
    void *out = distance_writer_row(&rows->writer, row->row);
    HALO_TRY(distance_convert(row, array->type, &rows->job->form, out));
    scale(rows->job, array, row->count, out);
    return HALO_OK;
}

static halo_status run_rank(halo_world *world, array_call *call, const halo_view *bits,
                            void *context)
{
    thickness_job *job = context;
    const halo_domain domain = array_domain(&job->image);
    thickness_rows rows = {.job = job};
    halo_thickness_report report;
    halo_status status =
        job->has_thickness ? distance_writer_create(&rows.writer, &job->thickness) : HALO_OK;
    HALO_TRY(halo_agree(world, status));
    array_call_phase(call, world, 1);
    status = halo_thickness_run(world, &domain, bits, &job->kernel, take, &rows, &report);
    if (status == HALO_OK && job->has_thickness) {
        distance_writer_flush(&rows.writer);
    }
    distance_writer_free(&rows.writer);
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        job->report = (halo_thickness_array_report){.foreground = report.foreground,
                                                    .max = report.max * job->spacing,
                                                    .mean = report.mean * job->spacing,
                                                    .infinite = report.infinite};
    }
    return status;
}

static halo_status thickness_rank(halo_world *world, array_call *call, void *context)
{
    thickness_job *job = context;
    job->kernel.instructions = call->instructions;
    return distance_bits_run(world, call, &job->image, run_rank, job);
}

static halo_status check_thickness(const halo_array *image, const halo_array *thickness,
                                   const thickness_job *job)
{
    const distance_result result = {.name = "the array for thickness",
                                    .squares = "squared radii",
                                    .squared = job->form.squared,
                                    .spaced = job->spacing < 1 || job->spacing > 1};
    return distance_result_check(image, thickness, &result);
}

static halo_status measure(halo_context *context, const halo_array *image,
                           const halo_array *thickness, const halo_thickness_array_options *options,
                           thickness_job *job)
{
    const double each = 3e-8; /* seconds of a core for an element */
    int axes = (int)halo_max(2, image->axes);
    HALO_TRY(array_check(image, "the image", 1, HALO_AXES));
    HALO_FAIL_IF(!(options->spacing >= 0) || isinf(options->spacing), HALO_ARGUMENT,
                 "the spacing is %g; use a number above 0", options->spacing);
    job->form.squared = options->squared;
    job->spacing = options->spacing > 0 ? options->spacing : 1;
    if (thickness != NULL) {
        HALO_TRY(check_thickness(image, thickness, job));
        job->thickness = array_with_axes(thickness, axes);
        job->has_thickness = true;
    }
    job->image = array_with_axes(image, axes);
    job->kernel.inverted = options->invert;
    for (int axis = axes - image->axes; axis < axes; axis++) {
        job->kernel.edge[axis] = options->edge;
    }
    double cells = (double)array_cells(image);
    return cells <= 0 ? HALO_OK
                      : array_call_run(context, cells * each, job->image.n[0], thickness_rank, job);
}

halo_status halo_thickness_array_sized(halo_context *context, const halo_array *image,
                                       const halo_array *thickness,
                                       const halo_thickness_array_options *given,
                                       halo_thickness_array_report *report, size_t given_bytes,
                                       size_t report_bytes)
{
    halo_thickness_array_options options;
    thickness_job job = {.has_thickness = false};
    halo_status status = halo_options_take(&options, sizeof options, given, given_bytes,
                                           "halo_thickness_array_options");
    HALO_IF_OK(status, measure(context, image, thickness, &options, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
