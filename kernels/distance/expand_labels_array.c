#include "kernels/distance/expand_labels_array.h"

#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/distance/array_rows.h"
#include "kernels/distance/distance.h"

#include <math.h>
#include <string.h>

/* Each element of the background looks up the label of the nearest element that has one. */

#define ROW(option, kind, member) \
    HALO_OPTION_ROW(halo_expand_labels_array_options, option, kind, member)
#define SPACING_ROW(axis) ARRAY_SPACING_ROW(halo_expand_labels_array_options, axis, "1", "")

static const halo_option option_rows[] = {
    {ROW("distance", REAL, distance),
     .help = "Background up to so far from a label gets it, in units of spacing"},
    SPACING_ROW(0),
    SPACING_ROW(1),
    SPACING_ROW(2),
    {0}};

const halo_option *const halo_expand_labels_array_rows = option_rows;

/* The work of a call, which all its ranks share. Arrays have 2 or 3 axes. */
typedef struct {
    halo_array labels, expanded;
    halo_array solid; /* the labels with 3 axes */
    double distance;
    halo_distance_options kernel;
    halo_expand_labels_array_report report;
} expand_job;

/* The rows of a rank. */
typedef struct {
    const expand_job *job;
    distance_writer writer;
    int64_t expanded;
} expand_rows;

static bool is_near(const expand_job *job, const halo_distance_row *row, int64_t i)
{
    double square = row->type == HALO_SAMPLE_F64   ? ((const double *)row->squares)[i]
                    : row->type == HALO_SAMPLE_U64 ? (double)((const uint64_t *)row->squares)[i]
                                                   : ((const uint32_t *)row->squares)[i];
    return row->nearest[0][i] >= 0 &&
           sqrt(square) * (row->unit > 0 ? row->unit : 1) <= job->distance;
}

/* The label of the element next to element `i` of the row, as the array has it. */
static void copy_label(const expand_job *job, const halo_distance_row *row, int64_t i, char *out)
{
    const halo_array *solid = &job->solid;
    int last = job->labels.axes - 1;
    int64_t plane = last > 1 ? row->nearest[0][i] : 0;
    array_get(solid, plane, row->nearest[last - 1][i], row->nearest[last][i], 1, out);
}

static halo_status take(void *context, const halo_distance_row *row)
{
    expand_rows *rows = context;
    const expand_job *job = rows->job;
    size_t size = (size_t)array_element(&job->labels);
    int64_t unit = job->solid.n[1], plane = row->row / unit, y = row->row % unit;
    char *out = distance_writer_row(&rows->writer, row->row);
    int axis = job->labels.axes - 1;
    array_get(&job->solid, plane, y, 0, row->count, out);
    for (int64_t i = 0; i < row->count; i++) {
        bool own = row->nearest[axis][i] == i && row->nearest[axis - 1][i] == y &&
                   (axis < 2 || row->nearest[0][i] == plane);
        if (!own && is_near(job, row, i)) {
            copy_label(job, row, i, out + (size_t)i * size);
            rows->expanded++;
        }
    }
    return HALO_OK;
}

static halo_status run_rank(halo_world *world, array_call *call, const halo_view *bits,
                            void *context)
{
    expand_job *job = context;
    const halo_domain domain = array_domain(&job->labels);
    expand_rows rows = {.job = job};
    HALO_TRY(halo_agree(world, distance_writer_create(&rows.writer, &job->expanded)));
    array_call_phase(call, world, 1);
    halo_status status = halo_distance_run(world, &domain, bits, &job->kernel, take, &rows, NULL);
    if (status == HALO_OK) {
        distance_writer_flush(&rows.writer);
        status = halo_allreduce_sum(world, &rows.expanded, 1);
    }
    distance_writer_free(&rows.writer);
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        job->report.expanded = rows.expanded;
    }
    return status;
}

static halo_status expand_rank(halo_world *world, array_call *call, void *context)
{
    expand_job *job = context;
    job->kernel.instructions = call->instructions;
    return distance_bits_run(world, call, &job->labels, run_rank, job);
}

static halo_status expand(halo_context *context, const halo_array *labels,
                          const halo_array *expanded,
                          const halo_expand_labels_array_options *options, expand_job *job)
{
    static const char name[] = "the array of labels", out[] = "the array for expanded labels";
    const double each = 8e-9; /* seconds of a core for an element */
    double size[HALO_AXES];
    bool spaced;
    HALO_TRY(array_check(labels, name, 1, HALO_AXES));
    HALO_TRY(array_check_out(expanded, out, 1, HALO_AXES));
    HALO_TRY(array_check_same(labels, name, expanded, out));
    HALO_FAIL_IF(labels->type != expanded->type, HALO_ARGUMENT,
                 "%s has elements of %s, and %s has %s; they must have one type", name,
                 halo_sample_types[labels->type].name, out, halo_sample_types[expanded->type].name);
    HALO_FAIL_IF(!(options->distance >= 0), HALO_ARGUMENT,
                 "a distance of %g is not possible; give 0 or more", options->distance);
    HALO_TRY(array_take_spacing(options->spacing, labels->axes, size, &spaced));
    int axes = (int)halo_max(2, labels->axes);
    job->labels = array_with_axes(labels, axes);
    job->expanded = array_with_axes(expanded, axes);
    job->solid = array_with_axes(labels, HALO_AXES);
    job->distance = options->distance;
    job->kernel = (halo_distance_options){.inverted = true, .indices = true};
    for (int axis = 0; axis < axes && spaced; axis++) {
        job->kernel.spacing[axis] = size[HALO_AXES - axes + axis];
    }
    double cells = (double)array_cells(labels);
    return cells <= 0 ? HALO_OK
                      : array_call_run(context, cells * each, job->labels.n[0], expand_rank, job);
}

halo_status halo_expand_labels_array_sized(halo_context *context, const halo_array *labels,
                                           const halo_array *expanded,
                                           const halo_expand_labels_array_options *given,
                                           halo_expand_labels_array_report *report,
                                           size_t given_bytes, size_t report_bytes)
{
    halo_expand_labels_array_options options;
    expand_job job = {.distance = 0};
    halo_status status = halo_options_take(&options, sizeof options, given, given_bytes,
                                           "halo_expand_labels_array_options");
    HALO_IF_OK(status, expand(context, labels, expanded, &options, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
