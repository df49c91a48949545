#include "kernels/label/structure_internal.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
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

/* Sets the runs of the strip to roots, and *roots to how many of these lie in it. Other ranks read
 * them meanwhile: what they find is the run's old parent or its root. */
static halo_status find_roots(const structure_strip *s, int64_t *roots)
{
    structure_run *runs = s->all->runs;
    *roots = 0;
    for (int64_t i = s->all->first_run[s->first]; i < s->all->first_run[s->end]; i++) {
        HALO_TRY(halo_watch_entry(s->world, i));
        int64_t root = i, next = __atomic_load_n(&runs[i].parent, __ATOMIC_RELAXED);
        while (next != root) {
            root = next;
            next = __atomic_load_n(&runs[root].parent, __ATOMIC_RELAXED);
        }
        __atomic_store_n(&runs[i].parent, root, __ATOMIC_RELAXED);
        *roots += root == i;
    }
    return HALO_OK;
}

/* Numbers the roots of the strip from `number` on. */
static halo_status number_roots(const structure_strip *s, int64_t number)
{
    structure_run *runs = s->all->runs;
    for (int64_t i = s->all->first_run[s->first]; i < s->all->first_run[s->end]; i++) {
        HALO_TRY(halo_watch_entry(s->world, i));
        if (runs[i].parent == i) {
            runs[i].parent = -1 - number++;
        }
    }
    return HALO_OK;
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

static halo_status measure_rows(const structure_strip *s)
{
    int64_t since = 0;
    for (int64_t row = s->first; row < s->end; row++) {
        measure_row(s->all, row);
        HALO_TRY(halo_watch_piece(s->world, &since, s->all->n[2]));
    }
    return HALO_OK;
}

/* Sets *count to the number of regions of at least this area. */
static halo_status count_from(const halo_world *world, const structure_image *all, int64_t area,
                              int64_t *count)
{
    *count = 0;
    for (int64_t i = 1; i <= all->total; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        *count += all->areas[i] >= area;
    }
    return HALO_OK;
}

/* Local. Sets *least to the area of the smallest of the `largest` largest regions, and *left to how
 * many of that area are among them, the first ones; *least 1 and all, if there are no more. */
static halo_status find_least(const halo_world *world, const structure_image *all, int64_t largest,
                              int64_t *least, int64_t *left)
{
    int64_t low = 1, high = all->n[0] * all->n[1] * all->n[2], count;
    *least = 1;
    *left = all->total;
    HALO_TRY(count_from(world, all, 1, &count));
    if (count <= largest) {
        return HALO_OK;
    }
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        HALO_TRY(count_from(world, all, middle, &count));
        if (count >= largest) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    HALO_TRY(count_from(world, all, low + 1, &count));
    *least = low;
    *left = largest - count;
    return HALO_OK;
}

/* On one rank, while the others wait: areas become the new numbers of the regions that are kept. */
static halo_status choose(const halo_world *world, structure_image *all)
{
    const halo_region_filter *filter = &all->job->label.filter;
    for (int64_t i = 1; i <= all->total; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        int64_t area = all->areas[i];
        bool kept = area >= filter->min_area &&
                    (filter->max_area == 0 || area <= filter->max_area) &&
                    !(filter->clear_border && all->edged[i] != 0);
        all->areas[i] = kept ? area : 0;
    }
    int64_t least = 1, left = all->total, number = 0;
    if (filter->largest > 0) {
        HALO_TRY(find_least(world, all, filter->largest, &least, &left));
    }
    for (int64_t i = 1; i <= all->total; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        bool kept = all->areas[i] > least || (all->areas[i] == least && left-- > 0);
        all->areas[i] = kept ? ++number : 0;
    }
    all->job->regions = number;
    return HALO_OK;
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
    HALO_TRY(halo_agree(s->world, measure_rows(s)));
    return halo_agree(s->world, halo_world_rank(s->world) == 0 ? choose(s->world, all) : HALO_OK);
}

typedef struct {
    const structure_strip *strip;
    halo_sample_type type; /* of rows of numbers */
} structure_painting;

#define DEFINE_PAINT(name, c_type)                                                           \
    static halo_status name(const structure_strip *s, int64_t row, void *out)                \
    {                                                                                        \
        const structure_image *all = s->all;                                                 \
        const structure_run *runs = all->runs;                                               \
        c_type *to = out;                                                                    \
        memset(to, 0, (size_t)all->n[2] * sizeof *to);                                       \
        for (int64_t i = all->first_run[row], end = all->first_run[row + 1]; i < end; i++) { \
            int64_t number = number_of(all, i);                                              \
            const c_type label = (c_type)(all->areas != NULL ? all->areas[number] : number); \
            for (int64_t x = runs[i].begin; x < runs[i].end; x++) {                          \
                to[x] = label;                                                               \
            }                                                                                \
            HALO_TRY(halo_watch_entry(s->world, i));                                         \
        }                                                                                    \
        return HALO_OK;                                                                      \
    }
DEFINE_PAINT(paint_u16, uint16_t)
DEFINE_PAINT(paint_i32, int32_t)
DEFINE_PAINT(paint_i64, int64_t)
#undef DEFINE_PAINT

/* An array_fill_rows. */
static halo_status paint_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const structure_painting *p = context;
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < rows && status == HALO_OK; i++) {
        void *to = (char *)out + (size_t)i * pitch;
        status = (p->type == HALO_SAMPLE_U16   ? paint_u16
                  : p->type == HALO_SAMPLE_I32 ? paint_i32
                                               : paint_i64)(p->strip, first + i, to);
    }
    return status;
}

/* Local. */
static halo_status write_labels(const structure_strip *s)
{
    enum { ROWS = 16 }; /* painted at once, where they are copied or converted */
    const label_array_job *job = s->all->job;
    halo_array out = job->out;
    HALO_TRY(label_array_check_type(job, &out.type));
    structure_painting p = {.strip = s, .type = label_array_numbers(out.type, job->regions)};
    const array_source source = {p.type, paint_rows, &p, ROWS};
    return array_write_box(s->call, s->world, &out, &s->own, &source);
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
    int64_t roots;
    HALO_TRY(halo_agree(s->world, find_roots(s, &roots)));
    int64_t before = roots, total = roots;
    HALO_TRY(halo_exscan(s->world, &before, 1));
    HALO_TRY(halo_allreduce_sum(s->world, &total, 1));
    if (is_first) {
        all->total = total;
        all->job->regions = total;
    }
    return halo_agree(s->world, number_roots(s, before + 1));
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
    HALO_IF_OK(status, label_array_values_status(&s.values));
    if (all->job->out.data != NULL) {
        HALO_IF_OK(status, write_labels(&s));
    }
    label_array_values_free(&s.values);
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
    halo_memory_free(all.edged);
    halo_memory_free(all.areas);
    halo_memory_free(all.starts);
    halo_memory_free(all.first_run);
    halo_memory_free(all.runs);
    return status;
}
