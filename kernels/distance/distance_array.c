#include "kernels/distance/distance_array.h"

#include "base/minmax.h"
#include "kernels/distance/array_rows.h"
#include "kernels/distance/convert.h"
#include "kernels/distance/distance.h"

#include <inttypes.h>

/* Distances on an array in memory. */

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_distance_array_options, option, kind, member)
#define SPACING_ROW(axis)         ARRAY_SPACING_ROW(halo_distance_array_options, axis, "1", "")

static const halo_option option_rows[] = {
    {ROW("squared", FLAG, squared),
     .help = "Squares of distances, which without spacing are whole numbers"},
    {ROW("with-sign", FLAG, with_sign),
     .help = "Background has minus its distance from the foreground, not 0"},
    {ROW("invert", FLAG, invert), .help = "Distances of elements that are 0 from others"},
    {ROW("edge", FLAG, edge),
     .help = "What is beyond the edges of the array is background, as in edt's black_border"},
    SPACING_ROW(0),
    SPACING_ROW(1),
    SPACING_ROW(2),
    {0}};

const halo_option *const halo_distance_array_rows = option_rows;

/* The work of a call, which all its ranks share. Arrays have 2 or 3 axes. */
typedef struct {
    halo_array image, distances, indices[HALO_AXES];
    bool has_distances, has_indices, with_sign;
    int first_index; /* axis of the image that indices[0] is of: 1 if the caller's has one axis */
    int index_count;
    distance_form form;
    halo_distance_options kernel;
    halo_distance_array_report report;
} distance_job;

/* ---- results --------------------------------------------------------------------------------- */

/* The results of a rank. */
typedef struct {
    const distance_job *job;
    distance_form form;
    distance_writer distances, indices[HALO_AXES];
} distance_results;

static halo_status put_distances(distance_results *results, const halo_distance_row *row)
{
    distance_writer *writer = &results->distances;
    const halo_array *array = &writer->array;
    void *out = distance_writer_row(writer, row->row);
    if (results->form.subtract && !writer->in_place) {
        array_get(array, row->row / array->n[1], row->row % array->n[1], 0, row->count, out);
    }
    results->form.streams = writer->streams;
    return distance_convert(row, array->type, &results->form, out);
}

static void put_indices(distance_writer *writer, int64_t row, const int32_t *from, int64_t count)
{
    void *out = distance_writer_row(writer, row);
    switch (writer->array.type) {
#define PUT(code, type, ...)                  \
    case HALO_SAMPLE_##code:                  \
        for (int64_t i = 0; i < count; i++) { \
            ((type *)out)[i] = (type)from[i]; \
        }                                     \
        break;
        HALO_SAMPLE_WHOLE_LIST(PUT)
#undef PUT
    default:
        break;
    }
}

static halo_status take(void *context, const halo_distance_row *row)
{
    distance_results *results = context;
    const distance_job *job = results->job;
    for (int i = 0; i < job->index_count && row->nearest[0] != NULL; i++) {
        put_indices(&results->indices[i], row->row, row->nearest[job->first_index + i], row->count);
    }
    return job->has_distances ? put_distances(results, row) : HALO_OK;
}

static halo_status create_results(distance_results *results)
{
    const distance_job *job = results->job;
    halo_status status = HALO_OK;
    if (job->has_distances) {
        status = distance_writer_create(&results->distances, &job->distances);
    }
    for (int i = 0; i < job->index_count && status == HALO_OK; i++) {
        status = distance_writer_create(&results->indices[i], &job->indices[i]);
    }
    return status;
}

static void finish_results(distance_results *results, bool done)
{
    const distance_job *job = results->job;
    if (done && job->has_distances) {
        distance_writer_flush(&results->distances);
    }
    distance_writer_free(&results->distances);
    for (int i = 0; i < job->index_count; i++) {
        if (done) {
            distance_writer_flush(&results->indices[i]);
        }
        distance_writer_free(&results->indices[i]);
    }
}

/* ---- a rank ---------------------------------------------------------------------------------- */

/* Collective. One transform; `report` may be NULL. */
static halo_status transform(const distance_job *job, halo_world *world, const halo_view *bits,
                             bool behind, halo_distance_report *report)
{
    distance_results results = {.job = job, .form = job->form};
    halo_distance_options options = job->kernel;
    const halo_domain domain = array_domain(&job->image);
    if (behind) {
        options.inverted = !options.inverted;
        options.indices = false;
        results.form.subtract = true;
    }
    halo_status status = halo_agree(world, create_results(&results));
    HALO_IF_OK(status, halo_distance_run(world, &domain, bits, &options, take, &results, report));
    finish_results(&results, status == HALO_OK);
    return status;
}

static halo_status run_rank(halo_world *world, array_call *call, const halo_view *bits,
                            void *context)
{
    distance_job *job = context;
    const double both = .55;
    bool twice = job->with_sign && job->has_distances;
    halo_distance_report report;
    array_call_phase(call, world, twice ? both : 1);
    HALO_TRY(transform(job, world, bits, false, &report));
    if (twice) {
        array_call_phase(call, world, 1);
        HALO_TRY(transform(job, world, bits, true, NULL));
    }
    if (halo_world_rank(world) == 0) {
        job->report = (halo_distance_array_report){
            .foreground = report.foreground, .max = report.max, .infinite = report.infinite};
    }
    return HALO_OK;
}

static halo_status distance_rank(halo_world *world, array_call *call, void *context)
{
    distance_job *job = context;
    job->kernel.instructions = call->instructions;
    return distance_bits_run(world, call, &job->image, run_rank, job);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static const char image_name[] = "the image", distances_name[] = "the array for distances",
                  indices_name[] = "an array for indices";

static halo_status check_distances(const halo_array *image, const halo_array *distances,
                                   const halo_distance_array_options *options, bool spaced)
{
    const distance_result result = {distances_name, "squared distances", options->squared, spaced};
    HALO_TRY(distance_result_check(image, distances, &result));
    halo_sample_type type = distances->type;
    bool real = halo_sample_types[type].real;
    return HALO_REQUIRE(real || !options->with_sign || halo_sample_types[type].key_min < 0,
                        HALO_ARGUMENT,
                        "%s has elements of %s, and must have a sign; take int32, int64 or a float",
                        distances_name, halo_sample_types[type].name);
}

static halo_status check_indices(const halo_array *image, const halo_array *indices)
{
    for (int axis = 0; axis < image->axes; axis++) {
        const halo_array *one = indices + axis;
        HALO_TRY(array_check_out(one, indices_name, 1, HALO_AXES));
        HALO_TRY(array_check_same(image, image_name, one, indices_name));
        bool fits = one->type != HALO_SAMPLE_BIT && !halo_sample_types[one->type].real &&
                    halo_sample_types[one->type].key_min < 0 && one->type != HALO_SAMPLE_U64 &&
                    array_largest(one->type) >= image->n[axis];
        HALO_FAIL_IF(!fits, HALO_ARGUMENT,
                     "%s has elements of %s, and must have int32 or int64, or another type with a "
                     "sign and numbers up to %" PRId64,
                     indices_name, halo_sample_types[one->type].name, image->n[axis]);
    }
    return HALO_OK;
}

/* Whole squares are the same along any order of axes: arrays whose columns are what is contiguous
 * are computed by columns. */
static void turn(distance_job *job, bool spaced)
{
    halo_array *arrays[] = {&job->image, &job->distances};
    bool columns = !array_rows_are_contiguous(&job->image) && array_column_axis(&job->image) == 0 &&
                   job->has_distances && !array_rows_are_contiguous(&job->distances) &&
                   array_column_axis(&job->distances) == 0;
    if (!columns || spaced || job->has_indices) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        halo_array old = *arrays[i];
        for (int axis = 0; axis < old.axes; axis++) {
            arrays[i]->n[axis] = old.n[old.axes - 1 - axis];
            arrays[i]->stride[axis] = old.stride[old.axes - 1 - axis];
        }
    }
}

static void take_arrays(distance_job *job, const halo_array *image, const halo_array *distances,
                        const halo_array *indices)
{
    int axes = (int)halo_max(2, image->axes);
    job->image = array_with_axes(image, axes);
    job->has_distances = distances != NULL;
    job->has_indices = indices != NULL;
    job->first_index = axes - image->axes;
    if (distances != NULL) {
        job->distances = array_with_axes(distances, axes);
    }
    for (int axis = 0; axis < image->axes && indices != NULL; axis++) {
        job->indices[axis] = array_with_axes(&indices[axis], axes);
        job->index_count++;
    }
}

static halo_status measure(halo_context *context, const halo_array *image,
                           const halo_array *distances, const halo_array *indices,
                           const halo_distance_array_options *options, distance_job *job)
{
    const double each = 1.5e-9, of_indices = 6e-9; /* seconds of a core for an element */
    double size[HALO_AXES];
    bool spaced;
    HALO_TRY(array_check(image, image_name, 1, HALO_AXES));
    HALO_TRY(array_take_spacing(options->spacing, image->axes, size, &spaced));
    if (distances != NULL) {
        HALO_TRY(check_distances(image, distances, options, spaced));
    }
    if (indices != NULL) {
        HALO_TRY(check_indices(image, indices));
    }
    take_arrays(job, image, distances, indices);
    job->with_sign = options->with_sign;
    job->form.squared = options->squared;
    job->kernel = (halo_distance_options){.inverted = options->invert, .indices = indices != NULL};
    for (int axis = 0; axis < job->image.axes; axis++) {
        job->kernel.spacing[axis] = spaced ? size[HALO_AXES - job->image.axes + axis] : 0;
        job->kernel.edge[axis] = options->edge && axis >= job->first_index;
    }
    turn(job, spaced);
    double cells = (double)array_cells(&job->image);
    return cells <= 0
               ? HALO_OK
               : array_call_run(context, cells * (indices != NULL || spaced ? of_indices : each),
                                job->image.n[0], distance_rank, job);
}

halo_status halo_distance_array_sized(halo_context *context, const halo_array *image,
                                      const halo_array *distances, const halo_array *indices,
                                      const halo_distance_array_options *given,
                                      halo_distance_array_report *report, size_t given_bytes,
                                      size_t report_bytes)
{
    halo_distance_array_options options;
    distance_job job = {.index_count = 0};
    halo_status status = halo_options_take(&options, sizeof options, given, given_bytes,
                                           "halo_distance_array_options");
    HALO_IF_OK(status, measure(context, image, distances, indices, &options, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
