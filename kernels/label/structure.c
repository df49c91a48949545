#include "kernels/label/structure_internal.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/filter.h"

#include <string.h>

/* Regions by a structure: their numbers, those that are kept, and labels. */

/* ---- the structure --------------------------------------------------------------------------- */

enum { SIDE = 3 };

halo_status label_structure_read(const char *text, int axes, label_structure *structure,
                                 int *connectivity)
{
    int elements = axes == 1 ? SIDE : axes == 2 ? SIDE * SIDE : SIDE * SIDE * SIDE;
    int farthest = 0, order; /* numbers of axes on which neighbours differ */
    *structure = (label_structure){.given = true, .axes = axes};
    HALO_FAIL_IF(strlen(text) != (size_t)elements || strspn(text, "01") != (size_t)elements,
                 HALO_ARGUMENT,
                 "structure is \"%s\"; that of %d %s has %d characters 0 or 1, in C's order", text,
                 axes, axes == 1 ? "axis" : "axes", elements);
    for (int i = 0; i < elements / 2; i++) { /* one of two that are opposite to each other */
        HALO_FAIL_IF(
            text[i] != text[elements - 1 - i], HALO_ARGUMENT,
            "structure is \"%s\", which is not symmetric: the opposite of a neighbour must "
            "be one, too",
            text);
        if (text[i] == '1') {
            int8_t *step = structure->step[structure->count++];
            int moves = 0;
            for (int axis = HALO_AXES - 1, rest = i; axis >= HALO_AXES - axes; axis--) {
                step[axis] = (int8_t)(rest % SIDE - 1);
                rest /= SIDE;
                moves += step[axis] != 0;
            }
            farthest = moves > farthest ? moves : farthest;
        }
    }
    /* There are as many neighbours as of a connectivity, and no farther ones: they are those. */
    bool known = structure->count > 0 &&
                 label_find_order(2 * structure->count, axes, &order) == HALO_OK &&
                 farthest <= order;
    *connectivity = known ? 2 * structure->count : 0;
    return HALO_OK;
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Sets the runs of the strip to roots, and returns how many of these lie in it. Other ranks read
 * them meanwhile: what they find is the run's old parent or its root. */
static int64_t find_roots(const structure_strip *s)
{
    structure_run *runs = s->all->runs;
    int64_t roots = 0;
    for (int64_t i = s->all->first_run[s->first]; i < s->all->first_run[s->end]; i++) {
        int64_t root = i, next = __atomic_load_n(&runs[i].parent, __ATOMIC_RELAXED);
        while (next != root) {
            root = next;
            next = __atomic_load_n(&runs[root].parent, __ATOMIC_RELAXED);
        }
        __atomic_store_n(&runs[i].parent, root, __ATOMIC_RELAXED);
        roots += root == i;
    }
    return roots;
}

/* Numbers the roots of the strip from `number` on. */
static void number_roots(const structure_strip *s, int64_t number)
{
    structure_run *runs = s->all->runs;
    for (int64_t i = s->all->first_run[s->first]; i < s->all->first_run[s->end]; i++) {
        if (runs[i].parent == i) {
            runs[i].parent = -1 - number++;
        }
    }
}

/* The number of a run's region, before regions are chosen. */
static int64_t number_of(const structure_image *all, int64_t i)
{
    int64_t parent = all->runs[i].parent;
    return -1 - (parent >= 0 ? all->runs[parent].parent : parent);
}

static void measure_row(const structure_image *all, int64_t row)
{
    int64_t width = all->n[2], z = row / all->n[1], y = row % all->n[1];
    bool edge = (all->edges[0] && (z == 0 || z == all->n[0] - 1)) ||
                (all->edges[1] && (y == 0 || y == all->n[1] - 1));
    for (int64_t i = all->first_run[row]; i < all->first_run[row + 1]; i++) {
        const structure_run *one = &all->runs[i];
        int64_t number = number_of(all, i);
        __atomic_fetch_add(&all->areas[number], one->end - one->begin, __ATOMIC_RELAXED);
        if (edge || (all->edges[2] && (one->begin == 0 || one->end == width))) {
            __atomic_store_n(&all->edged[number], 1, __ATOMIC_RELAXED);
        }
    }
}

/* The number of regions of at least this area. */
static int64_t count_from(const structure_image *all, int64_t area)
{
    int64_t count = 0;
    for (int64_t i = 1; i <= all->total; i++) {
        count += all->areas[i] >= area;
    }
    return count;
}

/* Local. The area of the smallest of the `largest` largest regions, of which there are more. */
static int64_t find_least(const structure_image *all, int64_t largest)
{
    int64_t low = 1, high = all->n[0] * all->n[1] * all->n[2];
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (count_from(all, middle) >= largest) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* On one rank, while the others wait: areas become the new numbers of the regions that are kept. */
static void choose(structure_image *all)
{
    const halo_region_filter *filter = &all->job->label.filter;
    for (int64_t i = 1; i <= all->total; i++) {
        int64_t area = all->areas[i];
        bool kept = area >= filter->min_area &&
                    (filter->max_area == 0 || area <= filter->max_area) &&
                    !(filter->clear_border && all->edged[i] != 0);
        all->areas[i] = kept ? area : 0;
    }
    int64_t least = 1, left = all->total, number = 0;
    if (filter->largest > 0 && count_from(all, 1) > filter->largest) {
        least = find_least(all, filter->largest);
        left = filter->largest - count_from(all, least + 1); /* of the least area, the first */
    }
    for (int64_t i = 1; i <= all->total; i++) {
        bool kept = all->areas[i] > least || (all->areas[i] == least && left-- > 0);
        all->areas[i] = kept ? ++number : 0;
    }
    all->job->regions = number;
}

/* Collective. Chooses regions by their areas, and by whether they touch an edge. */
static halo_status filter_regions(const structure_strip *s)
{
    structure_image *all = s->all;
    halo_status status = HALO_OK;
    if (halo_world_rank(s->world) == 0) {
        status = HALO_ALLOCATE_LARGE(all->areas, all->total + 1, "regions");
        HALO_IF_OK(status, HALO_ALLOCATE_LARGE(all->edged, all->total + 1, "regions"));
    }
    HALO_TRY(halo_agree(s->world, status));
    for (int64_t row = s->first; row < s->end; row++) {
        measure_row(all, row);
    }
    HALO_TRY(halo_agree(s->world, HALO_OK));
    if (halo_world_rank(s->world) == 0) {
        choose(all);
    }
    return halo_agree(s->world, HALO_OK);
}

/* Sets the labels of a row. */
static void get_numbers(const structure_image *all, int64_t row, int64_t *numbers)
{
    memset(numbers, 0, (size_t)all->n[2] * sizeof *numbers);
    for (int64_t i = all->first_run[row]; i < all->first_run[row + 1]; i++) {
        int64_t number = number_of(all, i);
        number = all->areas != NULL ? all->areas[number] : number;
        for (int64_t x = all->runs[i].begin; x < all->runs[i].end; x++) {
            numbers[x] = number;
        }
    }
}

/* Local. */
static halo_status write_labels(const structure_strip *s)
{
    const structure_image *all = s->all;
    halo_array out = array_with_axes(&all->job->out, HALO_AXES);
    int64_t *numbers;
    void *labels = NULL;
    HALO_TRY(label_array_check_type(all->job, &out.type));
    HALO_TRY(HALO_ALLOCATE_LARGE(numbers, all->n[2], "a row of labels"));
    halo_status status =
        halo_memory_create(&labels, (size_t)(all->n[2] * array_element(&out)), "a row of labels");
    for (int64_t row = s->first; status == HALO_OK && row < s->end; row++) {
        get_numbers(all, row, numbers);
        array_convert(HALO_SAMPLE_I64, numbers, all->n[2], out.type, labels);
        array_put(&out, row / all->n[1], row % all->n[1], 0, all->n[2], labels);
        status = array_call_watch(s->call, s->world, row + 1 - s->first, s->end - s->first)
                     ? array_call_stop()
                     : HALO_OK;
    }
    halo_memory_free(labels);
    halo_memory_free(numbers);
    return status;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* Collective. Finds the regions, and gives each root its number. */
static halo_status find_regions(structure_strip *s)
{
    structure_image *all = s->all;
    const double reading = .4, uniting = .7;
    bool is_first = halo_world_rank(s->world) == 0;
    array_call_phase(s->call, s->world, reading);
    HALO_TRY(label_structure_make_runs(s));
    array_call_phase(s->call, s->world, uniting);
    HALO_TRY(label_structure_unite(s));
    array_call_phase(s->call, s->world, 1);
    int64_t roots = find_roots(s), before = roots, total = roots;
    HALO_TRY(halo_exscan(s->world, &before, 1));
    HALO_TRY(halo_allreduce_sum(s->world, &total, 1));
    number_roots(s, before + 1);
    if (is_first) {
        all->total = total;
        all->job->regions = total;
    }
    return halo_agree(s->world, HALO_OK);
}

/* An array_body, whose job is a structure_image. */
static halo_status label_strip_of_rank(halo_world *world, array_call *call, void *context)
{
    structure_image *all = context;
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    int64_t layers = all->domain.n[0], rows = all->n[0] * all->n[1] / layers;
    structure_strip s = {.call = call, .world = world, .all = all};
    memcpy(s.own.n, all->domain.n, sizeof s.own.n);
    s.own.lo[0] = layers * rank / ranks;
    s.own.n[0] = layers * (rank + 1) / ranks - s.own.lo[0];
    s.first = s.own.lo[0] * rows;
    s.end = s.first + s.own.n[0] * rows;
    all->starts[rank] = s.first;
    if (rank == ranks - 1) {
        all->starts[ranks] = s.end;
    }
    halo_status status = find_regions(&s);
    if (label_filter_drops(&all->job->label.filter)) {
        HALO_IF_OK(status, filter_regions(&s));
    }
    if (all->job->out.data != NULL) {
        HALO_IF_OK(status, write_labels(&s));
    }
    return halo_agree(world, status);
}

halo_status label_structure_run(halo_context *context, label_array_job *job)
{
    const double cost = 1e-9; /* seconds of a core for an element, at least */
    const label_structure *structure = &job->structure;
    halo_array image = array_with_axes(&job->image, HALO_AXES);
    structure_image all = {.job = job, .domain = array_domain(&job->image)};
    int64_t cells = array_cells(&image);
    memcpy(all.n, image.n, sizeof all.n);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        all.edges[axis] = axis >= HALO_AXES - structure->axes && !structure->periodic[axis];
    }
    for (int i = 0; i < structure->count; i++) {
        all.in_rows = all.in_rows || (structure->step[i][0] == 0 && structure->step[i][1] == 0);
    }
    HALO_TRY(label_check_options(&job->label, &all.domain));
    if (cells == 0) {
        return HALO_OK;
    }
    halo_status status = HALO_ALLOCATE_LARGE(all.first_run, all.n[0] * all.n[1] + 1, "rows");
    HALO_IF_OK(status, HALO_ALLOCATE_LARGE(all.starts, all.domain.n[0] + 1, "strips"));
    HALO_IF_OK(status, array_call_run(context, cost * (double)cells, all.domain.n[0],
                                      label_strip_of_rank, &all));
    halo_field_destroy(&all.values.copy);
    halo_memory_free(all.edged);
    halo_memory_free(all.areas);
    halo_memory_free(all.starts);
    halo_memory_free(all.first_run);
    halo_memory_free(all.runs);
    return status;
}
