#include "kernels/label/keep_array.h"
#include "kernels/label/array_rows.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/label/label_array_internal.h"
#include "kernels/label/measure/array_labels.h"
#include "kernels/label/measure/filter.h"

#include <inttypes.h>
#include <math.h>

/* Images without the regions that were not chosen: rows of numbers of regions tell which elements
 * stay. */

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_keep_array_options, option, kind, member)

static const halo_option option_rows[] = {
    LABEL_CONNECTIVITY_ROW(halo_keep_array_options),
    {ROW("values", FLAG, values), .excludes = "labels",
     .help = "Regions are neighbouring elements of equal value; otherwise of elements that are "
             "not 0"},
    {ROW("labels", FLAG, labels), .excludes = "values",
     .help = "Regions are all elements of one value above 0, connected or not, as in label images"},
    ARRAY_PERIODIC_ROWS(halo_keep_array_options),
    LABEL_KEPT_ROWS(halo_keep_array_options),
    {ROW("invert", FLAG, invert),
     .help = "Remove the regions that would be kept, and keep those that would be removed"},
    {0}};

const halo_option *const halo_keep_array_rows = option_rows;

/* ---- elements -------------------------------------------------------------------------------- */

/* Sets numbers[x] to the number of the region of element x in row `y` of layer `z`; 0: it is
 * removed. */
typedef halo_status find_numbers(void *context, int64_t z, int64_t y, int64_t *numbers);

typedef struct {
    const halo_array *image; /* of 3 axes, and so is */
    const halo_array *out;
    bool invert, skips_nan; /* NaN is in no region */
    find_numbers *find;
    void *context;
    int64_t *numbers; /* of a row */
} masking;

#define DEFINE_MASK(name, type)                                                                \
    static void name(const int64_t *numbers, bool invert, int64_t count, const void *from_row, \
                     void *to_row)                                                             \
    {                                                                                          \
        const type *from = from_row;                                                           \
        type *to = to_row;                                                                     \
        for (int64_t x = 0; x < count; x++) {                                                  \
            to[x] = (numbers[x] != 0) != invert ? from[x] : 0;                                 \
        }                                                                                      \
    }
DEFINE_MASK(mask_1, uint8_t)
DEFINE_MASK(mask_2, uint16_t)
DEFINE_MASK(mask_4, uint32_t)
DEFINE_MASK(mask_8, uint64_t)
#undef DEFINE_MASK

static void remove_nan(halo_sample_type type, int64_t count, void *row)
{
    float *singles = row;
    double *doubles = row;
    for (int64_t x = 0; type == HALO_SAMPLE_F32 && x < count; x++) {
        singles[x] = isnan(singles[x]) ? 0 : singles[x];
    }
    for (int64_t x = 0; type == HALO_SAMPLE_F64 && x < count; x++) {
        doubles[x] = isnan(doubles[x]) ? 0 : doubles[x];
    }
}

/* An array_map_row. */
static halo_status mask_row(void *context, int64_t z, int64_t y, const void *from, void *to)
{
    typedef void mask_elements(const int64_t *numbers, bool invert, int64_t count, const void *from,
                               void *to);
    static mask_elements *const masks[] = {mask_1, mask_2, mask_4, mask_8};
    const masking *m = context;
    int64_t width = m->image->n[2];
    HALO_TRY(m->find(m->context, z, y, m->numbers));
    masks[__builtin_ctzll((unsigned long long)array_element(m->image))](m->numbers, m->invert,
                                                                        width, from, to);
    if (m->skips_nan) {
        remove_nan(m->image->type, width, to);
    }
    return HALO_OK;
}

/* Local. Rows of layers `first` to `end - 1`, or if there is one layer of the rows with these
 * numbers. */
static halo_status mask_rows(array_call *call, const halo_world *world, masking *m, int64_t first,
                             int64_t end)
{
    HALO_TRY(HALO_ALLOCATE_LARGE(m->numbers, m->image->n[2] + 1, "a row of labels"));
    halo_status status =
        array_map_rows(call, world, m->image, m->out, first, end - first, mask_row, m);
    halo_memory_free(m->numbers);
    return status;
}

/* ---- regions that are connected -------------------------------------------------------------- */

typedef struct {
    halo_label *label;
    int64_t lines; /* rows of a layer */
    int64_t first; /* layer or row of this rank */
    bool deep;
} painted_rows;

static halo_status paint_numbers(void *context, int64_t z, int64_t y, int64_t *numbers)
{
    const painted_rows *rows = context;
    int64_t row = rows->deep ? (z - rows->first) * rows->lines + y : y - rows->first;
    return halo_label_paint_rows(rows->label, HALO_LABEL_I64, row, 1, numbers, 0);
}

/* A label_array_write, whose context is halo_keep_array_options. */
static halo_status write_pieces(array_call *call, const halo_world *world,
                                const label_array_job *job, halo_label *label)
{
    const halo_keep_array_options *options = job->context;
    const halo_array image = array_with_axes(&job->image, HALO_AXES);
    const halo_array out = array_with_axes(&job->out, HALO_AXES);
    bool deep = image.n[0] > 1;
    halo_domain domain;
    halo_box own;
    halo_label_fields(label, &domain, &own);
    int axis = domain.axes == HALO_AXES && !deep ? 1 : 0; /* a volume of one plane is not cut */
    painted_rows rows = {.label = label, .lines = image.n[1], .deep = deep, .first = own.lo[axis]};
    masking m = {.image = &image,
                 .out = &out,
                 .invert = options->invert,
                 .skips_nan = options->invert && job->label.near.sets_foreground,
                 .find = paint_numbers,
                 .context = &rows};
    return halo_box_cells(&own) == 0
               ? HALO_OK
               : mask_rows(call, world, &m, own.lo[axis], own.lo[axis] + own.n[axis]);
}

static halo_status keep_pieces(halo_context *context, const halo_array *image,
                               const halo_array *out, const halo_keep_array_options *options,
                               int64_t *regions)
{
    halo_label_array_options of_label = {.connectivity = options->connectivity,
                                         .values = options->values,
                                         .min_area = options->min_area,
                                         .max_area = options->max_area,
                                         .clear_border = options->clear_border,
                                         .largest = options->largest};
    label_array_job job = {.write = write_pieces, .context = options, .keeps_image = true};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        of_label.periodic[axis] = options->periodic[axis];
    }
    HALO_TRY(label_array_take(&job, context, image, &of_label));
    job.out = array_with_axes(out, job.image.axes);
    halo_status status = label_array_run(context, &job);
    *regions = job.regions;
    return status;
}

/* ---- regions of a label ---------------------------------------------------------------------- */

typedef struct {
    array_labels labels;
    halo_array out; /* of 3 axes */
    halo_region_filter filter;
    bool periodic[HALO_AXES]; /* planes, rows, columns */
    bool invert;
    int64_t *kept; /* [total] by number - 1: not 0 if the region is chosen */
    int64_t regions;
} labels_job;

static bool touches_edge(const labels_job *job, const halo_region *region)
{
    const int64_t *n = job->labels.array.n;
    const int64_t begin[HALO_AXES] = {region->front, region->top, region->left};
    const int64_t end[HALO_AXES] = {region->back, region->bottom, region->right};
    for (int axis = HALO_AXES - job->labels.used; axis < HALO_AXES; axis++) {
        if (!job->periodic[axis] && (begin[axis] == 0 || end[axis] == n[axis])) {
            return true;
        }
    }
    return false;
}

/* Collective. Leaves marks only at the largest of the regions that are marked. */
static halo_status mark_largest(halo_world *world, const labels_job *job,
                                const halo_region *regions, int64_t count, int64_t *marks)
{
    int64_t smallest, larger, before = 0, seen = 0;
    HALO_TRY(label_filter_rank(world, &job->filter, regions, count, marks, &smallest, &larger));
    for (int64_t i = 0; i < count; i++) {
        before += marks[i] != 0 && regions[i].area == smallest;
    }
    HALO_TRY(halo_exscan(world, &before, 1));
    for (int64_t i = 0; i < count; i++) {
        bool as_small = regions[i].area == smallest;
        seen += marks[i] != 0 && as_small;
        marks[i] = marks[i] != 0 && (regions[i].area > smallest ||
                                     (as_small && before + seen <= job->filter.largest - larger));
    }
    return HALO_OK;
}

/* Collective. Marks the regions of this rank that are chosen. */
static halo_status choose(halo_world *world, labels_job *job, const label_by_number *sums)
{
    const halo_region_filter *filter = &job->filter;
    const halo_region *regions = (const halo_region *)(const void *)sums->own;
    int64_t *marks = job->kept + sums->first - 1, found = 0;
    for (int64_t i = 0; i < sums->count; i++) {
        int64_t area = regions[i].area;
        marks[i] = area >= filter->min_area &&
                   (filter->max_area == 0 || area <= filter->max_area) &&
                   !(filter->clear_border && touches_edge(job, &regions[i]));
    }
    if (filter->largest > 0) {
        HALO_TRY(mark_largest(world, job, regions, sums->count, marks));
    }
    for (int64_t i = 0; i < sums->count; i++) {
        found += marks[i];
    }
    HALO_TRY(halo_allreduce_sum(world, &found, 1));
    if (halo_world_rank(world) == 0) {
        job->regions = found;
    }
    return HALO_OK;
}

typedef struct {
    const label_numbered *image;
    const int64_t *kept;
} kept_rows;

static halo_status choose_numbers(void *context, int64_t z, int64_t y, int64_t *numbers)
{
    const kept_rows *rows = context;
    const int64_t *n = rows->image->n;
    HALO_TRY(label_numbered_row(rows->image, z * n[1] + y, numbers));
    for (int64_t x = 0; x < n[2]; x++) {
        numbers[x] = numbers[x] != 0 ? rows->kept[numbers[x] - 1] : 0;
    }
    return HALO_OK;
}

/* Collective. */
static halo_status keep_part(halo_world *world, array_call *call, labels_job *job,
                             array_label_part *part)
{
    const double finding = .5;
    array_call_phase(call, world, finding);
    HALO_TRY(array_labels_find(part, &job->labels, call, world));
    array_call_phase(call, world, 1);
    bool first = halo_world_rank(world) == 0;
    HALO_TRY(halo_agree(
        world, first ? HALO_ALLOCATE_LARGE(job->kept, job->labels.total + 1, "regions") : HALO_OK));
    halo_status status = halo_agree(world, choose(world, job, &part->sums));
    kept_rows rows = {&part->image, job->kept};
    masking m = {.image = &job->labels.array,
                 .out = &job->out,
                 .invert = job->invert,
                 .find = choose_numbers,
                 .context = &rows};
    const int64_t *layers = array_labels_layers(part);
    HALO_IF_OK(status, mask_rows(call, world, &m, layers[0], layers[1]));
    return halo_agree(world, status);
}

static halo_status keep_rank(halo_world *world, array_call *call, void *context)
{
    array_label_part part = {.all = NULL};
    halo_status status = keep_part(world, call, context, &part);
    array_label_part_free(&part);
    return status;
}

static halo_status keep_labels(halo_context *context, const halo_array *image,
                               const halo_array *out, const halo_keep_array_options *options,
                               int64_t *regions)
{
    const double cost = 2e-9; /* seconds of a core for an element, at least */
    int axes = image->axes;
    labels_job job = {.out = array_with_axes(out, HALO_AXES), .invert = options->invert};
    HALO_TRY(array_labels_check(image));
    HALO_TRY(array_check_periodic(image, options->periodic));
    array_labels_take(&job.labels, image);
    job.filter = (halo_region_filter){.min_area = options->min_area,
                                      .max_area = options->max_area,
                                      .clear_border = options->clear_border,
                                      .largest = options->largest};
    HALO_TRY(label_filter_check(&job.filter));
    for (int axis = 0; axis < axes; axis++) {
        job.periodic[HALO_AXES - axes + axis] = options->periodic[axis];
    }
    int64_t cells = array_cells(image);
    halo_status status =
        cells == 0 ? HALO_OK
                   : array_call_run(context, cost * (double)cells,
                                    job.labels.array.n[job.labels.axes == HALO_AXES ? 0 : 1],
                                    keep_rank, &job);
    array_labels_free(&job.labels);
    halo_memory_free(job.kept);
    *regions = job.regions;
    return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

static halo_status check_arrays(const halo_array *image, const halo_array *out)
{
    HALO_TRY(array_check(image, "the image", 1, HALO_AXES));
    HALO_TRY(array_check_out(out, "the output", 1, HALO_AXES));
    HALO_TRY(array_check_same(image, "the image", out, "the output"));
    return HALO_REQUIRE(image->type == out->type, HALO_ARGUMENT,
                        "the image is of %s, and the output of %s; make an output of %s",
                        halo_sample_types[image->type].name, halo_sample_types[out->type].name,
                        halo_sample_types[image->type].name);
}

halo_status halo_keep_array_sized(halo_context *context, const halo_array *image,
                                  const halo_array *out, const halo_keep_array_options *given,
                                  int64_t *regions, size_t given_bytes)
{
    halo_keep_array_options options;
    int64_t found = 0;
    HALO_TRY(
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_keep_array_options"));
    HALO_TRY(array_world_refuse(context));
    HALO_TRY(check_arrays(image, out));
    HALO_FAIL_IF(options.values && options.labels, HALO_ARGUMENT,
                 "regions are of neighbours of equal value (values), or of all elements of one "
                 "value (labels); choose one of them");
    halo_status status = options.labels ? keep_labels(context, image, out, &options, &found)
                                        : keep_pieces(context, image, out, &options, &found);
    if (regions != NULL) {
        *regions = found;
    }
    return status;
}
