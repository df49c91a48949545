#include "kernels/label/label_array.h"
#include "kernels/label/array_rows.h"

#include "base/memory.h"
#include "base/memory_pages.h"
#include "base/minmax.h"
#include "base/scan.h"
#include "kernels/label/label_array_internal.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/structure.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Labelling an array in memory. */

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_label_array_options, option, kind, member)

static const halo_option option_rows[] = {
    LABEL_CONNECTIVITY_ROW(halo_label_array_options),
    {ROW("values", FLAG, values),
     .help = "Regions are neighbouring elements of equal value, as in label images and "
             "segmentations; otherwise of elements that are not 0"},
    {ROW("delta", TEXT, delta), .needs = "values", .value = "VALUE",
     .help = "With values: neighbours belong to one region if they differ by at most this"},
    {ROW("background", TEXT, background), .needs = "values", .value = "VALUE|none", .unless = "0",
     .help = "With values: elements of this value belong to no region, nor does NaN"},
    ARRAY_PERIODIC_ROWS(halo_label_array_options),
    LABEL_KEPT_ROWS(halo_label_array_options),
    {ROW("structure", TEXT, structure), .value = "010111010", .unless = "that of connectivity",
     .help = "Which of the elements around an element are its neighbours: a character 0 or 1 for "
             "each one of 3 along each axis, in C's order"},
    {0}};

const halo_option *const halo_label_array_rows = option_rows;

/* ---- painting -------------------------------------------------------------------------------- */

halo_sample_type label_array_numbers(halo_sample_type type, int64_t regions)
{
    static const struct {
        halo_sample_type type, numbers;
    } own[] = {{HALO_SAMPLE_U16, HALO_SAMPLE_U16}, {HALO_SAMPLE_I16, HALO_SAMPLE_U16},
               {HALO_SAMPLE_U32, HALO_SAMPLE_I32}, {HALO_SAMPLE_I32, HALO_SAMPLE_I32},
               {HALO_SAMPLE_U64, HALO_SAMPLE_I64}, {HALO_SAMPLE_I64, HALO_SAMPLE_I64}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (own[i].type == type && !(own[i].numbers == HALO_SAMPLE_I32 && regions > INT32_MAX)) {
            return own[i].numbers;
        }
    }
    return HALO_SAMPLE_I64;
}

typedef struct {
    halo_label *label;
    halo_label_paint as;
    int64_t first; /* row of this rank */
} painting;

static halo_status paint_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const painting *p = context;
    return halo_label_paint_rows(p->label, p->as, first - p->first, rows, out, pitch);
}

halo_status label_array_check_type(const label_array_job *job, halo_sample_type *type)
{
    halo_sample_type of_array = job->out.type;
    bool bits = of_array == HALO_SAMPLE_BIT; /* a byte each, and there is one region at most */
    *type = bits ? HALO_SAMPLE_U8 : of_array;
    return HALO_REQUIRE(job->regions <= array_largest(of_array), HALO_ARGUMENT,
                        "%" PRId64 " regions are more than labels of %s can be; use labels of "
                        "int32 or int64",
                        job->regions, bits ? "bool" : halo_sample_types[of_array].name);
}

/* Local. Paints this rank's part. */
static halo_status paint(array_call *call, const halo_world *world, const label_array_job *job,
                         halo_label *label)
{
    enum { ROWS = 16 }; /* painted at once, where they are copied or converted */
    static const halo_label_paint formats[] = {[HALO_SAMPLE_U16] = HALO_LABEL_U16,
                                               [HALO_SAMPLE_I32] = HALO_LABEL_I32,
                                               [HALO_SAMPLE_I64] = HALO_LABEL_I64};
    halo_array labels = job->out;
    halo_domain domain;
    halo_box own;
    HALO_TRY(label_array_check_type(job, &labels.type));
    halo_label_fields(label, &domain, &own);
    halo_sample_type numbers = label_array_numbers(labels.type, job->regions);
    painting p = {.label = label, .as = formats[numbers]};
    p.first = domain.axes == HALO_AXES ? own.lo[0] * domain.n[1] + own.lo[1] : own.lo[0];
    const array_source source = {numbers, paint_rows, &p, ROWS};
    return array_write_box(call, world, &labels, &own, &source);
}

/* ---- the image ------------------------------------------------------------------------------- */

/* A rank's part of the image: bits of the foreground, and values where they are compared. */
typedef struct {
    halo_field *bits;
    label_array_values values;
} image_part;

static void free_part(image_part *part)
{
    halo_field_destroy(&part->bits);
    label_array_values_free(&part->values);
}

static halo_status take_image(array_call *call, const halo_world *world, const label_array_job *job,
                              const halo_label *label, image_part *part)
{
    halo_domain domain;
    halo_box own;
    halo_label_fields(label, &domain, &own);
    HALO_TRY(halo_field_create(&part->bits, &domain, &own, HALO_BIT, 0));
    return job->label.near.sets_foreground
               ? label_array_values_take(&part->values, world, &job->image, &own)
               : array_nonzero(call, world, &job->image, halo_field_view(part->bits));
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static halo_status label_part(halo_world *world, array_call *call, label_array_job *job,
                              halo_label *label)
{
    const double reading = .25, labelling = .65;
    image_part part = {0};
    array_call_phase(call, world, reading);
    halo_status status = halo_agree(world, take_image(call, world, job, label, &part));
    array_call_phase(call, world, labelling);
    bool compares = job->label.near.sets_foreground;
    HALO_IF_OK(status, label_run(label, halo_field_view(part.bits),
                                 compares ? &part.values.view : NULL, part.values.source));
    if (status == HALO_OK) {
        job->regions = halo_label_total(label);
        array_call_phase(call, world, 1);
        status = label_array_values_status(&part.values);
        /* Other ranks may still read the image. */
        status = job->keeps_image ? halo_agree(world, status) : status;
        if (job->out.data != NULL) { /* a rank without rows may have no array */
            HALO_IF_OK(status, job->write(call, world, job, label));
        }
        status = halo_agree(world, status);
    }
    free_part(&part);
    return status;
}

static halo_status label_rank(halo_world *world, array_call *call, void *context)
{
    label_array_job *all = context, job = *all;
    halo_domain domain = array_domain(&job.image);
    halo_partition strips = {0};
    halo_label *label = NULL;
    int64_t before;
    HALO_TRY(array_world_strips(call->context, world, &domain, &strips, &before));
    halo_status status = HALO_OK;
    /* The caller's arrays are much larger than what a rank takes. */
    bool preferred = halo_memory_prefer_huge(true);
    if (domain.n[0] * domain.n[1] * domain.n[2] > 0) {
        memcpy(domain.periodic, job.periodic, sizeof domain.periodic);
        array_make_whole(&job.image, &domain, before);
        array_make_whole(&job.out, &domain, before);
        status = halo_label_create(&label, world, &domain, &strips, &job.label);
        HALO_IF_OK(status, label_part(world, call, &job, label));
    }
    if (halo_world_rank(world) == 0 || array_world(call->context) != NULL) {
        all->regions = job.regions;
    }
    halo_memory_prefer_huge(preferred);
    halo_label_destroy(&label);
    halo_partition_free(&strips);
    return status;
}

/* ---- options --------------------------------------------------------------------------------- */

static halo_status read_number(const char *text, const char *name, halo_number *out)
{
    const char *at = text;
    return HALO_REQUIRE(halo_scan_exact(&at, -HUGE_VAL, HUGE_VAL, out) && *at == '\0' &&
                            isfinite(out->value),
                        HALO_ARGUMENT, "%s is %s, and must be a number", name, text);
}

static halo_status take_values_options(const halo_label_array_options *options,
                                       halo_sample_type type, halo_label_near *near)
{
    HALO_FAIL_IF(!options->values && (options->delta != NULL || options->background != NULL),
                 HALO_ARGUMENT,
                 "a delta or background needs values, by which regions are told "
                 "apart; without them an element is foreground if it is not 0");
    if (!options->values) {
        return HALO_OK;
    }
    *near = (halo_label_near){.type = type, .sets_foreground = true, .has_background = true};
    if (options->delta != NULL) {
        HALO_TRY(read_number(options->delta, "delta", &near->delta));
    }
    if (options->background != NULL) {
        near->has_background = strcmp(options->background, "none") != 0;
        return near->has_background
                   ? read_number(options->background, "the background", &near->background)
                   : HALO_OK;
    }
    return HALO_OK;
}

/* Neighbours of a connectivity are labelled by runs. */
static halo_status take_structure(label_array_job *job, const halo_context *context, int axes,
                                  const halo_label_array_options *options)
{
    HALO_FAIL_IF(options->connectivity != 0, HALO_ARGUMENT,
                 "structure and connectivity both say which elements are neighbours; give one of "
                 "them");
    HALO_TRY(
        label_structure_read(options->structure, axes, &job->structure, &job->label.connectivity));
    job->structure.given = job->label.connectivity == 0;
    HALO_FAIL_IF(job->structure.given && array_world(context) != NULL, HALO_ARGUMENT,
                 "strips of several processes have the neighbours of a connectivity, and no other "
                 "structure; label the array in one process");
    for (int axis = 0; axis < axes; axis++) {
        job->structure.periodic[HALO_AXES - axes + axis] = options->periodic[axis];
    }
    return HALO_OK;
}

halo_status label_array_take(label_array_job *job, const halo_context *context,
                             const halo_array *image, const halo_label_array_options *options)
{
    int axes = image->axes, order;
    halo_label_options *label = &job->label;
    HALO_FAIL_IF(array_world(context) != NULL && axes == 1, HALO_ARGUMENT,
                 "strips are cut along axis 0, and a row of one axis is not cut; use 2 or 3 axes");
    HALO_TRY(array_check_periodic(image, options->periodic));
    job->image = array_with_axes(image, (int)halo_max(axes, 2));
    HALO_TRY(label_find_order(options->connectivity, axes, &order));
    label->instructions = array_instructions(context);
    label->connectivity = options->connectivity;
    if (options->structure != NULL) {
        HALO_TRY(take_structure(job, context, axes, options));
    }
    label->connectivity = axes == 1 ? 0 : label->connectivity;
    label->filter = (halo_region_filter){.min_area = options->min_area,
                                         .max_area = options->max_area,
                                         .clear_border = options->clear_border,
                                         .largest = options->largest};
    /* One axis is labelled as a row, which has no edges above and below. */
    job->periodic[0] = axes == 1 && options->clear_border;
    for (int axis = 0; axis < axes; axis++) {
        job->periodic[job->image.axes - axes + axis] = options->periodic[axis];
    }
    if (options->values && job->image.type == HALO_SAMPLE_BIT) {
        job->image.type = HALO_SAMPLE_U8; /* values are compared by bytes, of which they have one */
    }
    return take_values_options(options, job->image.type, &label->near);
}

halo_status label_array_run(halo_context *context, label_array_job *job)
{
    if (job->structure.given) {
        return label_structure_run(context, job);
    }
    /* Seconds of a core for an element, at least. */
    const double cost = .3e-9;
    int64_t cells = array_cells(&job->image);
    if (array_world(context) != NULL) {
        return array_call_collect(context, label_rank, job);
    }
    return cells == 0
               ? HALO_OK
               : array_call_run(context, cost * (double)cells, job->image.n[0], label_rank, job);
}

static halo_status check_arrays(const halo_array *image, const halo_array *labels)
{
    HALO_TRY(array_check(image, "the image", 1, HALO_AXES));
    if (labels == NULL) {
        return HALO_OK;
    }
    HALO_TRY(array_check_out(labels, "the array for labels", 1, HALO_AXES));
    return array_check_same(image, "the image", labels, "the array for labels");
}

/* Local. Takes the arguments of a call. */
static halo_status take(const halo_context *context, const halo_array *image,
                        const halo_array *labels, const halo_label_array_options *given,
                        size_t given_bytes, label_array_job *job)
{
    halo_label_array_options options;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes,
                               "halo_label_array_options"));
    HALO_TRY(check_arrays(image, labels));
    HALO_TRY(label_array_take(job, context, image, &options));
    if (labels != NULL) {
        job->out = array_with_axes(labels, job->image.axes);
    }
    return HALO_OK;
}

halo_status halo_label_array_sized(halo_context *context, const halo_array *image,
                                   const halo_array *labels, const halo_label_array_options *given,
                                   int64_t *regions, size_t given_bytes)
{
    label_array_job job = {.write = paint};
    halo_status status =
        array_world_agree(context, take(context, image, labels, given, given_bytes, &job));
    HALO_IF_OK(status, label_array_run(context, &job));
    if (regions != NULL) {
        *regions = job.regions;
    }
    return status;
}
